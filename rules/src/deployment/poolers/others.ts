import type { Image } from '../images.ts';
import { asScale } from '../scale.ts';
import type { Endpoint } from '../stack.ts';
import { documentedBehaviour } from './behaviour.ts';
import { databaseAt, entryFor, type FoundPooler, type Surroundings } from './found.ts';
import { odyssey } from './others/odyssey.ts';
import { pgcat } from './others/pgcat.ts';
import { pgdog } from './others/pgdog.ts';
import { pgpool } from './others/pgpool.ts';
import type { PoolerReader } from './others/read.ts';

/** The poolers besides PgBouncer, by what {@link Image.known} calls them. */
const readers: Readonly<Record<string, PoolerReader>> = { odyssey, pgcat, pgdog, pgpool };

/** The pooler in a container, when it is one of these and its files are in the project. */
export function otherPooler(endpoint: Endpoint, image: Image, around: Surroundings): FoundPooler | undefined {
  const { workload, container } = endpoint;
  const read = readers[image.known?.software ?? '']?.(container, image.files());
  if (!read) return undefined;
  const entries = read.entries.map(({ server, ...entry }) => ({
    ...entry,
    database: server && databaseAt(server.host, server.port, workload, around),
  }));
  const behaviour = documentedBehaviour(read.software, read.prepared);
  return {
    endpoint,
    entryFor: (database) => entryFor(database, entries),
    entryOf: (entry) => entry,
    complete: () => ({
      name: workload.name,
      software: read.software,
      at: container.image ?? container.at,
      version: undefined,
      ...asScale(workload),
      behaviour: { ...behaviour, ...(read.ownState && { lost: () => undefined }) },
      entries,
    }),
  };
}
