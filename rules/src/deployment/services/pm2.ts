import { type Word, wordsOf } from '@poolcheck/parsers/shell/words';
import { placeOf, type Place, type Text } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { assumed, defaulted, either, type Known, written } from '../../known.ts';
import type { Program } from '../../source/program.ts';
import { anyEnvironment, evaluate, type Environment, type Literal, type Setting } from '../../source/setting.ts';
import { type Command, programName } from '../command.ts';
import { joinPath } from '../paths.ts';
import { placesOf } from './project-file.ts';
import { dataInSource, dataInYaml, type WrittenData } from './written-data.ts';

/** What PM2 starts and keeps running, in processes of its own. https://pm2.keymetrics.io/docs/usage/application-declaration/ */
export interface Pm2App {
  /** undefined: it is not told in a file. */
  readonly name: string | undefined;
  readonly at: Place;
  readonly command: Command;
  /** Of the project, where it is started. */
  readonly folder: string;
  readonly instances: Setting | undefined;
  readonly variables: ReadonlyMap<string, Setting>;
}

/** What a command of PM2 starts; `unknown` when that stands in a configuration that cannot be read, undefined when it starts nothing. */
export type Pm2AppsOf = (program: Command, folder: string) => readonly Pm2App[] | 'unknown' | undefined;

export interface Pm2Sources {
  readonly program: Program;
  read(path: string): Text | undefined;
}

const names = /^pm2(-runtime|-docker|-dev)?$/;
const starting = /^(start|startOrRestart|startOrReload|startOrGracefulReload|reload|restart)$/;
const isConfiguration = /\.config\.[cm]?js$|\.(json|ya?ml)$/;

/** Options whose value is the next word. */
const withValue =
  /^(-i|--instances|-n|--name|--env|--only|--interpreter|--node-args|--interpreter-args|--max-memory-restart|-o|--output|-e|--error|-l|--log|-p|--pid|--cwd|--namespace|--kill-timeout|--exp-backoff-restart-delay|--restart-delay|--delay|--secret|--public|--machine-name)$/;

export function pm2AppsIn(sources: Pm2Sources): Pm2AppsOf {
  return (program, folder) => {
    if (!names.test(programName(program))) return undefined;
    const given = argumentsOf(program);
    const [verb, ...others] = given.words;
    const isVerb = verb !== undefined && starting.test(verb.value);
    if (programName(program) === 'pm2' && !isVerb) return undefined;
    const script = isVerb ? others[0] : verb;
    const path = script?.value ?? 'ecosystem.config.js';
    if (script?.expands) return 'unknown';
    // A count on the command line is passed over beside a configuration.
    if (isConfiguration.test(path)) return appsOfConfiguration(path, folder, given, sources);
    return script ? [appOfScript(script, folder, given)] : undefined;
  };
}

interface Arguments {
  readonly words: readonly Word[];
  readonly options: ReadonlyMap<string, Word>;
  /** After `--`: they are for what is started. */
  readonly rest: Command;
}

function argumentsOf(program: Command): Arguments {
  const end = program.findIndex(({ value }) => value === '--');
  const own = program.slice(1, end < 0 ? undefined : end);
  const words: Word[] = [];
  const options = new Map<string, Word>();
  for (let at = 0; at < own.length; at++) {
    const word = own[at];
    const [, name, inline] = /^(--[\w-]+|-\w)=?(.*)$/.exec(word?.value ?? '') ?? [];
    if (!word || name === undefined) {
      if (word) words.push(word);
    } else if (inline) options.set(name, { ...word, value: inline });
    else if (withValue.test(name)) {
      const value = own[++at];
      if (value) options.set(name, value);
    }
  }
  return { words, options, rest: end < 0 ? [] : program.slice(end + 1) };
}

function appOfScript(script: Word, folder: string, { options, rest }: Arguments): Pm2App {
  const count = options.get('-i') ?? options.get('--instances');
  const place = count && placeOf(count.text, count.range);
  return {
    name: undefined,
    at: placeOf(script.text, script.range),
    command: commandOf([script, ...rest]),
    folder,
    instances: place && (count.expands ? { kind: 'unknown', place } : { kind: 'literal', value: count.value, place }),
    variables: new Map(),
  };
}

/** A script is run with Node.js, unless it is another program. */
function commandOf(words: Command): Command {
  const [first] = words;
  if (!first || launchers.test(programName(words))) return words;
  return [{ ...first, value: 'node' }, ...words];
}

const launchers = /^(npm|yarn|pnpm|bun|npx|node|next|nuxt|tsx|ts-node|nest|(ba)?sh)$/;

function appsOfConfiguration(path: string, folder: string, given: Arguments, sources: Pm2Sources): readonly Pm2App[] | 'unknown' {
  const root = placesOf(path, folder)
    .map((each) => configurationAt(each, sources))
    .find((each) => each !== undefined);
  const only = given.options.get('--only')?.value.split(',');
  const listed = root && (root.kind === 'array' ? root : (root.get('apps') ?? root));
  const apps = (listed?.kind === 'array' ? listed.items() : listed ? [listed] : []).map((app) => appOf(app, folder, given));
  const known = apps.filter((app) => app !== undefined);
  if (known.length === 0 || known.length < apps.length) return 'unknown';
  return only ? known.filter(({ name }) => name !== undefined && only.includes(name)) : known;
}

function configurationAt(path: string, { program, read }: Pm2Sources): WrittenData | undefined {
  if (!/\.[cm]?js$/.test(path)) {
    const text = read(path);
    const root = text && parseYaml(text).document[0]?.root;
    return root && dataInYaml(root);
  }
  const module = program.module(path);
  const node = module && (module.exports.whole ?? defaultOf(module));
  return module && node && dataInSource({ node, module }, program.values);
}

function defaultOf({ exports }: NonNullable<ReturnType<Program['module']>>) {
  const exported = exports.named.get('default');
  return exported?.kind === 'local' ? exported.node : undefined;
}

function appOf(app: WrittenData, folder: string, { options }: Arguments): Pm2App | undefined {
  const script = app.kind === 'object' ? app.get('script') : undefined;
  const path = script && textOf(script);
  if (!script || path === undefined) return undefined;
  const cwd = app.get('cwd');
  const own = cwd && textOf(cwd);
  const name = app.get('name');
  const environment = options.get('--env')?.value;
  const variables = ['env', ...(environment === undefined ? [] : [`env_${environment}`])].flatMap((each) => app.get(each)?.entries() ?? []);
  return {
    name: name && textOf(name),
    at: app.at,
    command: commandOf([wordAt(script.at, path), ...argumentWords(app.get('args'))]),
    // An absolute path is one of the image.
    folder: own === undefined || own.startsWith('/') ? folder : (joinPath(folder, own) ?? folder),
    instances: app.get('instances')?.setting,
    variables: new Map(variables.map(([variable, { setting }]) => [variable, setting])),
  };
}

function argumentWords(args: WrittenData | undefined): Command {
  if (!args) return [];
  if (args.kind === 'array') return args.items().map((item) => wordAt(item.at, textOf(item) ?? ''));
  const line = textOf(args);
  return line === undefined ? [] : wordsOf({ path: args.at.text.path, content: line }).map(({ value }) => wordAt(args.at, value));
}

function wordAt({ text, range }: Place, value: string): Word {
  return { text, range, value, expands: false };
}

function textOf({ setting }: WrittenData): string | undefined {
  const outcomes = evaluate(setting, anyEnvironment) ?? [];
  return outcomes.length === 1 && typeof outcomes[0]?.value === 'string' ? outcomes[0].value : undefined;
}

/** What PM2 sets for an app stands above what is set around it. */
export function withVariablesOf(app: Pm2App | 'unknown' | undefined, around: Environment): Environment {
  if (app === 'unknown' || !app) return around;
  return (name) => {
    const setting = app.variables.get(name);
    if (!setting) return around(name);
    const [outcome, ...others] = evaluate(setting, around) ?? [];
    return outcome?.value === undefined || outcome.value === null || others.length > 0
      ? { state: 'unknown', place: setting.place }
      : { state: 'set', value: String(outcome.value), place: setting.place };
  };
}

/** How many processes an app runs in. Whether it runs in cluster mode makes no difference. */
export function processesOfApp({ instances, at }: Pm2App, environment: Environment): Known {
  if (!instances) return defaulted(1, 'instances is not set: 1', at);
  const outcomes = evaluate(instances, environment);
  return outcomes && outcomes.length > 0
    ? either(outcomes.map(({ value, places }) => processesFor(value, places[0] ?? instances.place)))
    : assumed(1, Infinity, 'how many processes PM2 starts is not known', instances.place);
}

/** A word is 0, and 0 or less counts from the CPUs of the machine. https://github.com/Unitech/pm2/blob/master/lib/God.js */
function processesFor(value: Literal, place: Place): Known {
  if (value === undefined || value === null) return defaulted(1, 'instances is not set: 1', place);
  const count = typeof value === 'number' ? value : Number.parseInt(String(value), 10) || 0;
  return count >= 1
    ? written(Math.floor(count), `${Math.floor(count)} processes`, place)
    : assumed(1, Infinity, `PM2 starts as many processes as the machine has CPUs (${String(value)})`, place);
}
