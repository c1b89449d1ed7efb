import type { Place } from '@poolcheck/parsers/text';
import { assumed, defaulted, either, type Evidence, type Known } from '../../known.ts';
import { showDefaultSize, sizeRead } from '../../knowledge/size.ts';
import { visitBody } from '../../source/functions.ts';
import { hostOf } from '../../source/leases/sites.ts';
import { propertyName } from '../../source/module.ts';
import type { PoolSite } from '../../source/pools.ts';
import { evaluate, type Environment, type Outcome } from '../../source/setting.ts';
import type { PoolAddress } from './addresses.ts';

/** The most connections that a pool opens in one process. One that the function which makes it also ends is most often not there. */
export function poolSize(site: PoolSite, environment: Environment, address: PoolAddress | undefined): Known {
  const size = sizeWhileOpen(site, environment, address);
  return isTemporary(site) ? { ...size, low: 0 } : size;
}

function isTemporary({ node, driver, name }: PoolSite): boolean {
  const host = hostOf(node);
  if (!host || name === undefined) return false;
  const closing = Object.values(driver.resources).flatMap(({ methods }) =>
    Object.keys(methods).filter((each) => methods[each]?.does === 'close'),
  );
  let closed = false;
  visitBody(host, (inner) => {
    if (inner.type !== 'CallExpression' || inner.callee.type !== 'MemberExpression') return;
    const { object } = inner.callee;
    closed ||= object.type === 'Identifier' && object.name === name && closing.includes(propertyName(inner.callee) ?? '');
  });
  return closed;
}

function sizeWhileOpen(site: PoolSite, environment: Environment, address: PoolAddress | undefined): Known {
  const { options, max, driver, place } = site;
  // A connection of its own may be gone before the next one is made.
  if (site.role === 'connection') return { low: 0, high: 1, source: 'written', evidence: [{ place, says: 'a connection of its own' }] };
  const ofEngine = sizeOfEngine(site, address);
  if (ofEngine) return ofEngine;
  if (!options.max) return assumed(1, Infinity, `how many connections ${driver.name} opens is not known`, place);
  if (max) {
    const outcomes = evaluate(max, environment);
    return outcomes ? either(outcomes.map((outcome) => sizeOf(outcome, site))) : assumed(1, Infinity, 'its size is not known', max.place);
  }
  const inUrl = options.urlOptions === true ? options.max.names.find((name) => address?.parameters.has(name)) : undefined;
  if (address && inUrl !== undefined) return sizeOf({ value: address.parameters.get(inUrl), places: address.places }, site);
  // The parameters of a URL are options too.
  if (!site.complete && !address) return assumed(1, Infinity, 'its options are not known', place);
  return sizeByDefault(site, place);
}

/** The pool of an engine that reads the Prisma schema: the URL says how large it is. */
function sizeOfEngine({ options: { engine }, given, driver, place }: PoolSite, address: PoolAddress | undefined): Known | undefined {
  if (!engine || !given.complete || given.at(engine.unless) !== undefined) return undefined;
  const [name, atLeast] = engine.limit;
  const written = address?.parameters.get(name);
  if (!address || written === undefined)
    return assumed(address ? atLeast : 1, Infinity, `${driver.name}'s default depends on the machine`, place);
  const size = Number(written);
  return Number.isInteger(size) && size > 0
    ? { low: size, high: size, source: 'written', evidence: evidenceOf(size, address.places, place) }
    : assumed(1, Infinity, 'its size is not known', place);
}

/** The default, with what decides it where versions differ. */
function sizeByDefault({ options: { max }, driver }: PoolSite, place: Place): Known {
  if (!max?.default) return assumed(1, Infinity, `${driver.name}'s default depends on the machine`, place);
  const size = defaulted(max.default.low, `${driver.name}'s default of ${showDefaultSize(max)}`, place);
  return { ...size, high: max.default.high, evidence: [...size.evidence, ...(max.decidedBy ? [max.decidedBy.evidence] : [])] };
}

function sizeOf({ value, places }: Outcome, site: PoolSite): Known {
  const { max } = site.options;
  const place = places[0] ?? site.place;
  if (!max || value === undefined || value === null) return sizeByDefault(site, place);
  const size = sizeRead(value, max);
  return typeof size === 'number'
    ? { low: size, high: size, source: 'written', evidence: evidenceOf(size, places, place) }
    : assumed(0, Infinity, 'its size is not known', place);
}

/** The deciding place first: a variable's value, then the source that reads it. */
function evidenceOf(size: number, [first, ...others]: readonly Place[], fallback: Place): readonly Evidence[] {
  return [
    { place: first ?? fallback, says: `at most ${size} connections` },
    ...others.map((place) => ({ place, says: 'where the pool reads its size' })),
  ];
}
