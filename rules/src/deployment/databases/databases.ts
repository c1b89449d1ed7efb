import { mysqlDefaults } from '../../knowledge/postgresql.ts';
import { assumed, defaulted, sum, written } from '../../known.ts';
import { programName, programsIn } from '../command.ts';
import type { Image, ImageOf } from '../images.ts';
import type { Database } from '../model.ts';
import type { Container, Endpoint } from '../stack.ts';
import { optionIn, startWords } from './options.ts';
import { type Limits, postgresqlLimits } from './postgresql.ts';

/** Gives the database server that a container is; the same object for the same container. */
export type DatabaseOf = (endpoint: Endpoint) => Database | undefined;

export function databasesIn(imageOf: ImageOf): DatabaseOf {
  const databases = new Map<Container, Database | undefined>();
  return (endpoint) => {
    const { container } = endpoint;
    if (!databases.has(container)) databases.set(container, databaseOf(endpoint, imageOf(container)));
    return databases.get(container);
  };
}

function databaseOf({ workload, container }: Endpoint, image: Image): Database | undefined {
  const { instances } = workload;
  const software = image.known?.software;
  // Several servers behind one name share the connections in a way that nothing says.
  if (instances.low !== 1 || instances.high !== 1 || (software !== 'postgresql' && software !== 'mysql')) return undefined;
  if (!startsServer(container)) return undefined;
  const version = image.version(software);
  const limits = software === 'mysql' ? mysqlLimits(container, image) : postgresqlLimits(container, image, version);
  return { name: workload.name, software, at: container.image ?? container.at, version, ...limits };
}

/** The same image also runs backups and migrations: then its command names another program. */
function startsServer({ entrypoint = [], command = [] }: Container): boolean {
  const programs = programsIn([...entrypoint, ...command]);
  return (
    programs.length === 0 || programs.some((program) => /^(-.*|postgres|mysqld|mariadbd|run\.sh|docker-.*)$/.test(programName(program)))
  );
}

/** The slot that MySQL keeps for an administrator comes on top of `max_connections`. */
const reserved = sum([]);

function mysqlLimits(container: Container, image: Image): Limits {
  const option = optionIn(startWords(container, image), 'max_connections');
  if (option?.value !== undefined && /^\d+$/.test(option.value)) {
    return { maxConnections: written(Number(option.value), `max_connections = ${option.value}`, option.place), reserved };
  }
  const { maxConnections } = mysqlDefaults;
  const isConfigured = option ?? image.built ?? container.mounts.find(({ path }) => /^\/etc\/my(\.cnf|sql)/.test(path));
  return isConfigured || image.known?.maker === 'other'
    ? { maxConnections: assumed(0, Infinity, 'max_connections is not known', container.at), reserved }
    : {
        maxConnections: defaulted(maxConnections, `max_connections is not set: ${maxConnections}`, container.image ?? container.at),
        reserved,
      };
}
