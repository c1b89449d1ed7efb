import { describe, expect, test, vi } from 'vitest';
import { projectOf } from '../project.ts';
import { installationsIn } from './installations.ts';

type Files = Readonly<Record<string, string>>;

const manifest = (dependencies: Readonly<Record<string, string>>) => JSON.stringify({ dependencies });

function npmLock(packages: Readonly<Record<string, string>>): string {
  const entries = Object.entries(packages).map(([path, version]) => [path, { version }]);
  return JSON.stringify({ lockfileVersion: 3, packages: Object.fromEntries(entries) }, undefined, 2);
}

function yarnLock(packages: Readonly<Record<string, string>>): string {
  return Object.entries(packages)
    .map(([asked, version]) => `${asked}:\n  version "${version}"\n`)
    .join('\n');
}

function said(files: Files, name = 'pg', file = 'src/db.ts'): string | undefined {
  return installationsIn(projectOf(files), new Map([['slonik', [46, 0, 0]]])).of(name, file)?.evidence.says;
}

describe('one package', () => {
  test('by the lockfile', () => {
    const lock = npmLock({ 'node_modules/pg': '8.11.3' });
    expect(said({ 'package.json': manifest({ pg: '^8.0.0' }), 'package-lock.json': lock })).toBe('pg 8.11.3 in package-lock.json');
  });

  test('by package.json where nothing is locked', () => {
    expect(said({ 'package.json': manifest({ pg: '^8.11.0' }) })).toBe('pg ^8.11.0 in package.json');
    expect(said({ 'package.json': manifest({ pg: '^8.11.0' }), 'yarn.lock': '' })).toBe('pg ^8.11.0 in package.json');
    expect(said({ 'package.json': '{ "devDependencies": { "pg": "8.x" } }' })).toBe('pg 8.x in package.json');
  });

  test('as declared where no file tells', () => {
    expect(said({}, 'slonik')).toBe('slonik 46.0.0 as declared');
    expect(said({ 'package.json': manifest({ slonik: 'latest' }) }, 'slonik')).toBe('slonik 46.0.0 as declared');
    expect(said({ 'package.json': manifest({ slonik: '^47.0.0' }) }, 'slonik')).toBe('slonik ^47.0.0 in package.json');
  });

  test('not at all', () => {
    expect(said({})).toBeUndefined();
    expect(said({ 'package.json': manifest({ pg: 'github:acme/pg#8.11.3' }) })).toBeUndefined();
    expect(said({ 'package.json': 'nothing' })).toBeUndefined();
    expect(said({ 'package.json': manifest({}) }, 'constructor')).toBeUndefined();
  });

  test('by both of two lockfiles', () => {
    const files = { 'package-lock.json': npmLock({ 'node_modules/pg': '8.11.3' }), 'yarn.lock': yarnLock({ 'pg@^8.0.0': '8.5.0' }) };
    expect(said({ ...files, 'package.json': manifest({ pg: '^8.0.0' }) })).toBe('pg 8.11.3 or 8.5.0 in package-lock.json');
  });

  test('of another package only: any that is locked', () => {
    const lock = npmLock({ 'node_modules/pg-pool': '3.10.1', 'node_modules/old/node_modules/pg-pool': '2.0.10' });
    const files = { 'package.json': manifest({ pg: '^8.0.0' }), 'package-lock.json': lock };
    const found = installationsIn(projectOf(files), new Map()).of('pg-pool', 'src/db.ts');
    expect(found?.versions).toEqual({ low: [2, 0, 10], below: [3, 10, 2] });
    expect(found?.name).toBe('pg-pool 3.10.1 or 2.0.10');
  });
});

describe('a workspace', () => {
  const members: Files = {
    'package.json': manifest({}),
    'packages/api/package.json': manifest({ pg: '^7.0.0' }),
    'packages/web/package.json': manifest({ pg: '^8.0.0' }),
  };
  const from = (lockfile: Files, member: string) => said({ ...members, ...lockfile }, 'pg', `packages/${member}/src/db.ts`);

  test('of npm: the nearest node_modules', () => {
    const lock = { 'package-lock.json': npmLock({ 'node_modules/pg': '8.11.3', 'packages/api/node_modules/pg': '7.18.2' }) };
    expect(from(lock, 'api')).toBe('pg 7.18.2 in package-lock.json');
    expect(from(lock, 'web')).toBe('pg 8.11.3 in package-lock.json');
  });

  test('of Yarn: what is asked for', () => {
    const lock = { 'yarn.lock': yarnLock({ 'pg@^7.0.0': '7.18.2', 'pg@^8.0.0': '8.11.3' }) };
    expect(from(lock, 'api')).toBe('pg 7.18.2 in yarn.lock');
    expect(from(lock, 'web')).toBe('pg 8.11.3 in yarn.lock');
  });

  test('of pnpm: its importer', () => {
    const importer = (name: string, version: string) => `  packages/${name}:\n    dependencies:\n      pg:\n        version: ${version}\n`;
    const lock = { 'pnpm-lock.yaml': `importers:\n${importer('api', '7.18.2')}${importer('web', '8.11.3')}` };
    expect(from(lock, 'api')).toBe('pg 7.18.2 in pnpm-lock.yaml');
    expect(from(lock, 'web')).toBe('pg 8.11.3 in pnpm-lock.yaml');
  });

  test('what the root asks for, its members get too', () => {
    const files = { 'package.json': manifest({ pg: '^8.0.0' }), 'packages/api/package.json': manifest({}) };
    const lock = { 'package-lock.json': npmLock({ 'node_modules/pg': '8.11.3' }) };
    expect(said({ ...files, ...lock }, 'pg', 'packages/api/src/db.ts')).toBe('pg 8.11.3 in package-lock.json');
  });

  test('a folder with a lockfile of its own is another project', () => {
    const lock = {
      'package-lock.json': npmLock({ 'node_modules/pg': '8.11.3' }),
      'packages/api/package-lock.json': npmLock({ 'node_modules/pg': '7.18.2' }),
    };
    expect(from(lock, 'api')).toBe('pg 7.18.2 in packages/api/package-lock.json');
    expect(from(lock, 'web')).toBe('pg 8.11.3 in package-lock.json');
  });
});

test('every file is read once, and none that the project does not list', () => {
  const project = projectOf({ 'package.json': manifest({ pg: '^8.0.0' }), 'yarn.lock': yarnLock({ 'pg@^8.0.0': '8.11.3' }) });
  const readText = vi.fn((path: string) => project.readText(path));
  const installations = installationsIn({ ...project, readText }, new Map());
  for (const file of ['src/db.ts', 'src/jobs/db.ts', 'db.ts']) for (const name of ['pg', 'pg-pool']) installations.of(name, file);
  expect(readText.mock.calls.flat().sort()).toEqual(['package.json', 'yarn.lock']);
});

test('nothing is read before it is asked for', () => {
  const project = projectOf({ 'package.json': manifest({}) });
  const readText = vi.fn((path: string) => project.readText(path));
  installationsIn({ ...project, readText }, new Map());
  expect(readText).not.toHaveBeenCalled();
});
