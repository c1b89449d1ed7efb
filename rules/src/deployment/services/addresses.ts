import type { Place } from '@poolcheck/parsers/text';
import type { PoolSite } from '../../source/pools.ts';
import { evaluate, type Environment, type Literal, type Outcome, type Setting, variablesOf } from '../../source/setting.ts';
import { type Address, parseUrl } from '../address.ts';
import { unknownPart } from '../stack.ts';

/** Where a pool connects from one container, and the places that decide it. */
export interface PoolAddress extends Address {
  readonly places: readonly Place[];
}

/** The address of a pool; undefined when it is not known, or depends on what the source decides while it runs. */
export function addressOf({ target, options, place }: PoolSite, environment: Environment): PoolAddress | undefined {
  const partly = withUnknownParts(environment);
  const url = target.url && only(target.url, partly);
  if (target.url && !url) return undefined;
  if (url && typeof url.value === 'string' && url.value !== '') return addressOfUrl(url.value, url.places.slice(0, 1));
  const host = part(target.host, options.environment?.host, partly, place);
  const port = part(target.port, options.environment?.port, partly, place);
  const database = part(target.database, options.environment?.database, partly, place);
  const user = part(undefined, options.environment?.user, partly, place);
  if (!host || !port || (typeof host.value === 'string' && host.value.includes(unknownPart))) return undefined;
  return {
    host: textOf(host.value) ?? 'localhost',
    port: portOf(port.value),
    database: textOf(database?.value),
    user: textOf(user?.value),
    parameters: new Map(),
    places: [...host.places.slice(0, 1), ...port.places.slice(0, 1)],
  };
}

/** The address that a URL leads to; undefined when its host is not known. JDBC has a scheme of its own around it. */
export function addressOfUrl(url: string, places: readonly Place[]): PoolAddress | undefined {
  const address = parseUrl(url.replace(/^jdbc:/, ''));
  return address && !address.host.includes(unknownPart) ? { ...address, places } : undefined;
}

/** The address that a setting leads to from an environment. */
export function addressOfSetting(setting: Setting, environment: Environment): PoolAddress | undefined {
  const url = only(setting, withUnknownParts(environment));
  return typeof url?.value === 'string' ? addressOfUrl(url.value, url.places.slice(0, 1)) : undefined;
}

/** What a value consists of is known even where a Secret fills it. */
function withUnknownParts(environment: Environment): Environment {
  return (name) => {
    const variable = environment(name);
    return variable.state === 'unknown' && variable.place ? { state: 'set', value: unknownPart, place: variable.place } : variable;
  };
}

function only(setting: Setting, environment: Environment): Outcome | undefined {
  const [first, ...others] = evaluate(setting, environment) ?? [];
  return others.every(({ value }) => value === first?.value) ? first : undefined;
}

/** An option, or else the variable that the driver reads for it. */
function part(setting: Setting | undefined, variable: string | undefined, environment: Environment, place: Place): Outcome | undefined {
  if (setting) return only(setting, environment);
  return variable === undefined ? { value: undefined, places: [] } : only({ kind: 'env', name: variable, place }, environment);
}

function textOf(value: Literal): string | undefined {
  return typeof value === 'string' && value !== '' && !value.includes(unknownPart) ? value : undefined;
}

function portOf(value: Literal): number | undefined {
  const port = Number(value ?? Number.NaN);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

/** The variables that say where a pool connects. */
export function addressVariables({ target, options }: PoolSite): readonly string[] {
  const settings = [target.url, target.host].filter((setting) => setting !== undefined);
  const read = settings.flatMap(variablesOf);
  return settings.length > 0 || options.environment?.host === undefined ? read : [options.environment.host];
}
