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
