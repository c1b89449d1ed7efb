import { folderOf } from '../deployment/paths.ts';
import type { Evidence } from '../known.ts';
import { firstOf } from '../first.ts';
import { lazy, remembered } from '../lazy.ts';
import type { Project } from '../project.ts';
import { around, exactly, parseVersion, showVersion, type VersionRange } from '../version.ts';
import type { Versions } from '../versions.ts';
import { foldersAbove, relativeTo } from './folders.ts';
import { lockedFor, lockfilesIn, type Locked } from './lockfiles.ts';
import { manifestIn, type Wanted } from './manifests.ts';
import { versionsAllowed } from './npm-range.ts';

/** The versions of a package that a file may get. */
export interface Installed {
  readonly versions: VersionRange;
  /** "pg 8.11.3" */
  readonly name: string;
  /** "pg 8.11.3 in package-lock.json" */
  readonly evidence: Evidence;
}

/** Answers which version of a package is installed, as seen from a file. */
export interface Installations {
  /** By the nearest lockfile, else by what the package.json files above ask for, else as it is declared; undefined: not known. */
  of(name: string, file: string): Installed | undefined;
}

/** Reads the lockfiles and package.json files of a project, each once and when it is first needed. */
export function installationsIn(project: Project, declared: Versions): Installations {
  const files = lazy(() => new Set(project.list()));
  const lockfiles = remembered((folder: string) => lockfilesIn(folder, project, files()));
  const manifests = remembered((folder: string) => manifestIn(folder, project, files()));
  const find = (name: string, folder: string): Installed | undefined => {
    const folders = foldersAbove(folder);
    const wanted = firstOf(folders, (each) => manifests(each)(name));
    const root = folders.find((each) => lockfiles(each).length > 0);
    const locked = root === undefined ? undefined : lockedIn(lockfiles(root), name, relativeTo(root, folder), wanted);
    return locked ?? (wanted && allowedBy(name, wanted)) ?? declaredOf(name, declared);
  };
  const answers = remembered((folder: string) => remembered((name: string) => find(name, folder)));
  return { of: (name, file) => answers(folderOf(file))(name) };
}

/** Two lockfiles side by side are both believed. */
function lockedIn(lockfiles: readonly Locked[], name: string, folder: string, wanted: Wanted | undefined): Installed | undefined {
  const found = lockfiles.flatMap((lockfile) =>
    lockedFor(lockfile, name, folder, wanted?.range).flatMap(({ version }) => {
      const parsed = parseVersion(version.value);
      return parsed ? [{ version, text: lockfile.text, versions: exactly(parsed) }] : [];
    }),
  );
  const versions = around(found.map((each) => each.versions));
  const [first] = found;
  if (!versions || !first) return undefined;
  const named = `${name} ${[...new Set(found.map(({ version }) => version.value))].join(' or ')}`;
  const place = { text: first.text, range: first.version.range };
  return { versions, name: named, evidence: { place, says: `${named} in ${first.text.path}` } };
}

function allowedBy(name: string, { range, place }: Wanted): Installed | undefined {
  const versions = versionsAllowed(range);
  return versions && { versions, name: `${name} ${range}`, evidence: { place, says: `${name} ${range} in ${place.text.path}` } };
}

function declaredOf(name: string, declared: Versions): Installed | undefined {
  const version = declared.get(name);
  if (!version) return undefined;
  const named = `${name} ${showVersion(version)}`;
  return { versions: exactly(version), name: named, evidence: { says: `${named} as declared` } };
}
