import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { parse as parseJsonc } from 'jsonc-parser';
import type { Project } from '../project.ts';

/** What a module specifier leads to: a file of the root, or a package outside it. */
export type Resolution = { readonly kind: 'file'; readonly path: string } | { readonly kind: 'package'; readonly specifier: string };

/** Answers where an import leads, without leaving the root: relative paths, tsconfig `paths`, workspace packages, `#imports`. */
export type Resolve = (from: string, specifier: string) => Resolution;

interface TsConfig {
  readonly base: string;
  readonly paths: readonly (readonly [pattern: string, targets: readonly string[]])[];
}

interface Package {
  readonly folder: string;
  readonly name: string | undefined;
  readonly manifest: Readonly<Record<string, unknown>>;
}

const extensions = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

export function resolverOf(project: Project): Resolve {
  const files = new Set(project.list());
  const packages = readPackages(project);
  const byName = new Map(packages.flatMap((entry) => (entry.name ? [[entry.name, entry] as const] : [])));
  const configs = new Map<string, TsConfig | undefined>();
  const configOf = (folder: string): TsConfig | undefined => {
    if (!configs.has(folder)) configs.set(folder, nearestConfig(folder));
    return configs.get(folder);
  };

  function nearestConfig(folder: string): TsConfig | undefined {
    const path = ['tsconfig.json', 'jsconfig.json'].map((name) => join(folder, name)).find((candidate) => files.has(candidate));
    if (path) return readConfig(project, path, files) ?? (folder === '' ? undefined : configOf(parentOf(folder)));
    return folder === '' ? undefined : configOf(parentOf(folder));
  }

  const known = new Map<string, Resolution>();

  function resolve(from: string, specifier: string): Resolution {
    const key = `${parentOf(from)}\0${specifier}`;
    const resolution = known.get(key) ?? resolveAnew(from, specifier);
    known.set(key, resolution);
    return resolution;
  }

  function resolveAnew(from: string, specifier: string): Resolution {
    const path = resolvePath(from, specifier);
    return path === undefined ? { kind: 'package', specifier } : { kind: 'file', path };
  }

  function resolvePath(from: string, specifier: string): string | undefined {
    if (/^\.{1,2}(\/|$)/.test(specifier)) return fileAt(join(parentOf(from), specifier), files);
    const config = configOf(parentOf(from));
    return (config && throughPaths(config, specifier, files)) ?? throughImports(from, specifier) ?? throughWorkspace(specifier);
  }

  function throughImports(from: string, specifier: string): string | undefined {
    if (!specifier.startsWith('#')) return undefined;
    const owner = packages.find(({ folder }) => folder === '' || from.startsWith(`${folder}/`));
    return owner && exportTarget(owner, owner.manifest['imports'], specifier);
  }

  function throughWorkspace(specifier: string): string | undefined {
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    const target = byName.get(name);
    if (!target) return undefined;
    const rest = specifier.slice(name.length + 1);
    const exported = exportTarget(target, target.manifest['exports'], rest ? `./${rest}` : '.');
    if (exported) return exported;
    if (rest) return fileAt(join(target.folder, rest), files) ?? fileAt(join(target.folder, `src/${rest}`), files);
    const mains = ['source', 'module', 'main', 'types'].flatMap((key) =>
      typeof target.manifest[key] === 'string' ? [target.manifest[key]] : [],
    );
    return first([...mains, 'src/index', 'index'], (main) => sourceFile(join(target.folder, main), files));
  }

  function exportTarget(owner: Package, table: unknown, key: string): string | undefined {
    const target = lookUp(table, key);
    return target === undefined ? undefined : sourceFile(join(owner.folder, target), files);
  }

  return resolve;
}

/** The file a path without or with another extension means, as Node and TypeScript would find it. */
function fileAt(path: string, files: ReadonlySet<string>): string | undefined {
  const source = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const candidates = source === path ? [] : [source, source.replace(/\.ts$/, '.tsx')];
  const found = first([...extensions.map((extension) => path + extension), ...candidates], (candidate) =>
    files.has(candidate) && isJavaScript(candidate) ? candidate : undefined,
  );
  return (
    found ?? first(extensions.slice(1), (extension) => (files.has(`${path}/index${extension}`) ? `${path}/index${extension}` : undefined))
  );
}

/** The source behind a built file: `dist/x.js` is made from `src/x.ts` or `x.ts`. */
function sourceFile(path: string, files: ReadonlySet<string>): string | undefined {
  const bareDts = path.replace(/\.d\.([cm]?)ts$/, '.$1ts');
  return (
    fileAt(bareDts, files) ??
    first(['src/', '', 'lib/'], (folder) => {
      const source = bareDts.replace(/(^|\/)(?:dist|build|lib|out|esm|cjs)\/(?:esm\/|cjs\/|src\/)?/, `$1${folder}`);
      return source === bareDts ? undefined : fileAt(source, files);
    })
  );
}

/** The first string target of a key in an `exports` or `imports` table; conditions in their order, `*` filled. */
function lookUp(table: unknown, key: string): string | undefined {
  if (typeof table === 'string') return key === '.' ? table : undefined;
  if (!isRecord(table)) return undefined;
  if (!Object.keys(table).some((name) => name.startsWith('.') || name.startsWith('#'))) return key === '.' ? firstString(table) : undefined;
  if (Object.hasOwn(table, key)) return firstString(table[key]);
  for (const [pattern, target] of Object.entries(table)) {
    const filled = matchStar(pattern, key);
    if (filled !== undefined) return firstString(target)?.replaceAll('*', filled);
  }
  return undefined;
}

function firstString(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  return isRecord(target) ? first(Object.values(target), firstString) : undefined;
}

/** What `*` stands for when `pattern` matches `key`. */
function matchStar(pattern: string, key: string): string | undefined {
  const star = pattern.indexOf('*');
  if (star === -1) return undefined;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  const fits = key.startsWith(before) && key.endsWith(after) && key.length >= before.length + after.length;
  return fits ? key.slice(before.length, key.length - after.length) : undefined;
}

function throughPaths({ base, paths }: TsConfig, specifier: string, files: ReadonlySet<string>): string | undefined {
  return first(paths, ([pattern, targets]) => {
    const filled = pattern === specifier ? '' : matchStar(pattern, specifier);
    if (filled === undefined) return undefined;
    return first(targets, (target) => fileAt(join(base, target.replace('*', filled)), files));
  });
}

/** `baseUrl` and `paths` of a tsconfig, following `extends` inside the root. */
function readConfig(project: Project, path: string, files: ReadonlySet<string>, depth = 0): TsConfig | undefined {
  const config: unknown = parseJsonc(project.readText(path) ?? '');
  if (!isRecord(config)) return undefined;
  const folder = parentOf(path);
  const options = isRecord(config['compilerOptions']) ? config['compilerOptions'] : {};
  const baseUrl = typeof options['baseUrl'] === 'string' ? options['baseUrl'] : undefined;
  const paths = isRecord(options['paths']) ? Object.entries(options['paths']).map(([key, value]) => [key, strings(value)] as const) : [];
  if (paths.length > 0 || baseUrl !== undefined) {
    return { base: join(folder, baseUrl ?? '.'), paths: baseUrl === undefined ? paths : [...paths, ['*', ['*']]] };
  }
  const parents = strings(config['extends']).filter((parent) => parent.startsWith('.'));
  if (depth > 8) return undefined;
  return first(parents, (parent) => {
    const target = [join(folder, parent), `${join(folder, parent)}.json`].find((candidate) => files.has(candidate));
    return target === undefined ? undefined : readConfig(project, target, files, depth + 1);
  });
}

function readPackages(project: Project): readonly Package[] {
  const packages = project
    .list()
    .filter((path) => path === 'package.json' || path.endsWith('/package.json'))
    .map((path): Package => {
      const manifest: unknown = parseJsonc(project.readText(path) ?? '');
      const record = isRecord(manifest) ? manifest : {};
      return { folder: parentOf(path), name: typeof record['name'] === 'string' ? record['name'] : undefined, manifest: record };
    });
  return packages.sort((a, b) => b.folder.length - a.folder.length);
}

function strings(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first<Item, Answer>(items: readonly Item[], answer: (item: Item) => Answer | undefined): Answer | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The folder of a root-relative path; `` for the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Joins root-relative paths and resolves `.` and `..`; what leaves the root keeps its `..` and so names no file. */
export function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  return parts.join('/');
}
