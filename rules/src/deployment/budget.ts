import type { Place } from '@poolcheck/parsers/text';
import { type Evidence, type Known, product, show, smallest, sum } from '../known.ts';
import { countedPools } from './counted.ts';
import type { CountedPool, Database, Deployment, Pooler, PoolerEntry, Scale, Service } from './model.ts';
import { type Count, counting } from './scale.ts';

/** What can be open on a database server, and what it accepts. */
export interface Budget {
  readonly database: Database;
  /** The largest first. */
  readonly contributions: readonly Contribution[];
  readonly demand: Known;
  /** For roles that are no superusers. */
  readonly accepts: number;
  /** `maybe-over`: only with terms that were assumed. */
  readonly verdict: 'fits' | 'over' | 'maybe-over';
}

/** What one service, or one entry of a pooler, can have open. */
export interface Contribution {
  readonly name: string;
  /** What runs. */
  readonly of: Scale;
  /** What has the connections to the database: the service, or an entry of a pooler. */
  readonly holder: string;
  readonly at: Place;
  /** What is multiplied, the size of the pools last. */
  readonly factors: readonly Factor[];
  readonly demand: Known;
  readonly evidence: readonly Evidence[];
}

export interface Factor {
  readonly count: Known;
  readonly noun: string;
}

/** "5 instances". */
export function showFactor({ count, noun }: Factor): string {
  return `${show(count)} ${count.high === 1 ? noun : noun + (noun.endsWith('s') ? 'es' : 's')}`;
}

/** What can have connections to a database. */
export type Clients = Pick<Deployment, 'services' | 'poolers'>;

/** The clients of each database, so that nobody else is looked at for its budget. */
export function clientsByDatabase({ databases, services, poolers }: Deployment): ReadonlyMap<Database, Clients> {
  const found = new Map(databases.map((each) => [each, { services: new Set<Service>(), poolers: new Set<Pooler>() }]));
  const databasesOf = ({ entries }: Pooler) => entries.flatMap(({ database }) => database ?? []);
  for (const pooler of poolers) for (const database of databasesOf(pooler)) found.get(database)?.poolers.add(pooler);
  for (const service of services) {
    const targets = countedPools(service).flatMap(({ target }) => target ?? []);
    const reached = targets.flatMap((target) => (target.kind === 'database' ? [target.database] : databasesOf(target.pooler)));
    for (const database of reached) found.get(database)?.services.add(service);
  }
  return new Map([...found].map(([database, clients]) => [database, { services: [...clients.services], poolers: [...clients.poolers] }]));
}

/**
 * Adds up what services and poolers can have open on a server: its limit is for all its databases together. Autoscalers are at their
 * most unless something else is counted.
 */
export function budgetOf(database: Database, { services, poolers }: Clients, count: Count = counting.scaled): Budget {
  const direct = services.flatMap((service) =>
    contributionOf(
      service,
      countedPools(service).filter(({ target }) => target?.kind === 'database' && target.database === database),
      count,
    ),
  );
  const pooled = poolers.flatMap((pooler) =>
    pooler.entries.filter((entry) => entry.database === database).flatMap((entry) => contributionThrough(pooler, entry, services, count)),
  );
  const contributions = [...direct, ...pooled].sort((a, b) => b.demand.low - a.demand.low);
  const { maxConnections, reserved } = database;
  const most = maxConnections.high - reserved.low;
  const certain = sum(contributions.map(({ demand }) => demand).filter(({ source }) => source !== 'assumed'));
  const demand = sum(contributions.map((contribution) => contribution.demand));
  return {
    database,
    contributions: contributions.filter((each) => each.demand.high > 0),
    demand,
    accepts: Number.isFinite(reserved.high) ? maxConnections.low - reserved.high : most,
    verdict: certain.low > most ? 'over' : demand.low > most ? 'maybe-over' : 'fits',
  };
}

/** The clients that services can have connected to a pooler. */
export function clientsOf(pooler: Pooler, services: readonly Service[]): readonly Contribution[] {
  return services.flatMap((service) =>
    contributionOf(
      service,
      countedPools(service).filter(({ target }) => target?.kind === 'pooler' && target.pooler === pooler),
      counting.scaled,
    ),
  );
}

function contributionOf(service: Service, pools: readonly CountedPool[], count: Count): readonly Contribution[] {
  if (pools.length === 0) return [];
  const factors = [
    { count: count(service), noun: 'instance' },
    ...(service.processes.high === 1 ? [] : [{ count: service.processes, noun: 'process' }]),
    { count: sum(largestFirst(pools.map(({ size }) => size))), noun: 'connection' },
  ];
  const demand = product(factors.map(({ count }) => count));
  return [{ name: service.name, of: service, holder: service.name, at: service.at, factors, demand, evidence: demand.evidence }];
}

function largestFirst(sizes: readonly Known[]): readonly Known[] {
  return [...sizes].sort((a, b) => b.low - a.low);
}

/** A pooler opens no more than it is told to, and no more than its clients ask for. */
function contributionThrough(pooler: Pooler, entry: PoolerEntry, services: readonly Service[], count: Count): readonly Contribution[] {
  const clients = services.flatMap((service) =>
    contributionOf(
      service,
      countedPools(service).filter((pool) => isThrough(pool, pooler, entry)),
      count,
    ),
  );
  const factors = [
    { count: count(pooler), noun: 'instance' },
    { count: entry.serverConnections, noun: 'server connection' },
  ];
  const allowed = product(factors.map(({ count }) => count));
  const asked = sum(clients.map(({ demand }) => demand));
  const holder = `${pooler.name} (${entry.name})`;
  if (asked.high <= allowed.low) return clients.map((client) => ({ ...client, holder, name: `${client.name} through ${pooler.name}` }));
  const demand = smallest(allowed, asked);
  return [{ name: holder, holder, of: pooler, at: entry.at, factors, demand, evidence: allowed.evidence }];
}

function isThrough({ target }: CountedPool, pooler: Pooler, entry: PoolerEntry): boolean {
  return target?.kind === 'pooler' && target.pooler === pooler && target.entry.name === entry.name;
}
