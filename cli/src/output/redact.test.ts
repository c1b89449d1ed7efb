import { textOf } from '@poolcheck/parsers/text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, secretsIn, withoutRanges } from './redact.ts';

function shown(path: string, content: string): string {
  const text = textOf(path, content);
  return withoutRanges(text.content, secretsIn(text));
}

describe('in a message', () => {
  test.each([
    ['postgres://app:hunter2@db:5432/shop', 'postgres://app:***@db:5432/shop'],
    ['postgres://app:p@ss/wo:rd@db/shop', 'postgres://app:***@db/shop'],
    ['redis://:hunter2@cache', 'redis://:***@cache'],
    ['connects to "mysql://a:b@c/d?x=1" here', 'connects to "mysql://a:***@c/d?x=1" here'],
    ['postgres://db/shop?user=a&password=hunter2&x=1', 'postgres://db/shop?user=a&password=***&x=1'],
    ['host=db password=hunter2 dbname=shop', 'host=db password=*** dbname=shop'],
    [`CREATE ROLE app PASSWORD 'hunter2'`, `CREATE ROLE app PASSWORD '***'`],
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer ***'],
  ])('%s', (message, expected) => expect(redact(message)).toBe(expected));

  test.each([
    'postgres://db:5432/shop',
    'http://localhost:3000/@vite/client',
    'postgres://${USER}:${PASSWORD}@db/shop',
    'the password is not set',
    'no password, no token: the pool waits',
  ])('%s is left alone', (message) => expect(redact(message)).toBe(message));
});

describe('in source', () => {
  test.each([
    [`new Pool({ password: 'hunter2', max: 5 })`, `new Pool({ password: '***', max: 5 })`],
    [`{ "apiKey": "abc" }`, `{ "apiKey": "***" }`],
    [`const secret = process.env.JWT_SECRET ?? 'fallback'`, `const secret = process.env.JWT_SECRET ?? '***'`],
    ['const dbPassword = `hunter2`', 'const dbPassword = `***`'],
  ])('%s', (content, expected) => expect(shown('src/db.ts', content)).toBe(expected));

  test.each([
    'password: process.env.DB_PASSWORD,',
    'const token = await next();',
    `secretName: 'shop'`,
    'max_tokens: "4096"',
    'if (password === other) {}',
    'if (password===other) {}',
    'onToken=>use(onToken)',
  ])('%s is left alone', (content) => expect(shown('src/db.ts', content)).toBe(content));
});

describe('in configuration', () => {
  test('pgbouncer.ini and userlist.txt', () => {
    expect(shown('pgbouncer.ini', 'shop = host=db password=hunter2 user=app\n')).toBe('shop = host=db password=*** user=app\n');
    expect(shown('userlist.txt', '"app" "hunter2"\n"b" "md5d51c9a7e9353746a6020f9602d452929"')).toBe('"app" "***"\n"b" "***"');
    expect(shown('pgbouncer.ini', 'auth_file = /etc/userlist.txt\nserver_tls_key_file = x')).toContain('/etc/userlist.txt');
  });

  test('the environment of a container, whichever way it is written', () => {
    expect(shown('compose.yaml', 'environment:\n  POSTGRES_PASSWORD: hunter two\n  POSTGRES_USER: app')).toBe(
      'environment:\n  POSTGRES_PASSWORD: ***\n  POSTGRES_USER: app',
    );
    expect(shown('compose.yaml', '- DB_PASSWORD=hunter2')).toBe('- DB_PASSWORD=***');
    expect(shown('k8s.yaml', '- name: DB_PASSWORD\n  value: "hunter2"\n- name: MAX\n  value: "20"')).toBe(
      '- name: DB_PASSWORD\n  value: ***\n- name: MAX\n  value: "20"',
    );
    expect(shown('k8s.yaml', '- { name: DB_PASSWORD, value: hunter2 }')).toBe('- { name: DB_PASSWORD, value: ***}');
    expect(shown('k8s.yaml', '- value: hunter2\n  name: DB_PASSWORD')).toBe('- value: ***\n  name: DB_PASSWORD');
  });

  test('a password that is read from elsewhere is not one', () => {
    const content = 'POSTGRES_PASSWORD: ${DB_PASSWORD}\nvalueFrom:\n  secretKeyRef:\n    name: shop-secrets\n    key: password\n';
    expect(shown('compose.yaml', content)).toBe(content);
  });

  test('every value of a Secret, but what its addresses say openly', () => {
    const content = [
      'kind: ConfigMap',
      'data:',
      '  greeting: hello',
      '---',
      'kind: Secret',
      'data:',
      '  any: aGVsbG8=',
      'stringData:',
      '  DATABASE_URL: postgres://app:hunter2@pgbouncer:6432/shop',
      '  POOL_MAX: "20"',
      '  key.pem: |',
      '    -----BEGIN',
      'type: Opaque',
    ].join('\n');
    expect(shown('k8s.yaml', content).split('\n')).toEqual([
      'kind: ConfigMap',
      'data:',
      '  greeting: hello',
      '---',
      'kind: Secret',
      'data:',
      '  any: ***',
      'stringData:',
      '  DATABASE_URL: postgres://app:***@pgbouncer:6432/shop',
      '  POOL_MAX: "20"',
      '  key.pem: |',
      '    ***',
      'type: Opaque',
    ]);
  });

  test('every value of an environment file, but numbers, switches and addresses', () => {
    expect(shown('.env.production', 'DB_POOL_MAX=20\nANY=hunter2\nDATABASE_URL=postgres://a:b@c/d\nexport X="y" # z\n')).toBe(
      'DB_POOL_MAX=20\nANY=***\nDATABASE_URL=postgres://a:***@c/d\nexport X=***\n',
    );
  });
});

test('no part of a password of a URL is ever shown', () => {
  const password = fc.stringMatching(/^[A-Z0-9@:/?#%=&!-]{4,20}$/);
  fc.assert(fc.property(password, (secret) => !redact(`at postgres://app:${secret}@db/shop now`).includes(secret)));
});

test('hostile contents cost little', () => {
  const started = performance.now();
  for (const piece of ['a://x:', 'password', 'password=', 'name: a\n', 'password:  ', '"a" ', 'value: a\n', 'kind: Secret\ndata:\n', ' ']) {
    secretsIn(textOf('k8s.yaml', piece.repeat(Math.ceil(500_000 / piece.length))));
  }
  expect(performance.now() - started).toBeLessThan(10_000);
});
