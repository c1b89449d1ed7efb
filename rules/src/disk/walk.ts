import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type IgnoreRules, parseIgnoreFile } from './ignore-file.ts';
import { isInside, readInside, reasonOf } from './read.ts';

/** The files below a root that are not ignored, and the folders that could not be looked into. */
export interface Walked {
  readonly files: string[];
  readonly folders: Set<string>;
  readonly problems: Map<string, string>;
  /** Of the files that are links inside the root, what they lead to, root-relative. */
  readonly links: Map<string, string>;
}

/** An ignore file's rules, for what lies in `base` ("" or "packages/api/"). */
interface Level {
  readonly base: string;
  readonly rules: IgnoreRules;
}

const depthLimit = 64;

/** Folders of other people's code, and of what tools make; never read unless named. */
const foreignFolders = new Set([
  ...['node_modules', 'bower_components', 'jspm_packages', '.yarn', '.pnpm-store', '.venv', 'venv', 'site-packages'],
  ...['.git', '.hg', '.svn', '.jj', '.next', '.nuxt', '.output', '.svelte-kit', '.angular', '.astro', '.docusaurus', '.expo'],
  ...['.turbo', '.parcel-cache', '.cache', '.terraform', '.serverless', '.vercel', '.netlify', '.aws-sam', 'cdk.out', '__pycache__'],
]);

/** Beside one of these a folder called `vendor` holds dependencies; elsewhere it may be about vendors. */
const vendoring = ['go.mod', 'composer.json', 'Gemfile'];

const generatedFile = /[.-]min\.[cm]?js$|\.bundle\.js$|\.map$/;

/** Walks the root, or only `from`, heeding `.gitignore` files in it, `.git/info/exclude`, and `ignore`, the user's own patterns. */
export function walk(root: string, ignore: IgnoreRules, from = ''): Walked {
  const walked: Walked = { files: [], folders: new Set(), problems: new Map(), links: new Map() };
  const exclude = from === '' ? ignoreFileAt(root, '', '.git/info/exclude') : [];
  visit({ root, ignore, walked }, from, exclude, 0);
  return walked;
}

interface Walk {
  readonly root: string;
  readonly ignore: IgnoreRules;
  readonly walked: Walked;
}

function visit(walk: Walk, folder: string, outer: readonly Level[], depth: number): void {
  const { root, walked } = walk;
  walked.folders.add(folder);
  if (depth > depthLimit) {
    walked.problems.set(folder, `nested more than ${depthLimit} folders deep: not looked into`);
    return;
  }
  const entries = entriesOf(walk, folder);
  const names = new Set(entries.map((entry) => entry.name));
  const base = folder === '' ? '' : `${folder}/`;
  const levels = names.has('.gitignore') ? [...outer, ...ignoreFileAt(root, base, '.gitignore')] : outer;
  for (const entry of entries) {
    const path = base + entry.name;
    const isFolder = entry.isDirectory();
    if (isForeign(entry, names) || isIgnored(walk, path, isFolder, levels)) continue;
    if (isFolder) visit(walk, path, levels, depth + 1);
    else if (!entry.isSymbolicLink() || !leadsToFolder(walk, path)) walked.files.push(path);
  }
}

function entriesOf({ root, walked }: Walk, folder: string): readonly Dirent[] {
  try {
    return readdirSync(join(root, folder), { withFileTypes: true });
  } catch (error) {
    walked.problems.set(folder, `cannot be looked into: ${reasonOf(error)}`);
    return [];
  }
}

/** A folder that is linked to is checked where it is, if that is inside the root. What leads nowhere is said when it is read. */
function leadsToFolder({ root, walked }: Walk, path: string): boolean {
  try {
    const real = realpathSync.native(join(root, path));
    const isFolder = statSync(real).isDirectory();
    if (!isFolder && isInside(root, real)) walked.links.set(path, relative(root, real).replaceAll(sep, '/'));
    if (isFolder && !isInside(root, real)) walked.problems.set(path, 'link out of the root, which is not followed');
    return isFolder;
  } catch {
    return false;
  }
}

function isForeign(entry: Dirent, siblings: ReadonlySet<string>): boolean {
  if (!entry.isDirectory()) return generatedFile.test(entry.name);
  return foreignFolders.has(entry.name) || (entry.name === 'vendor' && vendoring.some((name) => siblings.has(name)));
}

function ignoreFileAt(root: string, base: string, name: string): readonly Level[] {
  const { text } = readInside(root, base + name);
  return text === undefined ? [] : [{ base, rules: parseIgnoreFile(text) }];
}

/** Of the ignore files the one nearest to the path decides; none takes back what the user ignores. */
function isIgnored({ ignore }: Walk, path: string, isFolder: boolean, levels: readonly Level[]): boolean {
  if (ignore(path, isFolder) === 'ignored') return true;
  for (const { base, rules } of levels.toReversed()) {
    const verdict = rules(path.slice(base.length), isFolder);
    if (verdict) return verdict === 'ignored';
  }
  return false;
}
