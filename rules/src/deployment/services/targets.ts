import type { DeclaredServers } from '../../declared.ts';
import type { Evidence } from '../../known.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { Pooler, ServicePool, Target } from '../model.ts';
import type { DatabaseOf } from '../databases/databases.ts';
import type { HostedPoolers } from '../poolers/hosted.ts';
import type { FoundPooler, Logins } from '../poolers/found.ts';
import type { Stack, Workload } from '../stack.ts';
import { addressOf, type PoolAddress } from './addresses.ts';
import type { Candidate } from './links.ts';
import type { PrismaUrls } from './prisma.ts';

/** Where a pool of a container connects, before the poolers of the stack are complete. */
export type FoundTarget =
  | { readonly kind: 'known'; readonly target: Target }
  | {
      readonly kind: 'in the stack';
      readonly pooler: FoundPooler;
      readonly entry: string;
      readonly user: string | undefined;
      /** The name that the client asks for. */
      readonly database: string | undefined;
      readonly evidence: readonly Evidence[];
    };

export interface FoundPool {
  readonly site: PoolSite;
  readonly address: PoolAddress | undefined;
  readonly target: FoundTarget | undefined;
  readonly opensTo: ServicePool['opensTo'];
}

/** What an address may lead to. */
export interface Servers {
  readonly stack: Stack;
  readonly poolers: readonly FoundPooler[];
  readonly databaseOf: DatabaseOf;
  readonly declared: DeclaredServers;
  readonly hosted: HostedPoolers;
  readonly prisma: PrismaUrls;
}

/** Follows the address of a pool through the stack, and to providers. */
export function findTarget(site: PoolSite, { workload, environment }: Candidate, servers: Servers): FoundPool {
  const address = addressOf(servers.prisma.located(site), environment);
  const port = address?.port ?? site.options.defaultPort;
  const target = address && targetOf({ ...address, port }, workload, servers);
  const endpoint = address && servers.stack.resolve(address.host, port, workload);
  return { site, address, target, opensTo: endpoint && port !== undefined ? { container: endpoint.container.at, port } : undefined };
}

/** What answers at an address, seen from a workload. */
export function targetOf(
  address: PoolAddress,
  from: Workload,
  { stack, poolers, databaseOf, declared, hosted }: Servers,
): FoundTarget | undefined {
  const endpoint = stack.resolve(address.host, address.port, from);
  const evidence = address.places.map((place) => ({ place, says: `connects to ${address.host}` }));
  const database = endpoint ? databaseOf(endpoint) : declared.at(address.host, address.port);
  if (database) return known({ kind: 'database', database, evidence });
  if (!endpoint) return known(hosted.targetOf(address, address.port));
  const pooler = poolers.find((each) => each.endpoint.container === endpoint.container);
  const name = address.database ?? address.user;
  const entry = pooler?.entryFor(name);
  return pooler && entry !== undefined ? { kind: 'in the stack', pooler, entry, user: address.user, database: name, evidence } : undefined;
}

function known(target: Target | undefined): FoundTarget | undefined {
  return target && { kind: 'known', target };
}

/** Who logs in to a pooler, by the entry that serves them. */
export function loginsOf(pooler: FoundPooler, targets: readonly (FoundTarget | undefined)[]): ReadonlyMap<string, Logins> {
  const logins = new Map<string, Map<string, Set<string>>>();
  for (const target of targets) {
    if (target?.kind !== 'in the stack' || target.pooler !== pooler) continue;
    const { entry, user, database = entry } = target;
    const ofEntry = logins.get(entry) ?? new Map<string, Set<string>>();
    const users = ofEntry.get(database) ?? new Set();
    if (user !== undefined) users.add(user);
    logins.set(entry, ofEntry.set(database, users));
  }
  return logins;
}

/** The target once it is known who else logs in. */
export function completeTarget(target: FoundTarget | undefined, poolers: ReadonlyMap<FoundPooler, Pooler>): Target | undefined {
  if (target?.kind !== 'in the stack') return target?.target;
  const pooler = poolers.get(target.pooler);
  const entry = pooler?.entries.find(({ name }) => name === target.entry);
  const own = entry && target.pooler.entryOf(entry, target.user);
  return pooler && own && { kind: 'pooler', pooler, entry: own, evidence: target.evidence };
}
