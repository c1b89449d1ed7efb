import { packagedVersion, serverPackages } from '../knowledge/distributions.ts';
import type { KnownImage, Software } from '../knowledge/images.ts';
import { nginxVersionOf } from '../knowledge/nginx.ts';
import { pgbouncerPort } from '../knowledge/pgbouncer.ts';
import { parseVersion, type Version } from '../version.ts';
import { type BuiltImage, startCommands } from './built-image.ts';
import { type Command, programName, programsIn } from './command.ts';
import type { Container } from './stack.ts';

/** A server that a Dockerfile installs, as an image of it: when the container starts that, and nothing else. */
export function installedServer(container: Container, built: BuiltImage): KnownImage | undefined {
  const programs = startCommands(container, built).flatMap(programsIn).map(programName);
  const software = [...serverPackages.keys()].find((each) => programs[0] === each && programs.every((program) => program === each));
  if (!software || !installationOf(built, software)) return undefined;
  return { software, maker: 'other', tags: 'of its own', ...(software === 'pgbouncer' && { port: pgbouncerPort }) };
}

/** The version of a server that a Dockerfile installs: the one that it asks for, or the one that its distribution has. */
export function installedVersion(built: BuiltImage, software: Software): Version | undefined {
  const found = installationOf(built, software);
  if (!found) return undefined;
  const { asked, before } = found;
  if (asked !== '') return /^(=|~=|~)\d/.test(asked) ? versionIn(asked.replace(/^[=~]+/, ''), software) : undefined;
  const isReleases = !before.some(changesSources) && !built.copies.some(({ destination }) => /^\/etc\/ap[tk]\b/.test(destination.value));
  return built.base && isReleases ? packagedVersion(built.base, software) : undefined;
}

/** The version that a tag or the version of a package names. */
export function versionIn(text: string, software: Software): Version | undefined {
  return software === 'nginx' ? nginxVersionOf(text) : parseVersion(text);
}

interface Installation {
  /** What follows the name of the package: `=1.22.1-9`, `~1.26`, or nothing. */
  readonly asked: string;
  /** The commands up to this one. */
  readonly before: readonly Command[];
}

function installationOf({ runs }: BuiltImage, software: Software): Installation | undefined {
  const names = serverPackages.get(software);
  if (!names) return undefined;
  const installed = runs.findLastIndex((command) => isInstall(command) && command.some(({ value }) => names.test(value)));
  const word = runs[installed]?.find(({ value }) => names.test(value));
  if (!word) return undefined;
  return { asked: word.value.replace(names, '$1'), before: runs.slice(0, installed + 1) };
}

/** `apt-get install …`, `apk add …` */
function isInstall(command: Command): boolean {
  const [manager, ...words] = command.slice(command[0]?.value === 'sudo' ? 1 : 0);
  const verb = manager?.value === 'apk' ? 'add' : /^apt(-get)?$/.test(manager?.value ?? '') ? 'install' : undefined;
  return words.some(({ value }) => value === verb);
}

/** Packages may come from elsewhere than the release itself. */
function changesSources(command: Command): boolean {
  return command.some(({ value }) => otherSources.test(value));
}

const otherSources =
  /pgdg|postgresql\.org|nginx\.org|sources\.list|preferences|backports|add-apt-repository|apk\/repositories|@(edge|testing)|^(-t|-X|--(target-release|repository))(=|$)/;
