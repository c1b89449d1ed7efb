import type { Place } from '@poolcheck/parsers/text';
import type { InstalledOptions } from '../../knowledge/installed-options.ts';
import { placeOfNode } from '../../source/module.ts';
import type { PoolSite } from '../../source/pools.ts';
import { anyEnvironment, evaluate, type Environment, type Literal } from '../../source/setting.ts';
import { parseUrl } from '../address.ts';

/** A parameter that a driver sends when it opens a connection. */
export interface StartupParameter {
  readonly name: string;
  /** undefined: not known, but not nothing. */
  readonly value: string | undefined;
  readonly place: Place;
  /** Nobody has written it: the driver sends it by itself. */
  readonly byDefault: boolean;
}

/** The startup parameters of a pool where it runs in an environment; those that may be unset there are left out. */
export function startupParametersOf(site: PoolSite, environment: Environment): readonly StartupParameter[] {
  const { startup } = site.options;
  if (!startup) return [];
  const written = Object.entries(startup.within).flatMap(([object, names]) => writtenIn(site, object, names, environment));
  return [...written, ...inUrl(site, environment), ...sentByDefault(site)];
}

function writtenIn(
  site: PoolSite,
  object: string,
  names: readonly string[] | 'all',
  environment: Environment,
): readonly StartupParameter[] {
  return site.given.writtenIn(object).flatMap(({ name, module, key }) => {
    if (names !== 'all' && !names.includes(name)) return [];
    const setting = site.given.option([object === '' ? name : `${object}.${name}`]);
    const outcomes = setting && evaluate(setting, environment);
    if (!outcomes || outcomes.length === 0 || !outcomes.every(({ value }) => isSent(value))) return [];
    const value = outcomes.length === 1 ? String(outcomes[0]?.value) : undefined;
    return [{ name, value, place: placeOfNode(module, key), byDefault: false }];
  });
}

/** 0, '' and false are what drivers take for nothing. */
function isSent(value: Literal): boolean {
  return Boolean(value);
}

function inUrl({ target, options }: PoolSite, environment: Environment): readonly StartupParameter[] {
  const [outcome] = (target.url && options.startup?.url && evaluate(target.url, environment)) ?? [];
  const [place] = outcome?.places ?? [];
  const address = typeof outcome?.value === 'string' ? parseUrl(outcome.value) : undefined;
  if (!address || !place) return [];
  return [...address.parameters].flatMap(([name, value]) =>
    name !== '' && becomesParameter(name, options) ? [{ name, value, place, byDefault: false }] : [],
  );
}

function becomesParameter(name: string, options: InstalledOptions): boolean {
  const { startup } = options;
  return startup?.url === 'all others' ? !isOption(name, options) : startup?.url?.includes(name) === true;
}

function isOption(name: string, { max, acquireTimeout, idleTimeout, maxLifetime, others, target }: InstalledOptions): boolean {
  const named = [max, acquireTimeout, idleTimeout, maxLifetime].flatMap((option) => option?.names ?? []);
  return [...named, ...(others?.[''] ?? []), ...Object.values(target).flat(), 'sslmode'].includes(name);
}

function sentByDefault({ options, given, place }: PoolSite): readonly StartupParameter[] {
  return (options.startup?.byDefault ?? []).flatMap(({ option, parameter, off }): readonly StartupParameter[] => {
    const setting = given.option([option]);
    if (setting) {
      const outcomes = evaluate(setting, anyEnvironment);
      const isSet = outcomes?.every(({ value }) => value !== off && value !== undefined) === true;
      return isSet ? [{ name: parameter, value: String(outcomes[0]?.value), place: setting.place, byDefault: false }] : [];
    }
    return given.complete ? [{ name: parameter, value: undefined, place, byDefault: true }] : [];
  });
}
