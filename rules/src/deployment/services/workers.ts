import { placeOf, type Place } from '@poolcheck/parsers/text';
import { type WorkerProgram, workerPrograms } from '../../knowledge/worker-programs.ts';
import { assumed, defaulted, type Known, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import type { Environment } from '../../source/setting.ts';
import { withAssigned } from '../assigned.ts';
import { type Command, programName } from '../command.ts';
import type { Run } from './runs.ts';
import { type Given, lineGiven, optionsGiven, optionsInVariable, variablesGiven, withoutLanguageRunner } from './told-settings.ts';

/** How many processes a program makes of an application in another language; undefined when it is no such program. */
export function workersOf({ program, assigned, folder }: Run, around: Environment, project: Project): Known | undefined {
  const words = withoutLanguageRunner(program);
  const name = programName(words);
  const workers = workerPrograms.find(({ programs }) => programs.includes(name));
  const [first] = words;
  if (!workers || !first) return undefined;
  const place = placeOf(first.text, first.range);
  const environment = withAssigned(around, assigned);
  const options = [...optionsInVariable(workers.moreOptions, environment), ...words.slice(1)];
  if (workers.aloneWith?.test(options.map(({ value }) => value).join(' '))) return defaulted(1, `one process of ${workers.name}`, place);
  const [given] = [
    ...optionsGiven(workers.options, options),
    ...filesGiven(workers, options, { folder, environment, project }),
    ...variablesGiven(workers.variables, environment),
  ];
  return given ? countOf(workers, given, place) : byDefault(workers, place);
}

function byDefault({ name, byDefault: count }: WorkerProgram, place: Place): Known {
  return count === undefined
    ? assumed(1, Infinity, `${name} starts as many processes as the machine has CPUs`, place)
    : defaulted(count, `${name} is not told how many processes to start: ${count}`, place);
}

function countOf({ name }: WorkerProgram, given: Given, place: Place): Known {
  if (given === 'unknown' || !/^\d+$/.test(given.value))
    return assumed(1, Infinity, `how many processes ${name} starts is not known`, place);
  // Without workers the program serves by itself.
  return written(Math.max(1, Number(given.value)), `${given.name} is ${given.value}`, given.place);
}

interface Surroundings {
  readonly folder: string;
  readonly environment: Environment;
  readonly project: Project;
}

/** What a file of settings says: the one that an option names, or those that are read by themselves. */
function filesGiven(workers: WorkerProgram, options: Command, { folder, environment, project }: Surroundings): readonly Given[] {
  const { configOptions = [], configFiles = [], configLine, configVariable, mentions } = workers;
  const [named] = optionsGiven(configOptions, options);
  if (named === 'unknown') return ['unknown'];
  const files = named ? [named.value.replace(/^file:/, '')] : configFiles;
  return files.flatMap((file): readonly Given[] => {
    const at = { file: file.replace(/^\/(usr\/src\/)?(app|src|code)\//, ''), folder, project };
    const line = lineGiven(configLine, at);
    if (!line) return named ? ['unknown'] : [];
    if ('groups' in line) return [{ name: workers.name, value: line.groups[0] ?? '', place: line.place }];
    const variable = lineGiven(configVariable, at);
    if (variable && 'groups' in variable) {
      const [name = '', otherwise = ''] = variable.groups;
      const [set] = variablesGiven([name], environment);
      return [set ?? { name, value: otherwise, place: variable.place }];
    }
    return mentions?.test(line.content) ? ['unknown'] : [];
  });
}
