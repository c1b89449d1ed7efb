import type { Directive, Level, NginxDocument } from './document.ts';

/** A level seen from inside, with the levels around it: the way along which directives are inherited. */
export interface Scope {
  readonly level: Level;
  /** The directive whose block it is; undefined for the file itself. */
  readonly directive: Directive | undefined;
  readonly outer: Scope | undefined;
}

/** The outermost scope. A piece that stands inside a server or a location inherits from blocks that are not here. */
export function scopeOf(document: NginxDocument): Scope {
  const { directives, context } = document;
  const isWhole = context === 'main' || context === 'http' || context === 'stream';
  return { level: { directives, complete: document.complete && isWhole }, directive: undefined, outer: undefined };
}

/** The scopes of the blocks that stand in this one, in order. */
export function innerScopes(scope: Scope): readonly Scope[] {
  return scope.level.directives.flatMap((directive) =>
    directive.block?.kind === 'directives' ? [{ level: directive.block, directive, outer: scope }] : [],
  );
}

/**
 * The occurrences of a directive that hold in a scope: all of the nearest level that has any, as nginx's array directives are replaced
 * as a whole. Empty: it is set nowhere. undefined: an include that was not found, or a template's hole, may set it.
 */
export function effective(scope: Scope, name: string): readonly Directive[] | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const found = named(at.level, name);
    if (found.length > 0) return found;
    if (!at.level.complete) return undefined;
  }
  return [];
}

/** The directives of this name that stand directly in a level. */
export function named(level: Level, name: string): readonly Directive[] {
  return level.directives.filter((directive) => directive.name.value === name);
}

/** The scopes in which `upstream`, `map` and `server` blocks of streams stand. */
export function streamScopes(document: NginxDocument): readonly Scope[] {
  const root = scopeOf(document);
  if (document.context !== 'main') return document.context === 'stream' ? [root] : [];
  return innerScopes(root).filter(({ directive }) => directive?.name.value === 'stream');
}

/** The scopes in which `upstream`, `map` and `server` blocks of HTTP stand; what is outside of `http` is not inherited in it. */
export function httpScopes(document: NginxDocument): readonly Scope[] {
  const root = scopeOf(document);
  if (document.context !== 'main') return document.context === 'stream' ? [] : [root];
  const http = innerScopes(root).filter(({ directive }) => directive?.name.value === 'http');
  return http.map((scope) => ({ ...scope, outer: undefined }));
}
