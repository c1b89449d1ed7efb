import { programName, programsIn } from '../command.ts';
import type { Image, ImageOf } from '../images.ts';
import type { Database } from '../model.ts';
import type { Container, Endpoint } from '../stack.ts';
import { mysqlLimits } from './mysql.ts';
import { postgresqlLimits } from './postgresql.ts';

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
