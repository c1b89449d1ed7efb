import { commandsOf } from '@poolcheck/parsers/shell/words';
import { type Command, programName, programsIn } from '../command.ts';
import { nameOf } from '../paths.ts';
import type { Package, Packages } from './packages.ts';
import type { Pm2AppsOf } from './pm2.ts';

/** What a command is known to start. */
export type Started =
  /** A module of the project. */
  | { readonly kind: 'module'; readonly path: string }
  /** A framework that loads what it finds in the package's folder. */
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'unknown' };

export interface Sources {
  readonly packages: Packages;
  readonly hasFile: (path: string) => boolean;
  readonly pm2Apps: Pm2AppsOf;
}

const unknown: Started = { kind: 'unknown' };
const deepestScript = 5;

/** What a program starts, when it is run in a folder of the project. */
export function startedBy(program: Command, folder: string, sources: Sources, depth = 0): readonly Started[] {
  const name = programName(program);
  if (frameworks.test(name)) return [{ kind: 'folder', folder }];
  const apps = depth < deepestScript ? sources.pm2Apps(program, folder) : undefined;
  if (apps === 'unknown') return [unknown];
  if (apps) return apps.flatMap((app) => startedBy(app.command, app.folder, sources, depth + 1));
  if (name === 'nest') return [moduleAt('src/main.ts', folder, sources)];
  const script = depth < deepestScript ? scriptOf(program, folder, sources.packages) : undefined;
  if (script) {
    const programs = commandsOf(script.text).flatMap(programsIn);
    return programs.flatMap((each) => startedBy(each, script.folder, sources, depth + 1));
  }
  const path = runtimes.test(name) ? scriptPath(program) : undefined;
  return path === undefined ? [] : [moduleAt(path, folder, sources)];
}

const frameworks = /^(next|nuxt|nuxi|remix-serve|react-router-serve|astro|strapi|medusa|directus|keystone|redwood|blitz)$/;
const runtimes = /^(node|nodejs|bun|deno|tsx|ts-node|ts-node-dev|nodemon|swc-node)$/;

/** Options of the runtimes whose value is the next word. */
const withValue = /^(-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|-P|--project|-e|--exec)$/;
const subcommands = /^(run|start|watch)$/;

/** The first word that is neither an option, nor an option's value, nor a subcommand. */
function scriptPath(program: Command): string | undefined {
  for (let at = 1; at < program.length; at++) {
    const value = program[at]?.value ?? '';
    if (withValue.test(value)) at++;
    else if (!value.startsWith('-') && !subcommands.test(value)) return program[at]?.expands ? undefined : value;
  }
  return undefined;
}

/** A script of a package.json. */
export interface Script extends Pick<Package, 'folder'> {
  readonly text: NonNullable<ReturnType<Package['scripts']['get']>>;
}

/** The script of a package.json that `npm run x`, `npm start`, `yarn x`, `pnpm --filter a x` … runs. */
function scriptOf(program: Command, folder: string, packages: Packages): Script | undefined {
  return scriptsOf(program, folder, packages)?.find(({ isOwn }) => isOwn);
}

/** That script, with those that run before and after it. https://docs.npmjs.com/cli/v11/using-npm/scripts#pre--post-scripts */
export function scriptsOf(
  program: Command,
  folder: string,
  packages: Packages,
): readonly (Script & { readonly isOwn: boolean })[] | undefined {
  if (!/^(npm|yarn|pnpm|bun)$/.test(programName(program))) return undefined;
  const words = program.slice(1).map(({ value }) => value);
  const chosen = workspaceIn(words);
  const found = chosen.name === undefined ? packages.in(folder) : packages.named(nameOf(chosen.name));
  const [name] = chosen.rest.filter((word) => !word.startsWith('-') && word !== 'run' && word !== 'run-script');
  if (name === undefined || !found?.scripts.has(name)) return undefined;
  return [`pre${name}`, name, `post${name}`].flatMap((each) => {
    const text = found.scripts.get(each);
    return text ? [{ folder: found.folder, text, isOwn: each === name }] : [];
  });
}

/** `-w a`, `--workspace=a`, `--filter a`, `yarn workspace a`. */
function workspaceIn(words: readonly string[]): { readonly name: string | undefined; readonly rest: readonly string[] } {
  const at = words.findIndex((word) => /^(-w|--workspace|-F|--filter|workspace)(=|$)/.test(word));
  const word = words[at];
  if (word === undefined) return { name: undefined, rest: words };
  const inline = word.split('=')[1];
  return { name: inline ?? words[at + 1], rest: [...words.slice(0, at), ...words.slice(at + (inline === undefined ? 2 : 1))] };
}

/** The source of a module that is run as `dist/main.js`, `/app/services/api/dist/main.js`, `src/main.ts` … */
export function moduleAt(path: string, folder: string, { hasFile }: Pick<Sources, 'hasFile'>): Started {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const places = names.slice(0, -1).map((_, skipped) => names.slice(skipped));
  const inFolder = (candidate: string) => (folder === '' ? candidate : `${folder}/${candidate}`);
  // An absolute path starts with folders of the image, which the project does not have.
  const found = (path.startsWith('/') ? [...places, names.slice(-1)] : [names])
    .flatMap(sourcesOf)
    .flatMap((candidate) => [inFolder(candidate), candidate])
    .find(hasFile);
  return found === undefined ? unknown : { kind: 'module', path: found };
}

const built = /^(dist|build|lib|out|output|\.output|compiled)$/;

/** The sources that a compiled module may come from. */
function sourcesOf(names: readonly string[]): readonly string[] {
  const output = names.findIndex((name) => built.test(name));
  const [before, after] = [names.slice(0, Math.max(0, output)), names.slice(output + 1)];
  const folders =
    output < 0
      ? [names]
      : [names, [...before, 'src', ...after], [...before, ...after], [...before, ...after.slice(0, -1), 'src', ...after.slice(-1)]];
  return folders.map((each) => each.join('/')).flatMap(withExtensions);
}

function withExtensions(path: string): readonly string[] {
  const [, stem = path, kind] = /^(.*)\.([cm]?)[jt]sx?$/.exec(path) ?? [];
  if (kind === undefined)
    return ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].flatMap((extension) => [`${path}.${extension}`, `${path}/index.${extension}`]);
  return [path, ...['ts', 'tsx', 'js', 'jsx'].map((extension) => `${stem}.${kind}${extension}`)];
}
