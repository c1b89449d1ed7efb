import { interpolate } from '@poolcheck/parsers/shell/interpolate';
import type { Word } from '@poolcheck/parsers/shell/words';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import { type LockSwitch, migrationTools, type MigrationTool } from '../../knowledge/migration-tools.ts';
import type { Environment } from '../../source/setting.ts';
import { isBefore, parseVersion, type Version } from '../../version.ts';
import { valueIn, withAssigned } from '../assigned.ts';
import { type Command, programName } from '../command.ts';
import type { Container } from '../stack.ts';
import { unknownPart } from '../stack.ts';
import { addressOfSetting, addressOfUrl, type PoolAddress } from '../services/addresses.ts';
import type { PrismaUrls } from '../services/prisma.ts';
import type { Run } from '../services/runs.ts';

/** A program that a container starts to change the schema of a database. */
export interface FoundMigration {
  readonly tool: MigrationTool;
  /** The words that start it, or the image that does. */
  readonly at: Place;
  readonly address: PoolAddress | undefined;
  /** The advisory lock that it holds for its session; undefined: none, or it depends on a version that is not known. */
  readonly lock: string | undefined;
  /** Where the SQL lies that it runs: folders and files, root-relative or as in the container. */
  readonly sources: readonly string[];
  /** Of the project, where it is started. */
  readonly folder: string;
}

export interface MigrationContext {
  /** What starts it: for its image, and its place where no words start it. */
  readonly container: Pick<Container, 'image' | 'at'>;
  readonly environment: Environment;
  readonly prisma: PrismaUrls;
}

/** The migrations among the programs that a container starts. */
export function migrationsIn(runs: readonly Run[], context: MigrationContext): readonly FoundMigration[] {
  return runs.flatMap((run) => {
    const tool = toolOf(run.program, context.container);
    return tool ? [migrationOf(tool, run, context)] : [];
  });
}

/** By the program and a word behind it; what an image starts has its words alone. */
function toolOf(program: Command, { image }: MigrationContext['container']): MigrationTool | undefined {
  const name = programName(program).replace(/(.)@.*$/, '$1');
  const values = program.map(({ value }) => value);
  return migrationTools.find(({ program: pattern, images, commands }) => {
    const isImages = image !== undefined && images?.includes(image.reference.repository) === true;
    return (pattern.test(name) || isImages) && commands.some((words) => stand(words, values));
  });
}

function stand(words: readonly string[], values: readonly string[]): boolean {
  return values.some((_, at) => words.every((word, offset) => values[at + offset] === word));
}

function migrationOf(tool: MigrationTool, run: Run, context: MigrationContext): FoundMigration {
  const environment = withAssigned(context.environment, run.assigned);
  const found = { ...context, environment };
  const address = addressOf(tool, run, found);
  const [first, last] = [run.program[0], run.program.at(-1)];
  const at = first && last && first.text === last.text ? placeOf(first.text, { start: first.range.start, end: last.range.end }) : first;
  return {
    tool,
    at: at ?? context.container.at,
    address,
    lock: lockOf(tool, run.program, address, found),
    sources: optionsOf(run.program, tool.files?.options ?? []).map(({ value }) => value.replace(/^file:\/\//, '')),
    folder: run.folder,
  };
}

function addressOf({ url }: MigrationTool, { program, folder }: Run, { environment, prisma }: MigrationContext): PoolAddress | undefined {
  if (optionsOf(program, url.unlessGiven ?? []).length > 0) return undefined;
  if (url.inPrismaSchema) {
    const setting = prisma.migrate(folder, optionsOf(program, ['--schema'])[0]?.value);
    return setting && addressOfSetting(setting, environment);
  }
  const written =
    optionsOf(program, url.options ?? [])[0] ?? (url.positional && program.find(({ value }) => /^postgres(ql)?:|^\$/.test(value)));
  if (written) return addressOfWord(written, environment);
  const named = optionsOf(program, url.namedBy ?? [])[0]?.value;
  return addressOfVariable(named === undefined ? (url.variables ?? []) : [named], environment);
}

function addressOfVariable(names: readonly string[], environment: Environment): PoolAddress | undefined {
  const variable = names.map(environment).find(({ state }) => state !== 'unset');
  return variable?.state === 'set' ? addressOfUrl(variable.value, [variable.place]) : undefined;
}

/** `$DATABASE_URL` has its value elsewhere. */
function addressOfWord({ text, range, value }: Word, environment: Environment): PoolAddress | undefined {
  const variable = /^\$\{?(\w+)\}?$/.exec(value)?.[1];
  if (variable !== undefined) return addressOfVariable([variable], environment);
  const filled = interpolate(value, (name) => valueIn(environment, name), unknownPart);
  return filled === undefined ? undefined : addressOfUrl(filled, [placeOf(text, range)]);
}

/** The values of options: `--url X`, `--url=X`. */
function optionsOf(program: Command, names: readonly string[]): readonly Word[] {
  return program.flatMap((word, at) => {
    const next = program[at + 1];
    if (names.includes(word.value)) return next ? [next] : [word];
    const name = names.find((each) => word.value.startsWith(`${each}=`));
    return name === undefined ? [] : [{ ...word, value: word.value.slice(name.length + 1) }];
  });
}

function lockOf(
  { lock }: MigrationTool,
  program: Command,
  address: PoolAddress | undefined,
  { container, environment }: MigrationContext,
): string | undefined {
  const isOn = (chosen: LockSwitch | undefined) => chosen !== undefined && isSwitched(chosen, program, address, environment);
  if (!lock || isOn(lock.off)) return undefined;
  const { until } = lock;
  const version = parseVersion(container.image?.reference.tag ?? '');
  return !until || isOlder(version, until.version) || isOn(until.unless) ? lock.function : undefined;
}

function isOlder(version: Version | undefined, than: Version): boolean {
  return version !== undefined && isBefore(version, than);
}

function isSwitched(
  { options = [], variables = {}, parameters = {} }: LockSwitch,
  program: Command,
  address: PoolAddress | undefined,
  environment: Environment,
): boolean {
  const byVariable = Object.entries(variables).some(([name, wanted]) => {
    const variable = environment(name);
    return variable.state === 'unknown'
      ? variable.place !== undefined
      : variable.state === 'set' && (wanted === null || variable.value === wanted);
  });
  const byParameter = Object.entries(parameters).some(([name, wanted]) => address?.parameters.get(name) === wanted);
  return byVariable || byParameter || program.some(({ value }) => options.includes(value));
}
