import { type Known, written } from '../known.ts';
import type { CountedPool, Database, Deployment, Pooler, Service, Target } from './model.ts';
import { placeOf, type Place } from '@poolcheck/parsers/text';

/** What numbers are turned in. */
export type Turnable = Pick<Deployment, 'services' | 'poolers' | 'databases'>;

/** What of a deployment can be turned, by what has it. */
export const knobs = {
  services: ['instances', 'processes', 'pool'],
  poolers: ['instances', 'connections'],
  databases: ['max_connections'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Owner = keyof typeof knobs;

/** A number of a deployment by name: `services.api.instances`. */
export interface Knob {
  readonly owner: Owner;
  readonly name: string;
  readonly setting: string;
}

export function showKnob({ owner, name, setting }: Knob): string {
  return `${owner}.${name}.${setting}`;
}

/** Reads `services.api.instances`; undefined when nothing of that kind can be turned. Names may have dots in them. */
export function parseKnob(text: string): Knob | undefined {
  const [, owner = '', name = '', setting = ''] = /^([a-z]+)\.(.+)\.([a-z_]+)$/.exec(text) ?? [];
  const settings: readonly string[] = isOwner(owner) ? knobs[owner] : [];
  return isOwner(owner) && settings.includes(setting) ? { owner, name, setting } : undefined;
}

function isOwner(text: string): text is Owner {
  return Object.hasOwn(knobs, text);
}

/** The knobs of a deployment. */
export function knobsOf(deployment: Turnable): readonly Knob[] {
  return (['services', 'poolers', 'databases'] as const).flatMap((owner) =>
    deployment[owner].flatMap(({ name }) => knobs[owner].map((setting) => ({ owner, name, setting }))),
  );
}

/** The deployment with one number changed. */
export function withKnob<Drawn extends Turnable>(deployment: Drawn, knob: Knob, value: number): Drawn {
  const told = (at: Place): Known => written(value, `${showKnob(knob)} = ${value}`, placeOf(at.text, at.range));
  const isMeant = (owner: Owner, { name }: { readonly name: string }) => knob.owner === owner && knob.name === name;
  const databases = new Map(
    deployment.databases.map((each) => [each, isMeant('databases', each) ? { ...each, maxConnections: told(each.at) } : each]),
  );
  const poolers = new Map(
    deployment.poolers.map((each) => [
      each,
      withDatabases(isMeant('poolers', each) ? turnedPooler(each, knob.setting, told(each.at)) : each, databases),
    ]),
  );
  const services = deployment.services.map((each) => {
    const service = isMeant('services', each) ? turnedService(each, knob.setting, told(each.at)) : each;
    const led = <Pool extends CountedPool>(pool: Pool): Pool => ({ ...pool, target: turnedTarget(pool, databases, poolers) });
    return { ...service, pools: service.pools.map(led), foreignPools: service.foreignPools.map(led) };
  });
  return { ...deployment, services, poolers: [...poolers.values()], databases: [...databases.values()] };
}

function turnedService(service: Service, setting: string, value: Known): Service {
  if (setting === 'instances') return { ...service, instances: value, started: value };
  if (setting === 'processes') return { ...service, processes: value };
  const sized = <Pool extends CountedPool>(pool: Pool): Pool => ({ ...pool, size: value });
  return { ...service, pools: service.pools.map(sized), foreignPools: service.foreignPools.map(sized) };
}

function turnedPooler(pooler: Pooler, setting: string, value: Known): Pooler {
  if (setting === 'instances') return { ...pooler, instances: value, started: value };
  return { ...pooler, entries: pooler.entries.map((entry) => ({ ...entry, serverConnections: value })) };
}

type Turned<Of> = ReadonlyMap<Of, Of>;

function withDatabases(pooler: Pooler, databases: Turned<Database>): Pooler {
  return {
    ...pooler,
    entries: pooler.entries.map((entry) => ({ ...entry, database: entry.database && (databases.get(entry.database) ?? entry.database) })),
  };
}

function turnedTarget({ target }: CountedPool, databases: Turned<Database>, poolers: Turned<Pooler>): Target | undefined {
  if (target?.kind === 'database') return { ...target, database: databases.get(target.database) ?? target.database };
  return target && { ...target, pooler: poolers.get(target.pooler) ?? target.pooler };
}
