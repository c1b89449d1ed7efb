import type { Range, Text } from '@poolcheck/parsers/text';

/** What stands in the place of a secret. */
export const redacted = '***';

/** A way in which secrets are written. Every repetition is bounded: contents may be hostile. `key`, where captured, must be a secret's. */
type Pattern = RegExp;

const secretKey = String.raw`(?<![\w.-])(?<key>[\w.-]{0,60}(?:password|passwd|passphrase|pwd|secret|token(?!s)|credential|(?:api|private|access)[_-]?key)[\w.-]{0,60})`;

/** What a URL, a connection string, SQL and a header carry, in prose as in files. */
const everywhere: readonly Pattern[] = [
  /(?<![\w+.-])(?!https?:|wss?:)[a-z][a-z\d+.-]{0,30}:\/\/[^\s:@/?#'"`<>]{0,200}:(?<secret>[^\s'"`<>]{1,500})@/dgi,
  /(?<![\w+.-])(?:https?|wss?):\/\/[^\s:@/?#'"`<>]{0,200}:(?<secret>[^\s@/?#'"`<>]{1,500})@/dgi,
  new RegExp(
    String.raw`${secretKey}["'\`\]]{0,2}\s{0,20}(?:=>?|:|\?\?|\|\|)\s{0,20}(?<quote>["'\`])(?<secret>(?:(?!\k<quote>)[^\n]){1,500})`,
    'dgi',
  ),
  new RegExp(String.raw`${secretKey}=(?<secret>[^\s"'\`&;,)=>][^\s"'\`&;,)]{0,500})`, 'dgi'),
  /\b(?:password|identified\s{1,20}by)\s{1,20}'(?<secret>[^'\n]{1,500})/dgi,
  /\b(?:basic|bearer)\s{1,5}(?<secret>[\w+/=.~-]{8,2000})/dgi,
  /(?<secret>\bmd5[\da-f]{32}\b|SCRAM-SHA-256\$[^\s"']{1,300})/dg,
];

/** What a configuration file writes without quotes, a line a value. */
const inConfiguration: readonly Pattern[] = [
  new RegExp(String.raw`${secretKey}[ \t]{0,20}=[ \t]{0,20}(?<secret>[^\s"'#;][^\s#;]{0,500})`, 'dgi'),
  new RegExp(String.raw`${secretKey}["']?:[ \t]{1,20}(?<secret>[^\s"'#&|>{[][^\n]{0,500})`, 'dgi'),
  new RegExp(
    String.raw`\bname:[ \t]{0,20}["']?${secretKey}["']?\s{0,100},?\s{0,100}value:[ \t]{0,20}(?<secret>[^\s,}][^\n,}]{0,500})`,
    'dgi',
  ),
  new RegExp(String.raw`\bvalue:[ \t]{0,20}(?<secret>[^\s,}][^\n,}]{0,500})\s{0,100},?\s{0,100}name:[ \t]{0,20}["']?${secretKey}`, 'dgi'),
  /^[ \t]{0,100}"[^"\n]{1,100}"[ \t]{1,100}"(?<secret>[^"\n]{1,500})/dgm,
];

/** Where the secrets of a file stand, in order and apart from each other. */
export function secretsIn(text: Text): readonly Range[] {
  const known = secrets.get(text);
  if (known) return known;
  const found = union([...matches(text.content, patternsFor(text.path)), ...wholeValues(text)]);
  secrets.set(text, found);
  return found;
}

const secrets = new WeakMap<Text, readonly Range[]>();

/** A message without the secrets that it quotes. */
export function redact(message: string): string {
  return withoutRanges(message, union([...matches(message, everywhere)]));
}

/** The characters of a text with those at `ranges` left out. */
export function withoutRanges(content: string, ranges: readonly Range[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of ranges) {
    result += content.slice(at, start) + redacted;
    at = end;
  }
  return result + content.slice(at);
}

const source = /\.[cm]?[jt]sx?$/;
const environmentFile = /(^|\/)\.env(\.[^/]*)?$|\.env$/;

function patternsFor(path: string): readonly Pattern[] {
  return source.test(path) ? everywhere : [...everywhere, ...inConfiguration];
}

function* matches(content: string, patterns: readonly Pattern[]): Iterable<Range> {
  for (const pattern of patterns) {
    for (const { groups, indices } of content.matchAll(pattern)) {
      const range = indices?.groups?.['secret'];
      if (!range || isPlaceholder(groups?.['secret'] ?? '') || namesNoSecret.test(groups?.['key'] ?? '')) continue;
      yield { start: range[0], end: range[1] };
    }
  }
}

/** `secretName`, `password_file`, `token_ttl`: they say where or how long, not what. */
const namesNoSecret = /(name|ref|file|path|length|ttl|expiry|expires|type|mode|encryption)$/i;

const placeholder = /^["'`]?(\$\{[\w.]+\}|\$\([\w.]+\)|\$\w+|%\w+%|\{\{.*|<[\w -]+>|\*+|null|true|false|~)["'`]?;?$/;

function isPlaceholder(value: string): boolean {
  return placeholder.test(value.trim());
}

/** Files whose every value may be a secret: environment files, and Secrets of Kubernetes. */
function* wholeValues(text: Text): Iterable<Range> {
  if (environmentFile.test(text.path))
    yield* valuesOf(text.content, /^[ \t]*(?:export[ \t]+)?[\w.-]+[ \t]*=[ \t]*(?<secret>[^\s#][^\n]*)/dgm, 0);
  if (/\.ya?ml$/.test(text.path)) for (const { start, content } of secretBlocks(text.content)) yield* valuesOf(content, secretLine, start);
}

const secretLine = /^[ \t]+(?:["']?[\w.-]+["']?:[ \t]+|(?!["']?[\w.-]+["']?:\s))(?<secret>[^\s|>][^\n]*)/dgm;

function* valuesOf(content: string, line: RegExp, offset: number): Iterable<Range> {
  for (const { groups, indices } of content.matchAll(line)) {
    const range = indices?.groups?.['secret'];
    if (range && !tellsNothing.test(groups?.['secret'] ?? '')) yield { start: offset + range[0], end: offset + range[1] };
  }
}

/** Numbers, switches and addresses; what an address carries is redacted by itself. */
const tellsNothing = /^["']?(?:\d+(?:\.\d+)?(?:ms|s|m|h)?|true|false|on|off|yes|no|[a-z][a-z\d+.-]*:\/\/.*|\$\{\w+\})["']?\s*$/i;

/** The `data` and `stringData` of each document of kind Secret. */
function* secretBlocks(content: string): Iterable<{ readonly start: number; readonly content: string }> {
  let start = 0;
  for (const document of content.split(/^(?=---)/m)) {
    if (/^kind:[ \t]*["']?Secret\b/m.test(document)) {
      for (const block of document.matchAll(/^(?:data|stringData):[^\n]*\n(?<body>(?:[ \t][^\n]*\n?|[ \t]*\n)*)/dgm)) {
        const [from, to] = block.indices?.groups?.['body'] ?? [0, 0];
        yield { start: start + from, content: document.slice(from, to) };
      }
    }
    start += document.length;
  }
}

function union(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && range.start < last.end) result.splice(-1, 1, { start: last.start, end: Math.max(last.end, range.end) });
    else result.push(range);
  }
  return result;
}
