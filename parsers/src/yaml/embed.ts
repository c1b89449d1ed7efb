import type { EmbeddedPiece, Text } from '../text.ts';
import type { ScalarStyle, YamlScalar } from './value.ts';

const embedded = new WeakMap<YamlScalar, Text>();

/** Makes a text of its own of a scalar (a pgbouncer.ini in a ConfigMap), whose ranges map back to the YAML; always the same one. */
export function embed(scalar: YamlScalar): Text {
  const text = embedded.get(scalar) ?? makeText(scalar);
  embedded.set(scalar, text);
  return text;
}

function makeText(scalar: YamlScalar): Text {
  const pieces = align(scalar.value, segmentsOf(scalar)) ?? [{ inner: 0, outer: scalar.range.start, length: 0 }];
  return { path: scalar.text.path, content: scalar.value, within: { outer: scalar.text, pieces } };
}

/** The same for a scalar that holds its text encoded (a Secret's `data`): every place in it is the scalar's. */
export function embedDecoded(scalar: YamlScalar, content: string): Text {
  const pieces = [{ inner: 0, outer: scalar.range.start, length: 0 }];
  return { path: scalar.text.path, content, within: { outer: scalar.text, pieces } };
}

/** A stretch of the source that stands in the value: literally, or as an escape or fold that makes `makes` characters. */
interface Segment {
  readonly outer: number;
  readonly literal: string;
  readonly makes: number;
}

/** Finds the segments in the value, in order. Gives up when the value was not made of them. */
function align(value: string, segments: readonly Segment[]): readonly EmbeddedPiece[] | undefined {
  const pieces: EmbeddedPiece[] = [];
  let inner = 0;
  let outer = segments[0]?.outer ?? 0;
  for (const segment of segments) {
    const found = segment.literal ? skipBreaks(value, inner, segment.literal) : inner;
    if (!value.startsWith(segment.literal, found)) return undefined;
    if (found > inner) pieces.push({ inner, outer, length: 0 });
    pieces.push({ inner: found, outer: segment.outer, length: segment.literal.length });
    inner = found + segment.literal.length + segment.makes;
    outer = segment.outer + segment.literal.length;
  }
  if (inner < value.length) pieces.push({ inner, outer, length: 0 });
  return pieces.length > 0 ? pieces : undefined;
}

/** Between the lines of a block scalar stand the spaces and line breaks that literal and folded style make of line breaks. */
function skipBreaks(value: string, from: number, literal: string): number {
  let at = from;
  while ((value[at] === ' ' || value[at] === '\n') && !value.startsWith(literal, at)) at++;
  return at;
}

function segmentsOf({ text, range, style, value }: YamlScalar): readonly Segment[] {
  const source = text.content.slice(range.start, range.end);
  if (source === value) return [{ outer: range.start, literal: value, makes: 0 }];
  const tokens = flowTokens[style];
  return tokens ? flowSegments(source, range.start, tokens, style) : blockSegments(source, range.start, value);
}

/** What a flow scalar consists of: escapes, folded line breaks, and the rest. */
const flowTokens: Partial<Record<ScalarStyle, RegExp>> = {
  plain: /[ \t]*(?:\r?\n[ \t]*)+|[^\r\n \t]+|[ \t]+/g,
  'single-quoted': /''|[ \t]*(?:\r?\n[ \t]*)+|[^'\r\n \t]+|[ \t]+/g,
  'double-quoted': /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|(?:\r?\n[ \t]*)+|[^])|[ \t]*(?:\r?\n[ \t]*)+|[^"\\\r\n \t]+|[ \t]+/g,
};

function flowSegments(source: string, start: number, tokens: RegExp, style: ScalarStyle): readonly Segment[] {
  return Array.from(source.matchAll(tokens), ({ 0: token, index }) => {
    const outer = start + index;
    const breaks = token.split('\n').length - 1;
    if (style === 'double-quoted' && token.startsWith('\\')) {
      return { outer, literal: '', makes: breaks > 0 ? breaks - 1 : unescapedLength(token) };
    }
    if (breaks > 0) return { outer, literal: '', makes: Math.max(1, breaks - 1) };
    if (style === 'single-quoted' && token === "''") return { outer, literal: '', makes: 1 };
    return { outer, literal: token, makes: 0 };
  });
}

function unescapedLength(escape: string): number {
  return escape.startsWith('\\U') && Number.parseInt(escape.slice(2), 16) > 0xffff ? 2 : 1;
}

/** The lines below the header, without the indentation that the value does not have. */
function blockSegments(source: string, start: number, value: string): readonly Segment[] {
  const lines = Array.from(source.matchAll(/[^\r\n]*/g)).filter(({ 0: line, index }) => line !== '' && index > 0);
  const first = lines.find(([line]) => /[^ ]/.test(line))?.[0] ?? '';
  const kept = /^[\n ]*\n|^/.exec(value)?.[0].length ?? 0;
  const indent = leadingSpaces(first) - leadingSpaces(value.slice(kept));
  return lines
    .filter(([line]) => line.length > indent)
    .map(({ 0: line, index }) => ({ outer: start + index + indent, literal: line.slice(indent), makes: 0 }));
}

function leadingSpaces(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
