import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as typescript from '@typescript-eslint/parser';
import { describe, expect, test } from 'vitest';
import plugin from './index.ts';
import { ruleTesters, type ExpectedError } from './testing/hosts.ts';

interface Cases {
  readonly valid: string;
  readonly invalid: string;
  /** What the automatic fix makes of it. */
  readonly output?: string;
  readonly error: ExpectedError;
}

const pool = "import { Pool } from 'pg';\nconst pool = new Pool({ connectionTimeoutMillis: 5_000 });\n";

const cases: Readonly<Record<string, Cases>> = {
  'no-transaction-on-pool': {
    valid: `${pool}export async function f() {
  await pool.query('BEGIN; DELETE FROM a; DELETE FROM b; COMMIT');
}`,
    invalid: `${pool}export async function f() {
  await pool.query('BEGIN');
  await pool.query('COMMIT');
}`,
    error: { message: /^BEGIN goes through pool \(10 connections\)/, line: 4, column: 9 },
  },
  'release-in-finally': {
    valid: `${pool}export async function f() {
  const client = await pool.connect();
  try {
    return JSON.parse(await client.query('SELECT 1'));
  } finally {
    client.release();
  }
}`,
    invalid: `${pool}export async function f() {
  const client = await pool.connect();
  await client.query('SELECT 1');
  client.release();
}`,
    output: `${pool}export async function f() {
  const client = await pool.connect();
  try {
    await client.query('SELECT 1');
  } finally {
    client.release();
  }
}`,
    error: { message: /^client is not given back when client\.query\('SELECT 1'\) fails/, line: 4, column: 24 },
  },
  'require-acquire-timeout': {
    valid: `${pool}export { pool };`,
    invalid: "import { Pool } from 'pg';\nexport const pool = new Pool({ max: 5 });\n",
    error: {
      message: /^pool has no connectionTimeoutMillis: once all 5 connections are taken/,
      line: 2,
      column: 21,
      suggestions: [
        {
          desc: 'Set connectionTimeoutMillis',
          output: "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionTimeoutMillis: 5_000, max: 5 });\n",
        },
      ],
    },
  },
};

test('every rule of the plugin has cases here', () => expect(Object.keys(cases)).toEqual(Object.keys(plugin.rules)));

/** Nothing is there: what the rule sees is the text alone. */
const filename = join(tmpdir(), 'poolcheck-nowhere', 'db.js');

describe.each(ruleTesters)('%s', (_name, run) => {
  describe.each([
    ['espree', {}],
    ['typescript-eslint', { parser: typescript }],
  ])('with %s', (_parser, languageOptions) => {
    for (const [id, { valid, invalid, output = null, error }] of Object.entries(cases)) {
      const rule = plugin.rules[id];
      const both = { valid: [{ filename, code: valid }], invalid: [{ filename, code: invalid, output, errors: [error] }] };
      if (rule) run(id, rule, both, languageOptions);
    }
  });
});
