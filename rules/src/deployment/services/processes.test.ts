import { expect, test } from 'vitest';
import { readDocuments } from '../../documents.ts';
import { show } from '../../known.ts';
import { projectOf } from '../../project.ts';
import { programOf } from '../../source/program.ts';
import { survey } from '../survey.ts';

type Files = Readonly<Record<string, string>>;

const pool =
  "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: Number(process.env.MAX ?? 10) });\n";

function servicesOf(command: string, files: Files, environment = '') {
  const compose = `services:\n  db: { image: postgres:17 }\n  api:\n    build: .\n    command: ${JSON.stringify(command)}\n    environment: { DATABASE_URL: postgres://app@db/app${environment} }\n`;
  const project = projectOf({ 'compose.yaml': compose, ...files });
  const [deployment] = survey(project, readDocuments(project).documents, programOf(project)).deployments;
  return deployment?.services ?? [];
}

/** "api 4 written 20": the processes of each service, and the sizes of its pools. */
function processes(command: string, files: Files = {}, environment?: string): string {
  return servicesOf(command, files, environment)
    .map(({ name, processes: count, pools }) => [name, show(count), count.source, ...pools.map(({ size }) => show(size))].join(' '))
    .join(', ');
}

const code: Files = { 'dist/main.js': "import './db.js';", 'dist/db.js': pool };

test.each([
  ["{ script: 'dist/main.js' }", 'api 1 defaulted 10'],
  ["{ script: 'dist/main.js', instances: 3 }", 'api 3 written 10'],
  ["{ script: './dist/main.js', instances: '3', exec_mode: 'cluster' }", 'api 3 written 10'],
  ["{ script: 'dist/main.js', instances: 'max' }", 'api at least 1 assumed 10'],
  ["{ script: 'dist/main.js', instances: 'all' }", 'api at least 1 assumed 10'],
  ["{ script: 'dist/main.js', instances: 0 }", 'api at least 1 assumed 10'],
  ["{ script: 'dist/main.js', instances: -1 }", 'api at least 1 assumed 10'],
  ["{ script: 'dist/main.js', instances: process.env.WORKERS || 2 }", 'api 2 written 10'],
  ["{ script: 'dist/main.js', instances: 2, env: { MAX: 30 } }", 'api 2 written 30'],
  ["{ script: 'dist/main.js', instances: 2, env: { MAX: 30 }, env_production: { MAX: 40 } }", 'api 2 written 30'],
  ["{ script: 'npm', args: 'run serve', instances: 2 }", 'api 2 written 10'],
  ["{ script: 'main.js', cwd: './dist', instances: 2 }", 'api 2 written 10'],
  ['makeApp()', 'api at least 1 assumed 10'],
  ["{ ...shared, script: 'dist/main.js' }", 'api at least 1 assumed 10'],
])('an app of PM2: %s', (app, expected) => {
  const files = {
    ...code,
    'ecosystem.config.js': `const { makeApp, shared } = require('elsewhere');\nmodule.exports = { apps: [${app}] };\n`,
    'package.json': '{"scripts": {"serve": "node dist/main.js"}}',
  };
  expect(processes('pm2-runtime start ecosystem.config.js -i 9', files)).toBe(expected);
});

const apps = "[{ name: 'web', script: 'dist/main.js', instances: 4 }, { name: 'jobs', script: 'dist/jobs.js' }]";

test('the apps of PM2 are counted by themselves', () => {
  const files = { ...code, 'dist/jobs.js': pool, 'pm2.config.cjs': `module.exports = { apps: ${apps} };` };
  expect(processes('pm2-runtime pm2.config.cjs', files)).toBe('api/web 4 written 10, api/jobs 1 defaulted 10');
  expect(processes('pm2-runtime pm2.config.cjs --only jobs', files)).toBe('api 1 defaulted 10');
});

test.each([
  [
    'pm2-runtime start ecosystem.config.mjs --env production',
    { 'ecosystem.config.mjs': "export default { apps: [{ script: 'dist/main.js', instances: 2, env_production: { MAX: 40 } }] };" },
    'api 2 written 40',
  ],
  ['pm2-runtime pm2.json', { 'pm2.json': '{"apps": [{"script": "dist/main.js", "instances": "2"}]}' }, 'api 2 written 10'],
  ['pm2-runtime process.yml', { 'process.yml': 'apps:\n  - script: dist/main.js\n    instances: 5\n' }, 'api 5 written 10'],
  ['npm start', { 'package.json': '{"scripts": {"start": "pm2-runtime -i 3 dist/main.js"}}' }, 'api 3 written 10'],
  [
    'npm start',
    { 'package.json': '{"scripts": {"start": "pm2-runtime process.yml"}}', 'process.yml': '- script: dist/main.js\n  instances: 5\n' },
    'api 5 written 10',
  ],
  ['./start.sh', { 'start.sh': 'npm run migrate\nexec pm2-runtime -i 3 dist/main.js\n' }, 'api 3 written 10'],
  ['pm2-runtime start npm -i 2 -- run serve', { 'package.json': '{"scripts": {"serve": "node dist/main.js"}}' }, 'api 2 written 10'],
  ['pm2-runtime missing.config.js', {}, 'api at least 1 assumed 10'],
])('%s', (command, files, expected) => {
  expect(processes(command, { ...code, ...files })).toBe(expected);
});

const cluster = "import cluster from 'node:cluster';\nimport os from 'node:os';\n";
const primary = (body: string) => `${cluster}if (cluster.isPrimary) { ${body} } else { await import('./db.js'); }\n`;

test.each([
  [primary('for (let i = 0; i < 4; i++) cluster.fork();'), 'api 4 written 10'],
  [primary('for (let i = 1; i <= 4; i += 1) cluster.fork();'), 'api at least 1 assumed 10'],
  [primary("for (let i = 1; i <= 4; i++) cluster.fork(); cluster.on('exit', () => cluster.fork());"), 'api 4 written 10'],
  [primary('for (let i = 0; i < os.cpus().length; i++) cluster.fork();'), 'api at least 1 assumed 10'],
  [primary('const n = Number(process.env.WORKERS) || os.cpus().length; for (let i = 0; i < n; i++) cluster.fork();'), 'api 6 written 10'],
  [primary('os.cpus().forEach(() => cluster.fork());'), 'api at least 1 assumed 10'],
  [primary('Array.from({ length: 3 }).forEach(() => { cluster.fork(); });'), 'api 3 written 10'],
  [primary('cluster.fork(); cluster.fork();'), 'api 2 written 10'],
  [
    primary("const start = () => { const w = cluster.fork(); w.on('exit', start); }; for (let i = 0; i < 3; i++) start();"),
    'api 3 written 10',
  ],
  [
    `${cluster}import './db.js';\nif (cluster.isMaster && process.env.WORKERS === '6') { for (let i = 0; i < 6; i++) cluster.fork(); }`,
    'api 6 written 10',
  ],
  [
    `${cluster}import './db.js';\nif (cluster.isMaster && process.env.WORKERS === 'off') { for (let i = 0; i < 6; i++) cluster.fork(); }`,
    'api 1 defaulted 10',
  ],
  [`${cluster}import './db.js';\nif (cluster.isMaster && isBig()) { for (let i = 0; i < 6; i++) cluster.fork(); }`, 'api 1–6 assumed 10'],
  ["import throng from 'throng';\nimport './db.js';\nthrong({ count: 4, worker: () => {} });", 'api 4 written 10'],
  ["import throng from 'throng';\nimport './db.js';\nthrong({ workers: process.env.WORKERS, start });", 'api 6 written 10'],
  ["import throng from 'throng';\nimport './db.js';\nthrong({ worker: () => {} });", 'api at least 1 assumed 10'],
])('%s', (main, expected) => {
  expect(processes('node src/main.js', { 'src/main.js': main, 'src/db.js': pool }, ', WORKERS: 6')).toBe(expected);
});

test('the workers of a module that the entry imports count', () => {
  const files = {
    'src/main.ts': "import { clustered } from './clustered';\nimport './db';\nclustered(() => {});",
    'src/clustered.ts':
      "import * as cluster from 'cluster';\nexport function clustered(start: () => void) { if (cluster.isPrimary) { for (let i = 0; i < 5; i++) cluster.fork(); } else start(); }",
    'src/db.ts': pool,
  };
  expect(processes('node dist/main.js', files)).toBe('api 5 written 10');
});

test.each([
  ['gunicorn -w 4 app:app', {}, '4 written'],
  ['gunicorn --workers=4 app:app', {}, '4 written'],
  ['gunicorn -w4 app:app', {}, '4 written'],
  ['gunicorn app:app', {}, '6 written'],
  ['gunicorn app:app', { 'gunicorn.conf.py': 'import os\nworkers = 3\n' }, '3 written'],
  ['gunicorn app:app', { 'gunicorn.conf.py': 'import os\nworkers = int(os.environ.get("WORKERS", "3"))\n' }, '8 written'],
  ['gunicorn app:app', { 'gunicorn.conf.py': 'workers = int(os.getenv("NONE", 3))\n' }, '3 written'],
  ['gunicorn app:app', { 'gunicorn.conf.py': 'workers = multiprocessing.cpu_count() * 2 + 1\n' }, 'at least 1 assumed'],
  ['gunicorn -c deploy/g.py app:app', { 'deploy/g.py': '# workers = 9\nworkers = 3  # two cores\n' }, '3 written'],
  ['gunicorn -c /etc/g.py app:app', {}, 'at least 1 assumed'],
  ['sh -c "WEB_CONCURRENCY=2 exec gunicorn app:app"', {}, '2 written'],
  ['uvicorn main:app --workers 5', {}, '5 written'],
  ['uvicorn main:app --reload --workers 5', {}, '1 defaulted'],
  ['fastapi run app/main.py --workers 4', {}, '4 written'],
  ['poetry run uvicorn main:app', {}, '6 written'],
  ['python -m hypercorn app:app', {}, '1 defaulted'],
  ['bundle exec puma -C config/puma.rb', { 'config/puma.rb': 'workers ENV.fetch("WORKERS") { 2 }\n' }, '8 written'],
  ['bundle exec puma', { 'config/puma.rb': '# workers 9\nworkers Integer(ENV["NONE"] || 2)\n' }, '2 written'],
  ['bundle exec puma', { 'config/puma.rb': 'threads 5, 5\n' }, '6 written'],
  ['celery -A app worker --concurrency 8', {}, '8 written'],
  ['celery -A app worker', {}, 'at least 1 assumed'],
  ['celery -A app worker -P gevent -c 100', {}, '1 defaulted'],
])('%s with %o', (command, files, expected) => {
  expect(processes(command, files, ', WEB_CONCURRENCY: 6, WORKERS: 8')).toBe(`api ${expected}`);
});
