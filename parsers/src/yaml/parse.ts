import { Composer, isAlias, isScalar, isSeq, Lexer, Parser, type ParsedNode, type Scalar, type YAMLParseError } from 'yaml';
import type { Parsed, Problem, Range, Text } from '../text.ts';
import { fillHoles, type Hole, overlapsHole } from './template.ts';
import type { ScalarStyle, YamlDocument, YamlEntry, YamlMap, YamlScalar, YamlValue } from './value.ts';

const maxLength = 1024 * 1024;
/** Open collections at once, as the parser counts them. */
const maxDepth = 200;
/** Entries that merge keys may copy in one file. */
const maxMerged = 10_000;

/** Reads a stream of YAML documents. Nothing is expanded: an alias shares the value of its anchor. */
export function parseYaml(text: Text): Parsed<readonly YamlDocument[]> {
  if (text.content.length > maxLength) {
    return { document: [], problems: [{ range: rangeOf(0, 0), message: 'too large to be read as YAML' }] };
  }
  const { content, holes } = fillHoles(text.content);
  const actions = holes.filter((hole) => hole.alone);
  const stream = new Stream(content);
  const problems: Problem[] = [];
  // CloudFormation fills in `{{resolve:ssm:…}}` itself.
  const unrendered = holes.find(({ start }) => !text.content.startsWith('{{resolve:', start));
  if (unrendered) problems.push({ range: rangeOf(unrendered.start, unrendered.end), message: 'template left unrendered' });
  // The failsafe schema keeps every scalar as the text it was written as.
  const composer = new Composer<ParsedNode>({ schema: 'failsafe', uniqueKeys: false, logLevel: 'silent' });
  const composed = [...composer.compose(stream.tokens(), false, content.length)];
  const documents = composed.flatMap(({ contents, errors }, index) => {
    const reader = new Reader(text, holes);
    const root = contents && reader.read(contents);
    const [problem] = [...errors.map(problemOf), ...reader.problems];
    if (problem) problems.push(problem);
    // An action between two documents may open or close in either.
    const reach = rangeOf(composed[index - 1]?.range[2] ?? 0, composed[index + 1]?.range[0] ?? content.length);
    const open = overlapsHole(actions, reach);
    const cut = stream.cut && index === composed.length - 1;
    return root ? [{ root, complete: !problem && !open && !cut && !reader.keyUnknown }] : [];
  });
  if (stream.cut) problems.push({ range: stream.cut, message: 'nested too deeply to be read' });
  return { document: documents, problems };
}

function problemOf({ pos: [start, end], message }: YAMLParseError): Problem {
  return { range: rangeOf(start, end), message: message.slice(0, 120).replace(/\s*\n[^]*/, '') };
}

/** The parser's stack is the nesting: stopping there keeps the composer, which recurses, from running out of stack. */
class Stream {
  cut: Range | undefined;
  private readonly content: string;

  constructor(content: string) {
    this.content = content;
  }

  *tokens(): ReturnType<Parser['parse']> {
    const parser = new Parser();
    for (const lexeme of new Lexer().lex(this.content)) {
      if (parser.stack.length > maxDepth) {
        this.cut = rangeOf(parser.offset, parser.offset);
        break;
      }
      yield* parser.next(lexeme);
    }
    yield* parser.end();
  }
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  QUOTE_SINGLE: 'single-quoted',
  QUOTE_DOUBLE: 'double-quoted',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** Makes values of one document's nodes, in document order, so that an alias only sees anchors that are complete. */
class Reader {
  /** A key is a template hole, or merged from something that cannot be read. */
  keyUnknown = false;
  readonly problems: Problem[] = [];
  private merged = 0;
  private readonly anchors = new Map<string, YamlValue>();
  private readonly text: Text;
  private readonly holes: readonly Hole[];

  constructor(text: Text, holes: readonly Hole[]) {
    this.text = text;
    this.holes = holes;
  }

  read(node: ParsedNode): YamlValue {
    const value = this.valueOf(node);
    if (!isAlias(node) && node.anchor) this.anchors.set(node.anchor, value);
    return value;
  }

  private valueOf(node: ParsedNode): YamlValue {
    const place = { text: this.text, range: rangeOf(node.range[0], node.range[1]) };
    if (isAlias(node)) return this.anchors.get(node.source) ?? { kind: 'unknown', ...place };
    if (node.tag && !/^tag:yaml\.org,2002:/.test(node.tag)) return { kind: 'unknown', ...place };
    if (isScalar(node)) return this.scalar(node, place);
    if (isSeq(node)) return { kind: 'sequence', ...place, items: node.items.map((item) => this.read(item)) };
    return { kind: 'map', ...place, entries: this.entries(node.items) };
  }

  private scalar(node: Scalar.Parsed, place: { text: Text; range: Range }): YamlValue {
    if (overlapsHole(this.holes, place.range)) return { kind: 'unknown', ...place };
    return { kind: 'scalar', ...place, value: typeof node.value === 'string' ? node.value : '', style: styles[node.type ?? ''] ?? 'plain' };
  }

  private entries(pairs: readonly { key: ParsedNode; value: ParsedNode | null }[]): YamlEntry[] {
    const own: YamlEntry[] = [];
    const merged: YamlEntry[] = [];
    for (const pair of pairs) {
      const key = this.read(pair.key);
      const value = pair.value ? this.read(pair.value) : emptyAfter(key);
      if (key.kind !== 'scalar') this.keyUnknown = true;
      else if (key.value === '<<' && key.style === 'plain') merged.push(...this.merge(value));
      else own.push({ key: { value: key.value, range: key.range }, value });
    }
    const names = new Set(own.map(({ key }) => key.value));
    return [...firstOfEach(merged).filter(({ key }) => !names.has(key.value)), ...own];
  }

  /** https://yaml.org/type/merge.html: of several maps the earlier one wins. */
  private merge(value: YamlValue): readonly YamlEntry[] {
    const maps = value.kind === 'sequence' ? value.items : [value];
    const entries = maps.filter((map): map is YamlMap => map.kind === 'map').flatMap((map) => map.entries);
    if (maps.some((map) => map.kind !== 'map')) this.keyUnknown = true;
    this.merged += entries.length;
    if (this.merged <= maxMerged) return entries;
    this.problems.push({ range: value.range, message: 'too much is merged to be read' });
    return [];
  }
}

function firstOfEach(entries: readonly YamlEntry[]): readonly YamlEntry[] {
  const first = new Map<string, YamlEntry>();
  for (const entry of entries) if (!first.has(entry.key.value)) first.set(entry.key.value, entry);
  return [...first.values()];
}

function emptyAfter({ text, range }: YamlValue): YamlScalar {
  return { kind: 'scalar', text, range: rangeOf(range.end, range.end), value: '', style: 'plain' };
}

function rangeOf(start: number, end: number): Range {
  return { start, end };
}
