import { parseNginx } from '@poolcheck/parsers/nginx/parse';
import { matchesGlob } from '@poolcheck/parsers/nginx/glob';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import { positionAt, textOf, type Text } from '@poolcheck/parsers/text';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { installed, privateFolder } from './process.ts';

/** The real nginx reads the same files: what it refuses for its syntax, poolcheck's parser must call fatal, and nothing else. */

const nginx = installed('nginx', 'nginx-light');
const folder = privateFolder();

type Verdict = { readonly says: 'accepted' } | { readonly says: 'syntax' | 'other'; readonly line: number; readonly message: string };

const syntaxError =
  /unexpected (?:"|end of)|too long parameter|directive "(?:http|events|map|geo|types|location|upstream|if)" has no opening/;

async function askNginx(
  files: Readonly<Record<string, string>>,
  option: '-t' | '-T' = '-t',
): Promise<{ verdict: Verdict; output: string }> {
  const prefix = await mkdtemp(join(folder, 'case-'));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(prefix, path)), { recursive: true });
    await writeFile(join(prefix, path), content);
  }
  const { stdout, stderr } = await run([option, '-p', prefix, '-c', 'nginx.conf', '-e', 'stderr', '-g', `pid ${prefix}/pid;`]);
  await rm(prefix, { recursive: true });
  return { verdict: verdictOf(stderr), output: stdout.replaceAll(`${prefix}/`, '') };
}

function run(args: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(nginx, args, (error, stdout, stderr) => {
      if (error && typeof error.code === 'string') reject(new Error(`cannot start ${nginx}: ${error.code}`));
      else resolve({ stdout, stderr });
    });
  });
}

function verdictOf(stderr: string): Verdict {
  if (stderr.includes('syntax is ok')) return { says: 'accepted' };
  const match = /\[emerg\] (?:\d+#\d+: )?(.*) in \S+?:(\d+)\n/s.exec(stderr);
  const message = match?.[1] ?? stderr;
  return { says: syntaxError.test(message) ? 'syntax' : 'other', line: Number(match?.[2] ?? 0), message };
}

/** Holds our parser against nginx's verdict on one file. nginx stops at its first error, so ours may only come later. */
async function compare(content: string): Promise<Verdict['says']> {
  const { verdict } = await askNginx({ 'nginx.conf': content });
  const text = textOf('nginx.conf', content);
  const fatal = parseNginx(text).problems.filter((problem) => problem.fatal);
  const context = JSON.stringify({ content, verdict, fatal }, undefined, 1);
  if (verdict.says === 'accepted') expect(fatal, context).toEqual([]);
  if (verdict.says === 'syntax') expect(fatal.length, context).toBeGreaterThan(0);
  if (verdict.says === 'other')
    expect(
      fatal.filter((problem) => linesBefore(text, problem, verdict.line)),
      context,
    ).toEqual([]);
  return verdict.says;
}

/** What is only known at the end of the file stands before it. */
function linesBefore(text: Text, problem: { readonly range: { readonly start: number }; readonly message: string }, line: number): boolean {
  return !problem.message.startsWith('unexpected end of file') && positionAt(text, problem.range.start).line < line;
}

const around = (http: string) => `events {}\nhttp {\n${http}\n}\n`;
const long = (bytes: number) => 'x'.repeat(bytes);

const accepted: Readonly<Record<string, string>> = {
  'several statements on a line': 'gzip_types a/b; gzip_types c/d;server{listen 8081;}',
  'a statement over lines': 'gzip_types\n  a/b\n\n  c/d\n;',
  'CR LF and tabs': 'gzip_types\ta/b\r\n;\r\n',
  'comment after a statement': 'gzip_types a/b;# ; { } "',
  'comment between arguments': 'gzip_types a/b # not me ; {\n c/d;',
  'hash inside a word': 'gzip_types a#b;',
  'comment at the very end': 'gzip_types a/b; #',
  'quotes around punctuation': `gzip_types "a;b" 'c{d}' "e#f" "g\nh";`,
  'quotes inside quotes': `gzip_types "a'b" 'c"d';`,
  'quote in the middle of a word': `gzip_types a"b" c'd;`,
  'empty argument': 'gzip_types a/b "";',
  'quote then brace': 'map $uri "$m"{ default 1; }',
  'escaped semicolon': 'gzip_types a\\;b;',
  'escaped space': 'gzip_types a\\ b;',
  'escaped brace': 'gzip_types a\\{b;',
  'escaped quote at the start': 'gzip_types \\"a b;',
  'escaped quote in quotes': 'gzip_types "a\\"b;c";',
  'escaped backslash before the closing quote': 'gzip_types "a\\\\";',
  'escapes that mean something': 'gzip_types a\\tb\\nc\\rd;',
  'braces of a variable': 'server { return 200 ${uri}x; }',
  'braces of a variable twice': 'server { return 200 a${uri}${host}; }',
  'variable in quotes': 'server { return 200 "${uri};{"; }',
  'closing brace inside a word': 'gzip_types a}b;',
  'quoted directive name': '"gzip_types" a/b;',
  'quoted block name': `'server' { "listen" 8081; }`,
  'regex with braces in quotes': 'server { location ~ "^/a{2}$" { } }',
  'bracket after a closing quote': 'server { if ($uri = "a") { } }',
  'block without a space': 'server{location /{}}',
  'map lines': 'map $http_upgrade $c { default upgrade; "" close; ~*a,b x; }',
  'map key in quotes': `map $uri $m { '' ''; "a b" "c;d"; }`,
  'types lines': 'types { text/html html htm; application/x a; }',
  'geo lines': 'geo $g { default 0; 127.0.0.1/32 1; }',
  'split_clients lines': 'split_clients "$uri" $s { 50% a; * b; }',
  'only comments': '# a\n#b\n',
  'a word that just fits': `gzip_types ${long(4095)};`,
  'a quoted word that just fits': `gzip_types "${long(4094)}";`,
  'a comment that just fits': `#${long(4094)}\ngzip_types a/b;`,
  'a long statement': `gzip_types ${Array.from({ length: 900 }, (_, i) => `a/b${i}`).join(' ')};`,
  'non-ASCII words': 'gzip_types "é;漢字" ü;',
};

const refused: Readonly<Record<string, string>> = {
  'lone semicolon': ';',
  'two semicolons': 'gzip_types a/b;;',
  'lone brace': '{ }',
  'semicolon after a block': 'server { };',
  'closing brace too many': 'server { } }',
  'no semicolon before a closing brace': 'server { listen 8081 }',
  'no closing brace': 'server { listen 8081;',
  'quote never closed': 'gzip_types "a;b;\n',
  'single quote never closed': `server { return 200 'it"s; }`,
  'word after a closing quote': 'gzip_types "a"b;',
  'brace after a closing quote': 'server { return 200 "a"}',
  'hash after a closing quote': 'gzip_types "a"#b\n;',
  'quote after a closing quote': `gzip_types "a"'b';`,
  'escaped closing quote': 'gzip_types "a\\";',
  'backslash at the end': 'gzip_types a\\',
  'escaped semicolon only': 'server { listen 8081\\; }',
  'brace after an escaped dollar': 'map $uri $m { a \\${uri}; }',
  'closing brace where an argument could be': 'gzip_types a }',
  'block in a map': 'map $uri $m { a { } }',
  'block in types': 'types { text/html { } }',
  'map without a block': 'map $uri $m;',
  'location without a block': 'server { location /; }',
  'upstream without a block': 'upstream a;',
  'a word too long': `gzip_types ${long(4096)};`,
  'a quoted word too long': `gzip_types "${long(4095)}";`,
  'a comment too long': `#${long(4095)}\ngzip_types a/b;`,
  'a word too long in bytes': `gzip_types ${'é'.repeat(2048)};`,
  'semicolon in a comment': 'server { listen 8081 # ;\n}',
};

describe('hand-written files', () => {
  test.each(Object.entries(accepted))('accepts: %s', async (_, http) => {
    expect(await compare(around(http))).not.toBe('syntax');
  });

  test.each(Object.entries(refused))('refuses: %s', async (_, http) => {
    expect(await compare(around(http))).toBe('syntax');
  });

  test.each([
    ['end of file inside a block', 'events {}\nhttp {\n'],
    ['end of file inside a statement', 'events {}\nhttp {}\nuser nobody'],
    ['end of file inside quotes', 'events {}\nhttp {}\nuser "nobody;\n'],
    ['end of file after a quoted word', 'events {}\nhttp {}\nuser "nobody"'],
    ['nothing but a closing brace', '}'],
    ['http without a block', 'events {}\nhttp;\n'],
  ])('refuses: %s', async (_, content) => {
    expect(await compare(content)).toBe('syntax');
  });
});

/** Files of known directives, spelled in every way, some with one character too many or too few. */
const word = fc
  .tuple(
    fc.constantFrom('', '"', "'"),
    fc.array(fc.constantFrom('a', 'b/c', '9', '#', '}', '\\;', '\\ ', '\\"', '\\n', 'é', '='), { minLength: 1, maxLength: 5 }),
  )
  .map(([quote, parts]) => quote + `w${parts.join('')}` + quote);
const space = fc.constantFrom(' ', '  ', '\t', '\n', '\r\n', ' # note ; {\n');
const words = fc.array(fc.tuple(space, word), { minLength: 1, maxLength: 4 }).map((pairs) => pairs.flat().join(''));
const end = fc.constantFrom(';', ' ;', '\n;', '; ', ';\n', ';# end\n');
const simple = fc.tuple(fc.constantFrom('gzip_types', '"gzip_types"'), words, end).map((parts) => parts.join(''));
const entries = fc
  .array(fc.tuple(words, end), { maxLength: 3 })
  .map((lines) => lines.map(([line, ending], i) => `text/x${i}${line}${ending}`).join(''));
const { statements } = fc.letrec<{ statements: string; statement: string; server: string }>((tie) => ({
  statements: fc.array(tie('statement'), { maxLength: 4 }).map((list) => list.join('')),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    entries.map((lines) => `types {${lines}}`),
    tie('server'),
  ),
  server: fc
    .tuple(space, tie('statements'))
    .map(
      ([gap, body]) =>
        `server${gap}{ location /${gap}{${body.replaceAll(/server\s*(?:# note ; \{\n)?\{ location \//g, 'location /l {location /l/')}} }`,
    ),
}));
const slip = fc.option(fc.record({ at: fc.nat(), insert: fc.constantFrom('', ';', '{', '}', '"', "'", '\\', '#', ' ', '$') }), { freq: 3 });

function withSlip(content: string, change: { readonly at: number; readonly insert: string } | null): string {
  if (!change) return content;
  const at = change.at % (content.length + 1);
  return content.slice(0, at) + change.insert + content.slice(change.insert === '' ? at + 1 : at);
}

describe('generated files', () => {
  test('agree with nginx', async () => {
    const count = { accepted: 0, syntax: 0, other: 0 };
    const files = fc.sample(
      fc.tuple(statements, slip).map(([http, change]) => withSlip(around(http), change)),
      { numRuns: 200, seed: 20 },
    );
    for (const content of files) count[await compare(content)]++;
    expect(count.accepted).toBeGreaterThan(20);
    expect(count.syntax).toBeGreaterThan(20);
  });
});

test.each([
  '0',
  '60',
  '60s',
  '1m30s',
  '1m30',
  '1m 30s',
  '500ms',
  '1w2d',
  '',
  's',
  '1.5s',
  '60S',
  '60sec',
  '1M',
  '1y',
  '1s1m',
  '1m1m',
  '5 s',
])('the time %j', async (time) => {
  const { verdict } = await askNginx({
    'nginx.conf': around(`upstream a { server 127.0.0.1; keepalive 1; keepalive_timeout "${time}"; }`),
  });
  expect(parseTime(time) !== undefined).toBe(verdict.says === 'accepted');
});

describe('include', () => {
  const files: Readonly<Record<string, string>> = {
    'nginx.conf': 'events {}\nhttp {\n  include conf.d/*.conf;\n  include last.conf;\n}\n',
    'conf.d/b.conf': 'server { listen 8081; include snippets/deep.conf; }\n',
    'conf.d/a.conf': 'gzip_types a/b;\n',
    'conf.d/B.conf': 'gzip_types a/c;\n',
    'conf.d/.hidden.conf': 'gzip_types a/d;\n',
    'conf.d/c.conf.off': 'gzip_types a/e;\n',
    'conf.d/sub/d.conf': 'gzip_types a/f;\n',
    'snippets/deep.conf': 'location / { }\n',
    'last.conf': 'gzip_types a/g;\n',
  };

  const include = (pattern: string) =>
    Object.keys(files)
      .filter((path) => matchesGlob(pattern, path))
      .sort()
      .map((path) => textOf(path, files[path] ?? ''));

  test('reads the files that nginx -T prints, in its order', async () => {
    const { output } = await askNginx(files, '-T');
    const printed = Array.from(output.matchAll(/^# configuration file (\S+):$/gm), (match) => match[1]);
    const { document } = parseNginx(textOf('nginx.conf', files['nginx.conf'] ?? ''), include);
    expect([document.text, ...document.includes.map(({ text }) => text)].map(({ path }) => path)).toEqual(printed);
  });

  test('an included file must be whole', async () => {
    const broken = { 'nginx.conf': around('include half.conf;\n}'), 'half.conf': 'server { listen 8081;\n' };
    const { verdict } = await askNginx(broken);
    const { problems } = parseNginx(textOf('nginx.conf', broken['nginx.conf']), () => [textOf('half.conf', broken['half.conf'])]);
    expect(verdict.says).toBe('syntax');
    expect(problems.filter(({ text }) => text?.path === 'half.conf')).toMatchObject([{ fatal: true }]);
  });
});
