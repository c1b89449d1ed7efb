import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { isFunction } from '../module.ts';
import { programOf } from '../program.ts';
import { anyEnvironment } from '../setting.ts';
import { breakersIn } from './breakers.ts';
import { Limits } from './limits.ts';

/** The longest that the function `work` of a module waits, ms. */
function longest(source: string): number | undefined {
  const { modules, values, origins, held } = programOf(projectOf({ 'a.js': source }), { alsoRelevant: new Set(['opossum']) });
  const [module] = modules;
  const work = module?.nodes('FunctionDeclaration').find(({ id }) => id?.name === 'work');
  if (!module || !work || !isFunction(work)) throw new Error('there is no work');
  return new Limits({ values, origins, waits: held.waits, environment: anyEnvironment }).longestIn({ node: work, module })?.limit
    .milliseconds;
}

const relevant = "import CircuitBreaker from 'opossum';\n";

test.each([
  ['fetch', '', "await fetch('/a', { signal: AbortSignal.timeout(3_000) });", 3_000],
  ['fetch without a limit', '', "await fetch('/a');", undefined],
  ['fetch with a signal of somebody else', '', "await fetch('/a', { signal });", undefined],
  ['axios, by the request', "import axios from 'axios';", "await axios.get('/a', { timeout: 4_000 });", 4_000],
  [
    'axios, by the client',
    "import axios from 'axios'; const http = axios.create({ timeout: 5_000 });",
    "await http.post('/a', {});",
    5_000,
  ],
  [
    'axios, the request before the client',
    "import axios from 'axios'; const http = axios.create({ timeout: 5_000 });",
    "await http.get('/a', { timeout: 1_000 });",
    1_000,
  ],
  ['axios with 0, which is off', "import axios from 'axios';", "await axios.get('/a', { timeout: 0 });", undefined],
  ['got', "import got from 'got';", "await got('https://a', { timeout: { request: 6_000 } });", 6_000],
  ['got, a method, as before version 12', "import got from 'got';", "await got.post('https://a', { timeout: 7_000 });", 7_000],
  [
    'got, by the client',
    "import got from 'got'; const http = got.extend({ timeout: { request: 2_000 } });",
    "await http.get('https://a').json();",
    2_000,
  ],
  ['got, only for the connection', "import got from 'got';", "await got('https://a', { timeout: { connect: 100 } });", undefined],
  ['ky', "import ky from 'ky';", "await ky.get('https://a', { timeout: 8_000 }).json();", 8_000],
  ['ky unasked', "import ky from 'ky';", "await ky.get('https://a').json();", 10_000],
  ['ky without an end', "import ky from 'ky';", "await ky.get('https://a', { timeout: false });", undefined],
  ['superagent', "import superagent from 'superagent';", "await superagent.get('https://a').timeout(9_000);", 9_000],
  [
    'superagent with a deadline',
    "import superagent from 'superagent';",
    "await superagent.get('https://a').timeout({ response: 1_000, deadline: 3_000 });",
    3_000,
  ],
  ['undici', "import { request } from 'undici';", "await request('https://a', { headersTimeout: 2_500 });", 2_500],
  [
    'a query',
    "import { Pool } from 'pg'; const pool = new Pool({ statement_timeout: 1_500, query_timeout: 2_000 });",
    "await pool.query('SELECT 1');",
    1_500,
  ],
  [
    'a query that may wait longer for a connection',
    "import { Pool } from 'pg'; const pool = new Pool({ statement_timeout: 1_500, connectionTimeoutMillis: 3_000 });",
    "await pool.query('SELECT 1');",
    3_000,
  ],
  [
    'a query whose function sets a limit of its own',
    "import { Pool } from 'pg'; const pool = new Pool({ statement_timeout: 1_500 });",
    'await pool.query("SET statement_timeout = \'9s\'");',
    undefined,
  ],
  [
    'the longest of several',
    '',
    "await fetch('/a', { signal: AbortSignal.timeout(1_000) }); await fetch('/b', { signal: AbortSignal.timeout(2_000) });",
    2_000,
  ],
  ['what nobody waits for', '', "void fetch('/a', { signal: AbortSignal.timeout(1_000) });", undefined],
])('%s', (_, before, body, milliseconds) => {
  expect(longest(`${relevant}${before}\nexport async function work(signal) { ${body} }`)).toBe(milliseconds);
});

test('what a function calls counts as its own', () => {
  const inner = "async function ask() { return fetch('/a', { signal: AbortSignal.timeout(1_200) }); }";
  expect(longest(`${relevant}${inner}\nexport async function work() { await ask(); }`)).toBe(1_200);
});

/** The limits of the breakers of a module, ms. */
function breakers(source: string): readonly number[] {
  const { modules, values } = programOf(projectOf({ 'a.js': source }), { alsoRelevant: new Set(['opossum', 'cockatiel']) });
  return modules.flatMap((module) => breakersIn(module, values).map(({ limit }) => limit.milliseconds));
}

test.each([
  ['told', 'new CircuitBreaker(work, { timeout: 2_000 });', [2_000]],
  ['left alone', 'new CircuitBreaker(work);', [10_000]],
  ['turned off', 'new CircuitBreaker(work, { timeout: false });', []],
  ['that aborts', 'new CircuitBreaker(work, { timeout: 2_000, abortController: new AbortController() });', []],
])('a breaker of opossum %s', (_, made, expected) => {
  expect(breakers(`${relevant}async function work() {}\n${made}`)).toEqual(expected);
});

test.each([
  ['aggressive', 'timeout(1_000, TimeoutStrategy.Aggressive).execute(() => work());', [1_000]],
  ['cooperative', 'timeout(1_000, TimeoutStrategy.Cooperative).execute(() => work());', []],
  ['in a wrap', 'wrap(retry(handleAll, {}), timeout(1_000, TimeoutStrategy.Aggressive)).execute(() => work());', [1_000]],
  ['whose function takes the signal', 'timeout(1_000, TimeoutStrategy.Aggressive).execute(({ signal }) => work(signal));', []],
])('a timeout of cockatiel, %s', (_, executed, expected) => {
  const from = "import { handleAll, retry, timeout, TimeoutStrategy, wrap } from 'cockatiel';";
  expect(breakers(`${from}\nasync function work() {}\n${executed}`)).toEqual(expected);
});
