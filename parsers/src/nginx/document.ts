import type { Range, Text, Written } from '../text.ts';

/** A run of directives: a whole file, or the body of a block. Those of an included file follow their `include`. */
export interface Level {
  readonly directives: readonly Directive[];
  /** Everything nginx would see here was read: no include is missing, no template statement was left unrendered. */
  readonly complete: boolean;
}

export interface NginxDocument extends Level {
  readonly text: Text;
  readonly context: Context;
  readonly includes: readonly Include[];
}

/** The block that the outermost directives of a file stand in; `main` for a whole configuration. */
export type Context = 'main' | 'http' | 'stream' | 'upstream' | 'server' | 'location' | 'unknown';

export interface Directive {
  /** The file it stands in: the document's own, or an included one. */
  readonly text: Text;
  readonly name: Word;
  readonly args: readonly Word[];
  readonly range: Range;
  readonly block?: Block;
}

/** A word with its quotes taken off and its escapes undone; the range covers it as written. */
export interface Word extends Written<string> {
  /** The value stands in a template hole (`{{ port }}`, `${PORT}`), wholly or in part: what is written is not what nginx reads. */
  readonly hole: boolean;
}

/** `entries`: the lines are pairs, not directives (`map`, `types`). `raw`: Lua, of which nothing is read. */
export interface Block extends Level {
  readonly kind: 'directives' | 'entries' | 'raw';
  readonly range: Range;
}

/** A file that an `include` named. */
export interface Include {
  readonly directive: Directive;
  readonly text: Text;
}
