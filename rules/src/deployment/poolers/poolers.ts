import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { readInt } from '@poolcheck/parsers/pgbouncer/values';
import { placeOf } from '@poolcheck/parsers/text';
import { pgbouncerDefault } from '../../knowledge/pgbouncer.ts';
import { postgresqlDefaults } from '../../knowledge/postgresql.ts';
import { startCommands, withImageVariables } from '../built-image.ts';
import { programName, programsIn } from '../command.ts';
import type { DeclaredServers } from '../../declared.ts';
import type { ContainerFiles } from '../container-files.ts';
import type { DatabaseOf } from '../databases/databases.ts';
import type { Image, ImageOf } from '../images.ts';
import type { Database, PoolerEntry, PoolerRun } from '../model.ts';
import { defaulted, type Known, written } from '../../known.ts';
import { asScale } from '../scale.ts';
import type { Container, Endpoint, Stack } from '../stack.ts';
import { configOf, type ConfiguredDatabase, type PoolerConfig } from './config.ts';
import { assumedEntry, type FoundEntry, readEntry, readMode, serverConnections } from './entries.ts';
import { databaseAt, entryFor, type FoundPooler, type Logins, type Surroundings } from './found.ts';
import { iniDocument, pgbouncerFile } from './ini.ts';
import { otherPooler } from './others.ts';
import { pgbouncerBehaviour } from './pgbouncer.ts';
import { variableDocument } from './variables.ts';

/** The poolers of a stack. */
export function poolersIn(stack: Stack, imageOf: ImageOf, databaseOf: DatabaseOf, declared: DeclaredServers): readonly FoundPooler[] {
  return stack.workloads.flatMap((workload) =>
    workload.containers.flatMap((container) => {
      const image = imageOf(container);
      const endpoint = { workload, container };
      if (image.known?.software === 'pgbouncer') return [foundPooler(endpoint, image, { stack, databaseOf, declared })];
      return otherPooler(endpoint, image, { stack, databaseOf, declared }) ?? [];
    }),
  );
}

function foundPooler(endpoint: Endpoint, image: Image, around: Surroundings): FoundPooler {
  const { workload, container } = endpoint;
  const version = image.version('pgbouncer');
  const files = image.files();
  const told = toldTo(container, image, files);
  const config = told && configOf(told.document);
  const entries = (config?.databases ?? []).flatMap((database) => {
    const entry = config && readEntry(database, config, version);
    return entry ? [{ entry: told.assumed ? assumedEntry(entry) : entry, database: serverOf(database, endpoint, around) }] : [];
  });
  return {
    endpoint,
    entryFor: (database) =>
      entryFor(
        database,
        entries.map(({ entry }) => entry),
      ),
    entryOf: (entry, user) => {
      const isForced = entries.find((each) => each.entry.name === entry.name)?.entry.forcedUser !== undefined;
      return isForced || !config ? entry : withUserMode(entry, user, config);
    },
    complete: (logins) => ({
      name: workload.name,
      software: 'pgbouncer',
      at: container.image ?? container.at,
      version,
      ...asScale(workload),
      maxClients: config && maxClients(config, told.assumed, container),
      run: runOf(container, image, files),
      behaviour: pgbouncerBehaviour(config, version),
      ...(told?.isMade && { document: told.document }),
      entries: entries.map(({ entry, database }) => completeEntry(entry, database, logins.get(entry.name) ?? new Map())),
    }),
  };
}

function runOf(container: Container, image: Image, files: ContainerFiles): PoolerRun {
  const { known, built } = image;
  const programs = startCommands(container, built).flatMap(programsIn);
  const options = programs.filter((program) => programName(program) === 'pgbouncer').flat();
  const reboot = options.find(({ value }) => value === '--reboot' || /^-[a-z]*R[a-z]*$/.test(value));
  return {
    files,
    descriptors: container.descriptors,
    takesOver: reboot && placeOf(reboot.text, reboot.range),
    endsBySigterm: !built && known?.signals === 'handed on' && container.endsBySigterm === true,
  };
}

interface Told {
  readonly document: PgbouncerDocument;
  /** Nothing of it stands in a pgbouncer.ini of the project. */
  readonly isMade: boolean;
  /** What it leaves out may be set where an operator is configured. */
  readonly assumed: boolean;
}

/** The file beats the variables: the entrypoints of the images leave one that is there alone. */
function toldTo(container: Container, image: Image, files: ContainerFiles): Told | undefined {
  if (container.operated) return { ...container.operated, isMade: true };
  const file = pgbouncerFile(container, files);
  if (file === 'unknown') return undefined;
  if (file) return { document: iniDocument(file, files), isMade: false, assumed: false };
  const environment = withImageVariables(container.environment, image.built);
  const document = image.known && variableDocument({ ...container, environment }, image.known);
  return document && { document, isMade: true, assumed: false };
}

/** https://www.pgbouncer.org/config.html#max_client_conn */
function maxClients(config: PoolerConfig, assumesMore: boolean, { at }: Container): Known | undefined {
  const said = config.setting('max_client_conn');
  const byDefault = Number(pgbouncerDefault('max_client_conn', undefined));
  if (!said) return assumesMore ? undefined : defaulted(byDefault, `max_client_conn is not set: ${byDefault}`, at);
  const value = said.value === undefined ? undefined : readInt(said.value);
  return value === undefined ? undefined : written(value, `max_client_conn = ${value}`, said.place);
}

function completeEntry(entry: FoundEntry, database: Database | undefined, logins: Logins): PoolerEntry {
  const { name, at, mode } = entry;
  return { name, at, mode, serverConnections: serverConnections(entry, logins), database };
}

/** A user's own mode beats that of the entry; without a name it may be any user's. */
function withUserMode(entry: PoolerEntry, user: string | undefined, { users }: PoolerConfig): PoolerEntry | undefined {
  if (user === undefined) return [...users.values()].some((each) => each.parameter('pool_mode')) ? undefined : entry;
  const said = users.get(user)?.parameter('pool_mode');
  const mode = said ? readMode(said) : entry.mode;
  return mode && { ...entry, mode };
}

function serverOf(database: ConfiguredDatabase, { workload }: Endpoint, around: Surroundings): Database | undefined {
  const host = database.parameter('host') ?? { value: 'localhost' };
  const port = database.parameter('port') ?? { value: String(postgresqlDefaults.port) };
  if (host.value === undefined || port.value === undefined) return undefined;
  return databaseAt(host.value, Number.parseInt(port.value, 10), workload, around);
}
