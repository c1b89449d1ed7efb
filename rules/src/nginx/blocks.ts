import type { Directive, Level, NginxDocument } from '@poolcheck/parsers/nginx/document';
import type { NginxBlock } from '../knowledge/nginx-directives.ts';

/** A level with the block that it is the body of; undefined: not known, or none that is in the table. */
export interface PlacedLevel {
  readonly level: Level;
  readonly block: NginxBlock | undefined;
}

/** Every level of a configuration. What a piece stands in is only known of sites: a snippet may be included anywhere. */
export function levelsOf(document: NginxDocument): readonly PlacedLevel[] {
  const { context } = document;
  return inner({ level: document, block: context === 'main' || context === 'http' || context === 'stream' ? context : undefined }, context);
}

function inner(placed: PlacedLevel, context: NginxDocument['context']): readonly PlacedLevel[] {
  const levels = placed.level.directives.flatMap((directive) =>
    directive.block?.kind === 'directives'
      ? inner({ level: directive.block, block: blockOf(directive, placed.block, context) }, context)
      : [],
  );
  return [placed, ...levels];
}

function blockOf({ name }: Directive, outer: NginxBlock | undefined, context: NginxDocument['context']): NginxBlock | undefined {
  const isStream = outer === 'stream' || outer === 'stream server';
  switch (name.value) {
    case 'events':
    case 'http':
    case 'stream':
      return outer === 'main' ? name.value : undefined;
    case 'server':
    case 'upstream':
      if (isStream) return `stream ${name.value}`;
      return outer === 'http' ? name.value : undefined;
    case 'location':
      return outer === 'server' || outer === 'location' || context === 'server' || context === 'location' ? 'location' : undefined;
    case 'if':
      return outer === 'server' || outer === 'location' ? `if in ${outer}` : undefined;
    case 'limit_except':
      return outer === 'location' ? 'limit_except' : undefined;
    default:
      return undefined;
  }
}
