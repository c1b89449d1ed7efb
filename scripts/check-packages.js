// Packs both packages as they would be published, lints them, and uses them in an empty project. Needs a registry.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));
const leak = `import { Pool } from 'pg';

const pool = new Pool({ connectionTimeoutMillis: 5_000 });

export async function count(table: string) {
  const client = await pool.connect();
  const { rows } = await client.query('select count(*) from ' + table);
  client.release();
  return rows[0].count;
}
`;

const project = mkdtempSync(join(tmpdir(), 'poolcheck-packages-'));

try {
  const tarballs = ['cli', 'eslint-plugin'].map(pack);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  install(...tarballs, 'oxlint');
  useCommand();
  useTypes();
  useInOxlint();
  for (const version of ['9', '10']) useInEslint(version);
  console.log('both packages work in an empty project');
} finally {
  rmSync(project, { recursive: true });
}

function pack(name) {
  const folder = join(repository, name);
  run('npx', ['publint', '--strict'], folder);
  const [{ filename }] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], folder));
  return join(project, filename);
}

function useCommand() {
  const { version } = JSON.parse(readFileSync(join(repository, 'cli/package.json'), 'utf8'));
  expectEqual(run('npx', ['poolcheck', '--version'], project).trim(), version);
  expectEqual(run('npx', ['poolcheck', '--explain', 'release-in-finally'], project).includes('release-in-finally'), true);
  mkdirSync(join(project, 'src'));
  writeFileSync(join(project, 'src/leak.ts'), leak);
  const { findings } = JSON.parse(run('npx', ['poolcheck', '--fail-on', 'never', '--format', 'json', 'src'], project));
  expectEqual(findings.map(({ rule, file }) => `${rule} ${file}`).includes('release-in-finally src/leak.ts'), true);
  // A disk that is full makes it fail; a reader that has seen enough does not.
  run('sh', ['-c', 'npx poolcheck src > /dev/full'], project, [2]);
  expectEqual(run('sh', ['-c', 'npx poolcheck src 2>&1 | head -c 3'], project).length > 0, true);
}

/** The type checker is for who wants it. */
function useTypes() {
  writeFileSync(join(project, 'tsconfig.json'), '{}');
  run('npx', ['poolcheck', '--types', '.'], project, [2]);
  install('ts-morph');
  run('npx', ['poolcheck', '--types', '.'], project, [1]);
}

/** Nothing of ESLint is installed yet. */
function useInOxlint() {
  expectEqual(existsSync(join(project, 'node_modules/eslint')), false);
  const rules = { 'poolcheck/release-in-finally': 'error' };
  writeFileSync(join(project, '.oxlintrc.json'), JSON.stringify({ jsPlugins: ['eslint-plugin-poolcheck'], rules }));
  const { diagnostics } = JSON.parse(run('npx', ['oxlint', '--format', 'json', 'src'], project, [1]));
  expectEqual(diagnostics.map(({ code }) => code).includes('poolcheck(release-in-finally)'), true);
}

function useInEslint(version) {
  install(`eslint@${version}`);
  writeFileSync(
    join(project, 'eslint.config.js'),
    "import poolcheck from 'eslint-plugin-poolcheck';\nexport default [poolcheck.configs.recommended];\n",
  );
  writeFileSync(join(project, 'leak.js'), leak.replace(': string', ''));
  const [{ messages }] = JSON.parse(run('npx', ['eslint', '--format', 'json', 'leak.js'], project, [1]));
  expectEqual(messages.map(({ ruleId }) => ruleId).includes('poolcheck/release-in-finally'), true);
}

function install(...packages) {
  run('npm', ['install', '--no-audit', '--no-fund', ...packages], project);
}

function expectEqual(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}`);
}

/** What a program prints, when it ends with one of the statuses that are expected of it. */
function run(program, argv, cwd, statuses = [0]) {
  const { status, stdout, stderr } = spawnSync(program, argv, { cwd, encoding: 'utf8' });
  if (!statuses.includes(status)) throw new Error(`${program} ${argv.join(' ')} ended with ${status}:\n${stdout}\n${stderr}`);
  return stdout;
}
