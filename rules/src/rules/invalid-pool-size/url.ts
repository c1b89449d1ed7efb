import { parseUrl } from '../../deployment/address.ts';
import type { Deployment } from '../../deployment/model.ts';
import { isSizeName } from '../../knowledge/options.ts';
import { defaultSize, sizeRead } from '../../knowledge/size.ts';
import type { PoolSite } from '../../source/pools.ts';
import { evaluate, type Environment, type Outcome, type Setting } from '../../source/setting.ts';
import { effectOf, servicesOf, type SizeFault } from './fault.ts';

/** The first size in the query of a pool's URL that does not become its size. */
export function sizeLostInUrl(site: PoolSite, deployments: readonly Deployment[]): SizeFault | undefined {
  const { url } = site.target;
  if (!url) return undefined;
  for (const environment of environmentsOf(site, deployments)) {
    for (const outcome of evaluate(url, environment) ?? []) {
      for (const [name, value] of queryOf(outcome)) {
        const fault = isSizeName(name) ? faultOf(name, value, site) : undefined;
        if (fault) return { ...fault, related: setElsewhere(outcome, url) };
      }
    }
  }
  return undefined;
}

/** With every variable a name in the URL, with none of them, and in the services that are known. */
function environmentsOf(site: PoolSite, deployments: readonly Deployment[]): readonly Environment[] {
  return [
    () => ({ state: 'set', value: 'host', place: site.place }),
    () => ({ state: 'unset' }),
    ...servicesOf(site, deployments).map(({ environment }) => environment),
  ];
}

function queryOf({ value }: Outcome): Iterable<readonly [name: string, value: string]> {
  return (typeof value === 'string' ? parseUrl(value)?.parameters : undefined) ?? [];
}

function faultOf(name: string, value: string, { max, options }: PoolSite): Omit<SizeFault, 'related'> | undefined {
  const { sizeInUrl, max: option } = options;
  if (!sizeInUrl || !option) return undefined;
  const written = `${name}=${value}`;
  switch (option.names.includes(name) ? sizeInUrl.own : sizeInUrl.other) {
    case 'ignored':
      return max ? undefined : { effect: 'ignored', severity: 'warning', written };
    case 'sent to the server':
      return { effect: 'sent', severity: 'error', written };
    case 'read as text': {
      const read = max ? undefined : sizeRead(value, option);
      if (read === undefined || read === Number(value)) return undefined;
      return { effect: effectOf(read, defaultSize(option)), severity: 'error', written: `the text '${value}' of its URL` };
    }
  }
}

/** The URL may stand in another file, where a variable is set. */
function setElsewhere({ places: [first] }: Outcome, { place }: Setting) {
  return first && first.text !== place.text ? [{ at: first, message: 'the URL is set here' }] : [];
}
