import { expect, test } from 'vitest';
import { projectOf } from '../project.ts';
import { madePools } from './pools.ts';
import { programOf } from './program.ts';
import { evaluate, type Environment, type Setting } from './setting.ts';

const environment =
  (variables: Readonly<Record<string, string>>): Environment =>
  (name) => {
    const value = variables[name];
    return value === undefined
      ? { state: 'unset' }
      : { state: 'set', value, place: { text: { path: '', content: '' }, range: { start: 0, end: 0 } } };
  };

const helpers = `
const numberFrom = (text: string | undefined, otherwise: number): number => {
  const number = text ? Number(text) : NaN;
  return Number.isFinite(number) ? number : otherwise;
};
function required(name: string | undefined): number {
  if (!name) throw new Error('not set');
  return parseInt(name, 10);
}
function atLeastOne(text: string | undefined) {
  const number = Number(text ?? 0);
  if (number < 1) return 1;
  return number;
}
const twice = (value: number) => double(value);
function double(value = 5) { return value * 2; }
let counter = 0;
function next() { counter += 1; return counter; }
`;

function sizes(expression: string, variables: Readonly<Record<string, string>> = {}) {
  const source = `import { Pool } from 'pg';\n${helpers}\nexport const pool = new Pool({ max: ${expression} });\n`;
  const [pool] = programOf(projectOf({ 'src/db.ts': source })).pools;
  return pool?.max && evaluate(pool.max, environment(variables))?.map(({ value }) => value);
}

test.each<[string, Readonly<Record<string, string>>, readonly unknown[] | undefined]>([
  ['numberFrom(process.env.MAX, 20)', {}, [20]],
  ['numberFrom(process.env.MAX, 20)', { MAX: '7' }, [7]],
  ['numberFrom(process.env.MAX, 20)', { MAX: 'many' }, [20]],
  ['required(process.env.MAX)', { MAX: '9' }, [9]],
  ['atLeastOne(process.env.MAX)', { MAX: '0' }, [1]],
  ['atLeastOne(process.env.MAX)', { MAX: '4' }, [4]],
  ['twice(3)', {}, [6]],
  ['double()', {}, [10]],
  ["process.env.NODE_ENV === 'production' ? 20 : 5", { NODE_ENV: 'production' }, [20]],
  ["process.env.NODE_ENV === 'production' ? 20 : 5", { NODE_ENV: 'test' }, [5]],
  ['!process.env.MAX ? 3 : Number(process.env.MAX)', {}, [3]],
  ['isNaN(process.env.MAX as never) ? 3 : 4', { MAX: 'x' }, [3]],
  ['Number.isNaN(process.env.MAX) ? 3 : 4', { MAX: 'x' }, [4]],
  ['Math.random() > 0.5 ? 3 : 4', {}, [3, 4]],
  ['next()', {}, undefined],
  ['unknown(process.env.MAX)', {}, undefined],
])('%s with %j', (expression, variables, expected) => {
  expect(sizes(expression, variables)).toEqual(expected);
});

const schema = (fields: string, rest = '') =>
  `import { z } from 'zod';\nexport const env = z.object({ ${fields} })${rest}.parse(process.env);\n`;

function validated(expression: string, fields: string, variables: Readonly<Record<string, string>> = {}) {
  const source = `import { Pool } from 'pg';\nimport { env } from './env.ts';\nexport const pool = new Pool({ ${expression} });\n`;
  const [pool] = programOf(projectOf({ 'src/db.ts': source, 'src/env.ts': schema(fields) })).pools;
  const setting = pool?.target.url ?? pool?.max;
  return setting && evaluate(setting, environment(variables))?.map(({ value }) => value);
}

test.each<[string, string, readonly unknown[] | undefined]>([
  ['connectionString: env.URL', 'URL: z.string()', ['postgres://a']],
  ['connectionString: env.URL', 'URL: z.string().url().min(1)', ['postgres://a']],
  ['connectionString: env.URL', 'URL: z.url()', ['postgres://a']],
  ['connectionString: env.OTHER', "URL: z.string(), OTHER: z.string().default('postgres://b')", ['postgres://b']],
  ['max: env.MAX', 'MAX: z.coerce.number().int().positive().default(10)', [7]],
  ['max: env.LEAST', 'LEAST: z.coerce.number().default(10)', [10]],
  ['connectionString: env.URL', "URL: z.string().transform((url) => url.replace('a', 'b'))", undefined],
  ['connectionString: env.URL', 'URL: z.preprocess((url) => url, z.string())', undefined],
  ['connectionString: env.URL', 'OTHER: z.string()', undefined],
  ['connectionString: env.URL', '...others', undefined],
])('%s of { %s }', (expression, fields, expected) => {
  expect(validated(expression, fields, { URL: 'postgres://a', MAX: '7' })).toEqual(expected);
});

test('a schema may have a name of its own, and be destructured', () => {
  const source = `import { z } from 'zod/v4';
import { Pool } from 'pg';
const schema = z.object({ URL: z.string() }).passthrough();
const { URL } = schema.parse(process.env);
export const pool = new Pool({ connectionString: URL });
`;
  const [pool] = programOf(projectOf({ 'src/db.ts': source })).pools;
  expect(pool?.target.url).toMatchObject({ kind: 'env', name: 'URL' });
});

test.each([
  ['runtimeEnv: process.env', 'env'],
  ['runtimeEnv: { URL: process.env.URL }', 'env'],
  ['experimental__runtimeEnv: {}', 'env'],
  ['runtimeEnv: { URL: process.env.OTHER }', 'unknown'],
  ['runtimeEnv: import.meta.env', 'unknown'],
  ['skipValidation: true', 'unknown'],
])('T3 Env with %s', (rest, kind) => {
  const source = `import { createEnv } from '@t3-oss/env-nextjs';
import { z } from 'zod';
import { Pool } from 'pg';
const env = createEnv({ server: { URL: z.string().url() }, ${rest} });
export const pool = new Pool({ connectionString: env.URL });
`;
  expect(programOf(projectOf({ 'src/db.ts': source })).pools[0]?.target.url?.kind).toBe(kind);
});

test('what is not Zod, or does not look at the environment, is not followed', () => {
  const urlOf = (before: string) => {
    const source = `import { Pool } from 'pg';\n${before}\nexport const pool = new Pool({ connectionString: env.URL });\n`;
    return programOf(projectOf({ 'src/db.ts': source })).pools[0]?.target.url?.kind;
  };
  expect(urlOf("import { z } from 'zod';\nconst env = z.object({ URL: z.string() }).parse(await load());")).toBe('unknown');
  expect(urlOf("import { z } from './z.ts';\nconst env = z.object({ URL: z.string() }).parse(process.env);")).toBe('unknown');
  expect(urlOf("import { z } from 'zod';\nconst env = z.object({ URL: z.string() }).transform(change).parse(process.env);")).toBe(
    'unknown',
  );
});

/** The URLs of the pools that a factory makes. */
function urlsOf(files: Readonly<Record<string, string>>) {
  const show = (setting: Setting | undefined) =>
    setting && evaluate(setting, environment({ A: 'postgres://a', B: 'postgres://b' }))?.map(({ value }) => value);
  return programOf(projectOf(files)).pools.flatMap((site) => madePools(site).map((made) => [show(made.site.target.url), made.calledIn]));
}

const factory =
  "import { Pool } from 'pg';\nexport function makePool(connectionString: string) { return new Pool({ connectionString }); }\n";

test('a function makes a pool in each call', () => {
  const calls =
    "import { makePool } from './db.ts';\nexport const one = makePool(process.env.A!);\nexport const two = makePool(process.env.B!);\n";
  expect(urlsOf({ 'src/db.ts': factory, 'src/api.ts': calls })).toEqual([
    [['postgres://a'], ['src/api.ts']],
    [['postgres://b'], ['src/api.ts']],
  ]);
});

test('a call that passes its own parameter on is followed', () => {
  const between = "import { makePool } from './db.ts';\nexport const tenant = (url: string) => makePool(url);\n";
  const calls = "import { tenant } from './tenant.ts';\nexport const pool = tenant(process.env.B!);\n";
  expect(urlsOf({ 'src/db.ts': factory, 'src/tenant.ts': between, 'src/api.ts': calls })).toEqual([[['postgres://b'], ['src/api.ts']]]);
});

test('calls that say the same may get the same pool', () => {
  const calls =
    "import { makePool } from './db.ts';\nexport const one = makePool(process.env.A!);\nexport const again = makePool(process.env.A!);\n";
  expect(urlsOf({ 'src/db.ts': factory, 'src/api.ts': calls })).toEqual([[['postgres://a'], ['src/api.ts', 'src/api.ts']]]);
});

test('a function that nobody calls makes one, nobody knows where', () => {
  expect(urlsOf({ 'src/db.ts': factory })).toEqual([[undefined, []]]);
});

test('functions that call each other for ever come to an end', () => {
  const source =
    "import { Pool } from 'pg';\nfunction a(url: string): Pool { return b(url); }\nfunction b(url: string): Pool { a(url); return new Pool({ connectionString: url }); }\n";
  expect(urlsOf({ 'src/db.ts': source })).toHaveLength(1);
});
