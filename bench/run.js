// Measures what a user waits for, as CPU time over that of `node -e 0`: the least of several runs, as noise only ever adds.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const command = join(repository, 'cli/bin/poolcheck.js');
const meter = fileURLToPath(new URL('meter.js', import.meta.url));
const runs = 15;

const fleetPool = `import { Pool } from 'pg';
export const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 2, connectionTimeoutMillis: 5_000 });
`;

const nothing = least(['-e', '0']);
const oxc = least(['--input-type=module', '-e', "import 'oxc-parser'"]) - nothing;
report('loading oxc-parser', oxc);
report('poolcheck --version', least([command, '--version']) - nothing);
report('poolcheck fixtures/shop', least([command, join(repository, 'fixtures/shop')]) - nothing);
report('poolcheck on itself', least([command, repository], 3) - nothing);
report('poolcheck --types on itself', least([command, '--types', repository], 3) - nothing);

const large = largeRepository(3_000);
report('poolcheck on 3,000 files', least([command, large], 3) - nothing);
rmSync(large, { recursive: true });

// Twice the workloads must take twice the time.
for (const workloads of [500, 1_000, 2_000]) {
  const fleet = fleetOf(workloads);
  report(`budget of ${workloads} workloads`, least([command, 'budget', fleet], 3) - nothing);
  rmSync(fleet, { recursive: true });
}

function report(name, milliseconds) {
  console.log(`${name.padEnd(28)} ${milliseconds.toFixed(0).padStart(6)} ms   ${(milliseconds / oxc).toFixed(1)} × loading oxc-parser`);
}

function least(argv, times = runs) {
  return Math.min(...Array.from({ length: times }, () => cpuOf(argv)));
}

/** User and system time of a process with its threads, in milliseconds, as it says itself when it ends. */
function cpuOf(argv) {
  const { status, output } = spawnSync(process.execPath, ['--import', meter, ...argv], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  if (status !== 0 && status !== 1) throw new Error(`node ${argv.join(' ')} ended with ${status}`);
  const { user, system } = JSON.parse(output[3] ?? '');
  return (user + system) / 1000;
}

/** A repository of services, each with its manifest and its pool, and a database for every twenty. */
function fleetOf(workloads) {
  const root = mkdtempSync(join(tmpdir(), 'poolcheck-bench-'));
  mkdirSync(join(root, 'k8s'));
  for (let index = 0; index < workloads; index++) {
    const name = `service-${index}`;
    const database = `db-${Math.floor(index / 20)}`;
    const folder = join(root, 'services', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, main: 'db.ts' }));
    writeFileSync(join(folder, 'db.ts'), fleetPool);
    const env = `          env:\n            - { name: DATABASE_URL, value: "postgres://app@${database}:5432/app" }\n`;
    const manifests = [workload('Deployment', name, `registry.example.com/${name}:1`, env)];
    if (index % 20 === 0) manifests.push(workload('StatefulSet', database, 'postgres:17', ''), serviceFor(database));
    writeFileSync(join(root, 'k8s', `${name}.yaml`), manifests.join('---\n'));
  }
  return root;
}

function workload(kind, name, image, env) {
  return `apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - name: app
          image: ${image}
${env}`;
}

function serviceFor(name) {
  return `apiVersion: v1
kind: Service
metadata: { name: ${name} }
spec: { selector: { app: ${name} }, ports: [{ port: 5432 }] }
`;
}

/** A repository of which one file in ten is about a database. */
function largeRepository(files) {
  const root = mkdtempSync(join(tmpdir(), 'poolcheck-bench-'));
  for (let index = 0; index < files; index++) {
    const folder = join(root, 'src', `module-${Math.floor(index / 30)}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${index}.ts`), index % 10 === 0 ? repositoryClass(index) : plainModule(index));
  }
  return root;
}

function repositoryClass(index) {
  return `import { Pool } from 'pg';

const pool = new Pool({ max: 10, connectionTimeoutMillis: 5_000 });
${Array.from(
  { length: 20 },
  (_, method) => `
export async function find${method}(id: string): Promise<unknown> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query('select * from table_${index} where id = $1', [id]);
    return rows[0] ?? null;
  } finally {
    client.release();
  }
}
`,
).join('')}`;
}

function plainModule(index) {
  return Array.from(
    { length: 40 },
    (_, number) => `
export function calculate${number}(values: readonly number[], factor = ${index}): number {
  return values.filter((value) => value > ${number}).reduce((sum, value) => sum + value * factor, 0);
}
`,
  ).join('');
}
