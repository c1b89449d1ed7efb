import { placeOf, type Place } from '@poolcheck/parsers/text';
import { type AppServer, appServers } from '../../knowledge/app-servers.ts';
import { defaulted, type Known, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import type { Environment } from '../../source/setting.ts';
import type { BuiltImage } from '../built-image.ts';
import { type Command, programName } from '../command.ts';
import type { ServerProgram } from '../model.ts';
import type { Run } from './runs.ts';
import { type Given, lineGiven, optionsGiven, optionsInVariable, variablesGiven, withoutLanguageRunner } from './told-settings.ts';

/** The programs among those of a container that serve HTTP, as far as it is known how long they keep connections. */
export function serverProgramsIn(
  runs: readonly Run[],
  built: BuiltImage | undefined,
  environment: Environment,
  project: Project,
): readonly ServerProgram[] {
  return runs.flatMap(({ program, folder }) => {
    const words = withoutLanguageRunner(program);
    const name = programName(words);
    const server = appServers.find(({ programs, copiedFrom }) => programs.includes(name) && isCopied(copiedFrom, built));
    const [first] = words;
    if (!server || !first) return [];
    const place = placeOf(first.text, first.range);
    const time = timeOf(server, [...optionsInVariable(server.moreOptions, environment), ...words.slice(1)], place, {
      environment,
      folder,
      project,
    });
    return time ? [{ name: server.name, place, setting: server.setting, unit: server.unit === 'ms' ? 'ms' : 's', keeps: time }] : [];
  });
}

function isCopied(path: RegExp | undefined, built: BuiltImage | undefined): boolean {
  return !path || built?.copies.some(({ sources }) => sources.some(({ value }) => path.test(value))) === true;
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
  const [given] = [
    ...optionsGiven(server.options, options),
    ...variablesGiven(server.variables, environment),
    ...fileGiven(server, folder, project),
  ];
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

/** A line of a file that it reads by itself. */
function fileGiven({ configFiles = [], configLine, setting }: AppServer, folder: string, project: Project): readonly Given[] {
  return configFiles.flatMap((file): readonly Given[] => {
    const found = lineGiven(configLine, { file, folder, project });
    if (found && 'groups' in found) return [{ name: setting, value: found.groups[0] ?? '', place: found.place }];
    return found && /keepalive|persistent_timeout/.test(found.content) ? ['unknown'] : [];
  });
}

/** https://docs.spring.io/spring-boot/reference/features/external-config.html#features.external-config.typesafe-configuration-properties.conversion.durations */
const units: Readonly<Record<string, number>> = { '': 1, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function millisecondsOf(value: string, unit: AppServer['unit']): number | undefined {
  if (unit === 's') return /^\d+$/.test(value) ? Number(value) * 1000 : undefined;
  // Next.js takes 0 for nothing or for ever, depending on how it is started.
  if (unit === 'ms') return /^[1-9]\d*$/.test(value) ? Number(value) : undefined;
  const [, number, suffix = ''] = /^(\d+)(ms|s|m|h)?$/.exec(value) ?? [];
  return number === undefined ? undefined : Number(number) * (units[suffix] ?? 1);
}
