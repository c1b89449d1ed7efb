import { commandsOf, type Word } from '@poolcheck/parsers/shell/words';
import { placeOf, textOf, type Place, type Range } from '@poolcheck/parsers/text';
import { type AppServer, appServers, languageRunners } from '../../knowledge/app-servers.ts';
import { defaulted, type Known, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import type { Environment } from '../../source/setting.ts';
import { type Command, programName } from '../command.ts';
import type { ServerProgram } from '../model.ts';
import { joinPath } from '../paths.ts';
import type { Run } from './runs.ts';

/** The programs among those of a container that serve HTTP, as far as it is known how long they keep connections. */
export function serverProgramsIn(runs: readonly Run[], environment: Environment, project: Project): readonly ServerProgram[] {
  return runs.flatMap(({ program, folder }) => {
    const words = withoutRunner(program);
    const name = programName(words);
    const server = appServers.find(({ programs }) => programs.includes(name));
    const [first] = words;
    if (!server || !first) return [];
    const place = placeOf(first.text, first.range);
    const time = timeOf(server, [...words.slice(1), ...moreOptions(server, environment)], place, { environment, folder, project });
    return time ? [{ name: server.name, place, setting: server.setting, keeps: time }] : [];
  });
}

/** `bundle exec puma`, `poetry run gunicorn`, `python -m uvicorn` */
function withoutRunner(program: Command): Command {
  const name = programName(program);
  const subcommand = Object.entries(languageRunners).find(([runner]) => runner === name)?.[1];
  if (subcommand !== undefined && program[1]?.value === subcommand) return withoutRunner(program.slice(2));
  return /^python[\d.]*$/.test(name) && program[1]?.value === '-m' ? program.slice(2) : program;
}

function moreOptions({ moreOptions: name }: AppServer, environment: Environment): Command {
  const variable = name === undefined ? undefined : environment(name);
  if (variable?.state !== 'set') return [];
  const words = commandsOf(textOf(variable.place.text.path, variable.value)).flat();
  return words.map((word) => ({ ...word, ...variable.place }));
}

interface Surroundings {
  readonly environment: Environment;
  readonly folder: string;
  readonly project: Project;
}

/** How long it keeps an idle connection, ms; undefined when that cannot be told, or when it keeps none. */
function timeOf(server: AppServer, options: Command, place: Place, { environment, folder, project }: Surroundings): Known | undefined {
  const { configOptions = [], keepsOnlyWith } = server;
  const hasConfig = options.some(({ value }) => configOptions.some((option) => value === option || value.startsWith(`${option}=`)));
  if (hasConfig || keepsOnlyWith?.test(options.map(({ value }) => value).join(' ')) === false) return undefined;
  const [given] = [...optionsGiven(server, options), ...variablesGiven(server, environment), ...fileGiven(server, folder, project)];
  if (!given) return defaultOf(server, place);
  const milliseconds = given === 'unknown' ? undefined : millisecondsOf(given.value, server.unit);
  return given === 'unknown' || milliseconds === undefined
    ? undefined
    : written(milliseconds, `${given.name} is ${given.value}`, given.place);
}

function defaultOf({ name, byDefault }: AppServer, place: Place): Known | undefined {
  if (!byDefault) return undefined;
  const [low, high] = byDefault;
  return { ...defaulted(low * 1000, `${name} is not told for how long it keeps connections: its default holds`, place), high: high * 1000 };
}

type Given = { readonly name: string; readonly value: string; readonly place: Place } | 'unknown';

/** `--keep-alive 75`, `--keep-alive=75`, `-Dserver.tomcat.keep-alive-timeout=75s` */
function optionsGiven({ options: names }: AppServer, words: readonly Word[]): readonly Given[] {
  return names.flatMap((name): readonly Given[] => {
    const at = words.findLastIndex(({ value }) => value.replace(/^(-D|--)(?=server\.)/, '').split('=')[0] === name);
    const word = words[at];
    if (!word) return [];
    const inline = word.value.includes('=');
    const holder = inline ? word : words[at + 1];
    if (!holder || holder.expands) return ['unknown'];
    const value = inline ? holder.value.slice(holder.value.indexOf('=') + 1) : holder.value;
    return [{ name, value, place: placeOf(holder.text, holder.range) }];
  });
}

function variablesGiven({ variables }: AppServer, environment: Environment): readonly Given[] {
  return variables.flatMap((name): readonly Given[] => {
    const variable = environment(name);
    if (variable.state === 'set') return [{ name, value: variable.value, place: variable.place }];
    return variable.state === 'unknown' && variable.place ? ['unknown'] : [];
  });
}

/** A line of a file that it reads by itself. */
function fileGiven({ configFiles = [], configLine, setting }: AppServer, folder: string, project: Project): readonly Given[] {
  return configFiles.flatMap((file): readonly Given[] => {
    const path = joinPath(folder, file) ?? file;
    const content = project.readText(path);
    const line = content === undefined ? undefined : configLine?.exec(content);
    if (line) return [{ name: setting, value: line[1] ?? '', place: placeOf(textOf(path, line.input), rangeOf(line)) }];
    return content !== undefined && /keepalive|persistent_timeout/.test(content) ? ['unknown'] : [];
  });
}

function rangeOf({ 0: line, index }: RegExpExecArray): Range {
  return { start: index, end: index + line.length };
}

/** https://docs.spring.io/spring-boot/reference/features/external-config.html#features.external-config.typesafe-configuration-properties.conversion.durations */
const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsOf(value: string, unit: AppServer['unit']): number | undefined {
  if (unit === 's') return /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
  const [, number, suffix = ''] = /^(\d+)(ms|s|m|h)?$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) * (units[suffix] ?? 1);
}
