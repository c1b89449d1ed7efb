import { parsePostgresqlConf } from '@poolcheck/parsers/postgresql/parse';
import { placeOf } from '@poolcheck/parsers/text';
import { assumed, defaulted, type Known, product, written } from '../../../known.ts';
import type { Said } from '../../databases/options.ts';
import { fileNamed, type PoolerReader, unknownFate } from './read.ts';

const byDefault = { num_init_children: 32, max_pool: 4 };

/**
 * Pgpool-II: each of its processes serves one client, and keeps connections for several pairs of user and database.
 * https://www.pgpool.net/docs/latest/en/html/runtime-config-connection-pooling.html; the variables are those of Bitnami's image.
 */
export const pgpool: PoolerReader = (container, files) => {
  const file = fileNamed(/pgpool[^/]*\.conf$/, container, files);
  const settings = file && parsePostgresqlConf(file).document.settings;
  const said = (name: string, variable: string): Said | undefined => {
    const setting = settings?.get(name);
    if (file && setting) return { value: setting.value, place: placeOf(file, setting.range) };
    const set = container.environment(variable);
    return set.state === 'set' ? set : undefined;
  };
  const size = (name: keyof typeof byDefault, variable: string): Known => sizeOf(said(name, variable), name, container.at);
  const processes = size('num_init_children', 'PGPOOL_NUM_INIT_CHILDREN');
  const [first, ...others] = backends(said);
  if (!first) return undefined;
  return {
    software: 'pgpool',
    prepared: unknownFate,
    entries: [
      {
        name: '*',
        at: container.image ?? container.at,
        mode: {
          value: 'session',
          source: 'defaulted',
          evidence: { place: container.at, says: 'Pgpool-II keeps a connection for each session' },
        },
        serverConnections: product([processes, size('max_pool', 'PGPOOL_MAX_POOL')]),
        server: others.length > 0 ? undefined : first,
      },
    ],
  };
};

function sizeOf(said: Said | undefined, name: keyof typeof byDefault, owner: Said['place']): Known {
  if (!said) return defaulted(byDefault[name], `${name} is not set: ${byDefault[name]}`, owner);
  const size = Number(said.value);
  return Number.isInteger(size) ? written(size, `${name} = ${size}`, said.place) : assumed(0, Infinity, `${name} is not known`, said.place);
}

/** `backend_hostname0 = 'db'`, or Bitnami's `0:db:5432,1:replica:5432`. */
function backends(said: (name: string, variable: string) => Said | undefined): readonly { readonly host: string; readonly port: number }[] {
  const nodes = said('', 'PGPOOL_BACKEND_NODES')
    ?.value?.split(',')
    .map((node) => node.split(':'));
  if (nodes) return nodes.flatMap(([, host, port]) => (host ? [{ host, port: Number(port ?? 5432) }] : []));
  return [0, 1].flatMap((index) => {
    const host = said(`backend_hostname${index}`, `PGPOOL_PARAMS_BACKEND_HOSTNAME${index}`)?.value;
    const port = said(`backend_port${index}`, `PGPOOL_PARAMS_BACKEND_PORT${index}`)?.value;
    return host ? [{ host, port: Number(port ?? 5432) }] : [];
  });
}
