import { expect, test } from 'vitest';
import { projectOf } from '../project.ts';
import { programOf } from './program.ts';

const leaking = 'const c = await pool.connect(); await c.query("x"); c.release();';

function leaksIn(files: Record<string, string>): readonly string[] {
  const program = programOf(projectOf(files));
  return program.modules.flatMap((module) =>
    program.leases
      .in(module)
      .flatMap((site) => (program.leases.leak(site) ? [`${module.path} ${site.lease.origin?.module.path ?? '?'}`] : [])),
  );
}

test.each([
  ['a function of CommonJS', `require('./a')(pool);`, `module.exports = (pool) => async () => { ${leaking} };`],
  [
    'a function in a variable',
    `const make = require('./a'); make(pool);`,
    `module.exports = function make(pool) { return async () => { ${leaking} }; };`,
  ],
  ['an object', `require('./a')({ pool, log: console });`, `module.exports = ({ pool }) => async () => { ${leaking} };`],
  ['a named function', `const { make } = require('./a'); make(1, pool);`, `exports.make = (size, pool) => async () => { ${leaking} };`],
  [
    'a member',
    `const a = require('./a'); a.make(pool);`,
    `function make(pool) { return async () => { ${leaking} }; } module.exports = { make };`,
  ],
  [
    'a constructor',
    `const { Repo } = require('./a'); new Repo(pool);`,
    `class Repo { constructor(pool) { this.pool = pool; } async all() { ${leaking.replace('pool.', 'this.pool.')} } } module.exports = { Repo };`,
  ],
])('a pool given to %s of another file is known there', (_, call, callee) => {
  const made = `const { Pool } = require('pg'); const pool = new Pool(); ${call}`;
  expect(leaksIn({ 'index.js': made, 'a.js': callee })).toEqual(['a.js index.js']);
});

test.each([
  [
    'a default import',
    `import make from './a.js'; make(pool);`,
    `export default function make(pool) { return async () => { ${leaking} }; }`,
  ],
  ['a named import', `import { make } from './a.js'; make(pool);`, `export const make = (pool) => async () => { ${leaking} };`],
])('a pool given to %s is known there', (_, call, callee) => {
  const made = `import { Pool } from 'pg'; ${call.split(';')[0] ?? ''}; const pool = new Pool(); ${call.split(';')[1] ?? ''};`;
  expect(leaksIn({ 'index.js': made, 'a.js': callee })).toEqual(['a.js index.js']);
});

test('what a module adds to its exports later is known to those it gives them to', () => {
  const database = `const db = module.exports;
    db.init = () => { const { Pool } = require('pg'); db.pool = new Pool(); };
    require('./sorted')(db);`;
  const sorted = `module.exports = function (db) { db.all = async () => { ${leaking.replace('pool.', 'db.pool.')} }; };`;
  expect(leaksIn({ 'database.js': database, 'sorted.js': sorted })).toEqual(['sorted.js database.js']);
});

test('calls that give different things prove nothing', () => {
  const made = `const { Pool } = require('pg'); const mysql = require('mysql2/promise'); const make = require('./a');
    make(new Pool()); make(mysql.createPool({}));`;
  expect(leaksIn({ 'index.js': made, 'a.js': `module.exports = (pool) => async () => { ${leaking} };` })).toEqual([]);
});
