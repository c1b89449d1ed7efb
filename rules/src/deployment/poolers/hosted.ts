import { type HostedPooler, hostedPooler } from '../../knowledge/hosted-poolers.ts';
import { assumed, type Source } from '../../known.ts';
import type { Pooler, PoolerEntry, Target } from '../model.ts';
import type { PoolAddress } from '../services/addresses.ts';
import { documentedBehaviour } from './behaviour.ts';

/** The poolers of providers that the addresses of an environment lead to. */
export interface HostedPoolers {
  /** undefined for any other address. */
  targetOf(address: PoolAddress, port: number | undefined): Target | undefined;
  /** Those that were found so far. */
  found(): readonly Pooler[];
}

/** `source` is how sure it is that the addresses are those of the environment. */
export function hostedPoolersOf(source: Source): HostedPoolers {
  const poolers = new Map<string, Hosted>();

  function poolerAt(address: PoolAddress, port: number | undefined): Hosted | undefined {
    const key = `${address.host}:${port}`;
    const pooler = poolers.get(key) ?? readHosted(address, port, source);
    if (pooler) poolers.set(key, pooler);
    return pooler;
  }

  return {
    targetOf: (address, port) => {
      const pooler = poolerAt(address, port);
      const evidence = address.places.slice(0, 1).map((place) => ({ place, says: `connects to ${address.host}` }));
      return pooler && { kind: 'pooler', pooler, entry: pooler.entries[0], evidence };
    },
    found: () => [...poolers.values()],
  };
}

type Hosted = Pooler & { readonly entries: readonly [PoolerEntry] };

function readHosted({ host, places }: PoolAddress, port: number | undefined, source: Source): Hosted | undefined {
  const hosted = hostedPooler(host, port);
  const [at] = places;
  if (!hosted || !at) return undefined;
  const serverConnections = assumed(0, Infinity, 'its size is not known');
  return {
    name: hosted.name,
    software: hosted.software,
    at,
    version: undefined,
    instances: assumed(1, Infinity, 'how many there are is not known'),
    behaviour: documentedBehaviour(hosted.software, { carried: hosted.carriesPrepared, told: undefined, remedy: hosted.remedy }),
    entries: [{ name: '*', at, mode: modeOf(hosted, source), serverConnections, database: undefined }],
  };
}

function modeOf({ mode, isDefault }: HostedPooler, source: Source): PoolerEntry['mode'] {
  return isDefault
    ? { value: mode, source: 'assumed', evidence: { says: `${mode} mode, unless another is chosen` } }
    : { value: mode, source, evidence: { says: `${mode} mode` } };
}
