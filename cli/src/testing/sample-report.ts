import { placeOf, textOf, type Place, type Text } from '@poolcheck/parsers/text';
import type { Finding } from '@poolcheck/rules/finding';
import type { Report } from '../report.ts';

const orders = textOf(
  'services/orders/src/orders.ts',
  [
    "import { Pool } from 'pg';",
    '',
    "const pool = new Pool({ connectionString: 'postgres://app:hunter2@pgbouncer:6432/shop', max: 20 });",
    '',
    'export async function total(id: string): Promise<number> {',
    '\tconst client = await pool.connect();',
    "\tconst { rows } = await client.query('select sum(price) from items where order_id = $1', [id]);",
    '\tclient.release();',
    '\treturn rows[0].sum;',
    '}',
    '',
  ].join('\n'),
);

const deployment = textOf(
  'k8s/orders.yaml',
  ['apiVersion: apps/v1', 'kind: Deployment', 'metadata:', '  name: orders', 'spec:', '  replicas: 6', ''].join('\n'),
);

const pgbouncer = textOf('k8s/pgbouncer.ini', ['[databases]', '* = host=postgres', '[pgbouncer]', 'default_pool_size = 60', ''].join('\n'));

/** The place of the first `words` in a text. */
export function at(text: Text, words: string): Place {
  const start = text.content.indexOf(words);
  return placeOf(text, { start, end: start + words.length });
}

/** A construction whose connection string holds a password. */
export const poolSite = at(orders, "new Pool({ connectionString: 'postgres://app:hunter2@pgbouncer:6432/shop', max: 20 })");

const leak: Finding = {
  rule: 'release-in-finally',
  severity: 'error',
  message: '`client` is not given back when `client.query` throws: after 20 failed queries every request waits for a connection for ever.',
  at: at(orders, 'pool.connect()'),
  related: [
    { at: at(orders, 'pool.connect()'), message: 'taken here' },
    { at: at(orders, "client.query('select sum(price) from items where order_id = $1', [id])"), message: 'this can throw' },
    { at: at(orders, '}\n'), message: 'and then the function is left without `client.release()`' },
  ],
  fixes: [
    {
      title: 'Give `client` back in a finally',
      safe: true,
      edits: [
        { ...at(orders, '\tconst { rows }'), insert: '\ttry {\n\tconst { rows }' },
        {
          ...at(orders, '\tclient.release();\n\treturn rows[0].sum;'),
          insert: '\treturn rows[0].sum;\n\t} finally {\n\tclient.release();\n\t}',
        },
      ],
    },
  ],
  fingerprint: '00d1f0aa11223344',
};

const budget: Finding = {
  rule: 'connection-budget',
  severity: 'warning',
  message: 'Up to 120 connections can be open to postgres, which accepts 97.',
  at: at(deployment, 'replicas: 6'),
  related: [
    { at: at(deployment, 'replicas: 6'), message: '6 instances of orders' },
    { at: at(orders, 'max: 20'), message: '20 connections in each' },
    { at: at(pgbouncer, 'default_pool_size = 60'), message: '60 of pgbouncer' },
  ],
  fixes: [],
  fingerprint: '5566778899aabbcc',
};

const advice: Finding = {
  rule: 'require-acquire-timeout',
  severity: 'info',
  message: 'A request waits for ever for a free connection of `pool`.',
  at: poolSite,
  related: [],
  fixes: [
    { title: 'Wait 5 s at most', safe: false, edits: [{ ...at(orders, 'max: 20'), insert: 'max: 20, connectionTimeoutMillis: 5_000' }] },
  ],
  fingerprint: 'ddeeff0011223344',
};

const suppressed: Finding = {
  rule: 'no-pool-per-request',
  severity: 'error',
  message: 'A pool is made in every request.',
  at: at(orders, 'pool = new Pool'),
  related: [],
  fixes: [],
  fingerprint: '0123456789abcdef',
  suppressed: { by: 'comment', reason: 'a connection test' },
};

/** A report with a bit of everything, made by hand. */
export const sampleReport: Report = {
  findings: [budget, suppressed, advice, leak],
  problems: [
    {
      path: 'k8s/chart/values.yaml',
      at: at(textOf('k8s/chart/values.yaml', 'a: 1\nreplicas: {{ n }}\n'), '{{ n }}'),
      message: 'template left unrendered',
    },
    ...Array.from({ length: 7 }, (_, index) => ({ path: `legacy/${index}.ts`, message: 'binary file, not text' })),
    { path: 'assets/giant.ts', message: 'too large to be checked (50 MiB; the limit is 2 MiB)' },
  ],
  deployments: [
    {
      name: 'k8s',
      databases: [
        {
          name: 'postgres',
          verdict: 'over',
          terms: [
            { name: 'orders', sum: '6 instances × 20 connections = 120', evidence: [{ place: at(deployment, '6'), says: 'replicas: 6' }] },
          ],
          demand: '120',
          accepts: { name: 'postgres', sum: '100 − 3 reserved = 97', evidence: [{ says: 'max_connections is not set: 100' }] },
        },
      ],
      graph: ['flowchart LR', '  n0["orders × 6"]', '  n1[("postgres 100")]', '  n0 -- "20" --> n1'],
    },
  ],
  files: 214,
};

const hostile = '\x1b[31m\u202e::error::x\n##[group]|`*_<script>@team #1 https://e.vil [a](b)';
const hostileText = textOf(`src/${hostile}/a,b:c.ts`, `const x = "${hostile}";\n${hostile}\n`);

/** A report in which everything that comes from files is hostile. */
export const hostileReport: Report = {
  findings: [
    {
      rule: 'release-in-finally',
      severity: 'error',
      message: `${hostile} is lost`,
      at: at(hostileText, `"${hostile}"`),
      related: [
        { at: at(hostileText, 'x ='), message: hostile },
        { at: at(hostileText, 'const'), message: `\`${hostile}\`` },
      ],
      fixes: [{ title: hostile, safe: true, edits: [{ ...at(hostileText, 'const x'), insert: `/*${hostile}*/ let x` }] }],
      fingerprint: 'f',
    },
  ],
  problems: [{ path: hostile, message: hostile }],
  deployments: [
    {
      name: hostile,
      databases: [
        {
          name: hostile,
          verdict: 'fits',
          terms: [{ name: hostile, sum: '1', evidence: [{ place: at(hostileText, 'x'), says: hostile }] }],
          demand: '1',
          accepts: { name: hostile, sum: '97', evidence: [{ says: hostile }] },
        },
      ],
      graph: [],
    },
  ],
  files: 1,
};
