import fc from 'fast-check';
import ini from 'ini';
import { describe, expect, test } from 'vitest';
import { slice, textOf } from '../text.ts';
import { parameter } from './document.ts';
import type { PgbouncerDocument } from './document.ts';
import { parsePgbouncer } from './parse.ts';

const full = `;; the shop's pooler
[databases]
shop = host=db.internal port=5432 dbname=shop pool_size=25
'audit log' = host=db.internal connect_query='select set_config(''a'', ''b'', false)'
* = host=fallback

[users] # who
reporting = pool_mode=session max_user_connections=3

[pgbouncer] pool_mode = transaction
listen_addr = 0.0.0.0
  max_client_conn=500\t
server_reset_query =
%include extra.ini
[peers]
1 = host=/tmp/one
`;

const files: Readonly<Record<string, string>> = {
  'extra.ini': 'default_pool_size = 30\n[databases]\nextra = host=extra\n',
  'loop.ini': '[pgbouncer]\n%include loop.ini\n',
};

function parse(content: string) {
  return parsePgbouncer(textOf('pgbouncer.ini', content), (path) => {
    const found = files[path];
    return found === undefined ? undefined : textOf(path, found);
  });
}

function settings({ settings }: PgbouncerDocument): Record<string, string> {
  return Object.fromEntries(Array.from(settings.values(), ({ key, value }) => [key.value, value.value]));
}

/** The effective settings of lines in the section. */
function inSection(lines: string): Record<string, string> {
  return settings(parse(`[pgbouncer]\n${lines}`).document);
}

function fatal(content: string): string[] {
  const text = textOf('pgbouncer.ini', content);
  return parse(content).problems.flatMap((problem) => (problem.fatal ? [slice(problem.text ?? text, problem.range)] : []));
}

describe('a whole file', () => {
  const { document, problems } = parse(full);

  test('has no problems', () => expect(problems).toEqual([]));

  test('gives its settings, those of an included file among them', () =>
    expect(settings(document)).toEqual({
      pool_mode: 'transaction',
      listen_addr: '0.0.0.0',
      max_client_conn: '500',
      server_reset_query: '',
      default_pool_size: '30',
    }));

  test('gives its databases, users and peers', () => {
    expect([...document.databases.keys()]).toEqual(['shop', 'audit log', '*', 'extra']);
    expect([...document.users.keys()]).toEqual(['reporting']);
    expect([...document.peers.keys()]).toEqual(['1']);
  });

  test('gives the parameters of a database', () => {
    const shop = document.databases.get('shop');
    expect(shop && parameter(shop, 'pool_size')?.value).toBe('25');
    expect(shop && parameter(shop, 'user')).toBeUndefined();
  });

  test('says in which file an entry stands', () => {
    expect(document.settings.get('default_pool_size')?.text.path).toBe('extra.ini');
    expect(document.settings.get('pool_mode')?.text.path).toBe('pgbouncer.ini');
    expect(document.texts.map((text) => text.path)).toEqual(['pgbouncer.ini', 'extra.ini']);
  });
});

describe('values run to the end of the line', () => {
  test.each([
    ['pool_mode = transaction ; x', 'transaction ; x'],
    ['pool_mode = transaction # x', 'transaction # x'],
    ["pool_mode = 'transaction'", "'transaction'"],
    ['pool_mode = "transaction"', '"transaction"'],
    ['pool_mode\t=\ttransaction \t\v\f', 'transaction'],
    ['pool_mode=transaction\r\n', 'transaction'],
    ['pool_mode = a=b', 'a=b'],
    ['pool_mode = \\', '\\'],
    ['pool_mode =\n', ''],
  ])('%j', (line, value) => expect(inSection(line)).toEqual({ pool_mode: value }));

  test('a continuation line is a key of its own', () => expect(inSection('a = 1 \\\n  b = 2')).toEqual({ a: '1 \\', b: '2' }));
  test('keys are case-sensitive', () => expect(inSection('Pool_Mode = a\npool_mode = b')).toEqual({ Pool_Mode: 'a', pool_mode: 'b' }));
  test('the last of equal keys wins', () => expect(inSection('pool_mode = a\npool_mode = b')).toEqual({ pool_mode: 'b' }));
  test('a NUL ends the file', () => expect(inSection('a = 1\nb = 2\0\nc = 3')).toEqual({ a: '1', b: '2' }));
});

describe('a second [pgbouncer] header', () => {
  test('resets what has a default', () => {
    expect(inSection('pool_mode = transaction\nauth_file = users.txt\n[users]\n[pgbouncer]\nlisten_port = 1')).toEqual({
      auth_file: 'users.txt',
      listen_port: '1',
    });
  });

  test('counts from an included file too', () => expect(inSection('pool_mode = x\n%include loop.ini')).toEqual({}));
});

describe('a database defined twice', () => {
  const { document } = parse('[databases]\na = host=one user=u password=p pool_size=5\na = host=two\nb = user=x\nb = user=y');
  const a = document.databases.get('a');
  const b = document.databases.get('b');

  test('is as it was defined last', () => {
    expect(a && parameter(a, 'host')?.value).toBe('two');
    expect(a && parameter(a, 'pool_size')).toBeUndefined();
    expect(b && parameter(b, 'user')?.value).toBe('y');
  });

  test('keeps its forced user', () => expect(a && parameter(a, 'user')?.value).toBe('u'));
});

describe('what makes PgBouncer refuse to start', () => {
  test.each<[string, string[]]>([
    ['[pgbouncer]\npool_mode transaction', ['pool_mode transaction']],
    ['[pgbouncer]\npool_mode: transaction', ['pool_mode: transaction']],
    ['[pgbouncer]\n"pool_mode" = transaction', ['"pool_mode" = transaction']],
    ["[pgbouncer]\n'' = x", ["'' = x"]],
    ["[pgbouncer]\n'pool_mode = x", ["'pool_mode = x"]],
    ['[pgbouncer]\npool mode = x', ['pool mode = x']],
    ['[pgbouncer]\npool_mode', ['pool_mode']],
    ['[pgbouncer', ['[pgbouncer', '']],
    ['[pgbouncer]\n[Users]', ['[Users]']],
    ['[pgbouncer]\n[ users ]', ['[ users ]']],
    ['[pgbouncer]\n[foo]\nx y = 1', ['[foo]', 'x y = 1']],
    ['pool_mode = x\n[pgbouncer]', ['pool_mode']],
    ['[databases]\npgbouncer = host=a\n[pgbouncer]', ['pgbouncer']],
    ['[databases]\na = host=b ; x\n[pgbouncer]', ['; x']],
    ['[users]\na = pool_mode\n[pgbouncer]', ['pool_mode']],
    ['[databases]', ['']],
    ['', ['']],
    ['[pgbouncer]\n%include', ['%include']],
    ['[pgbouncer]\n%include \n', ['']],
    ['[pgbouncer]\n%include loop.ini', ['loop.ini']],
  ])('%j', (content, ranges) => expect(fatal(content)).toEqual(ranges));

  test.each(['[pgbouncer]\n; x\n # y', '[pgbouncer] # x', '[databases][users][pgbouncer]', '[pgbouncer]\n[databases]\n* = nonsense'])(
    'but not %j',
    (content) => expect(fatal(content)).toEqual([]),
  );

  test('the rest of the file is still read', () => {
    expect(inSection('pool mode = x\nlisten_port = 1')).toEqual({ listen_port: '1' });
  });
});

test('a missing include leaves the document incomplete, without a verdict', () => {
  const { document, problems } = parse('[pgbouncer]\n%include /etc/pgbouncer/more.ini\n');
  expect(document.complete).toBe(false);
  expect(problems).toMatchObject([{ message: expect.stringContaining('/etc/pgbouncer/more.ini') as string }]);
  expect(problems[0]?.fatal).toBeUndefined();
});

test('many includes of includes come to an end', () => {
  const wide = '%include next.ini\n'.repeat(50);
  let opened = 0;
  const { document } = parsePgbouncer(textOf('a.ini', wide), () => textOf(`${opened++}.ini`, wide));
  expect(document.texts.length).toBeLessThanOrEqual(100);
  expect(document.complete).toBe(false);
});

test('template lines are no errors, but leave the document incomplete', () => {
  const { document, problems } = parse(
    '[databases]\n{{- range .dbs }}\n{{ .name }} = host={{ .host }}\n{{- end }}\n[pgbouncer]\nlisten_port = {{ .port }}\n',
  );
  expect(problems.filter((problem) => problem.fatal)).toEqual([]);
  expect(document.complete).toBe(false);
  expect(settings(document)).toEqual({ listen_port: '{{ .port }}' });
});

test('every prefix of a file is read', () => {
  for (let length = 0; length <= full.length; length++) expect(() => parse(full.slice(0, length))).not.toThrow();
});

const fragments = [
  '[pgbouncer]',
  '[databases]',
  '[users]',
  '[x]',
  '%include extra.ini',
  'pool_mode',
  '=',
  ' ',
  '\t',
  '\n',
  '\r\n',
  ';',
  '#',
  "'",
  '"',
  '{{',
  '}}',
  '*',
  '\0',
  'ü',
  '\u2028',
];
const anyFile = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 5 }))).map((parts) => parts.join(''));

test('any text gives a document whose values stand at their ranges', () => {
  fc.assert(
    fc.property(anyFile, (content) => {
      const { document, problems } = parse(content);
      for (const item of document.items) {
        if (item.kind === 'header') continue;
        expect(slice(item.text, item.key.range)).toBe(item.key.value);
        expect(slice(item.text, item.value.range)).toBe(item.value.value);
      }
      for (const { range, text } of problems) {
        expect(range.start).toBeLessThanOrEqual(range.end);
        expect(range.end).toBeLessThanOrEqual((text ?? document.texts[0]).content.length);
      }
    }),
  );
});

test('agrees with the ini package on the dialect that both speak', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((name) => !(name in Object.prototype));
  const value = fc.stringMatching(/^[a-z0-9.,:/ -]{0,12}$/).filter((text) => !['true', 'false', 'null'].includes(text.trim()));
  const file = fc.uniqueArray(fc.tuple(word, value), { selector: ([key]) => key });
  fc.assert(
    fc.property(file, fc.constantFrom('=', ' = ', ' ='), fc.constantFrom('\n', '\n\n', '\n; note\n', '\r\n'), (pairs, equals, newline) => {
      const content = ['[pgbouncer]', ...pairs.map(([key, value]) => key + equals + value)].join(newline);
      expect(settings(parse(content).document)).toEqual({ ...(ini.parse(content)['pgbouncer'] as object) });
    }),
  );
});
