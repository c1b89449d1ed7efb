import type { Installed } from '../installed/installations.ts';
import { isAllBefore } from '../version.ts';
import { isChanging, packageIn, valueOf, valuesOf, versionOf, type InstalledOf, type Release } from './changing.ts';
import type { PoolOption, PoolOptions, Size, SizeReadings, StartupOptions, UnknownOption } from './driver.ts';

type Resolved = 'max' | 'acquireTimeout' | 'min' | 'unknownOption' | 'startup' | 'since';

/** The options of a pool as all installed versions have them. */
export interface InstalledOptions extends Omit<PoolOptions, Resolved> {
  readonly max: InstalledSize | undefined;
  readonly acquireTimeout:
    | (PoolOption & {
        /** null: for ever. undefined: it depends on the version. */
        readonly default: number | null | undefined;
      })
    | undefined;
  readonly min: (PoolOption & { readonly enforced: { readonly default: number | undefined } | undefined }) | undefined;
  readonly startup: StartupOptions | undefined;
  /** One for each of the versions that differ in it. */
  readonly unknownOption: readonly UnknownOption[];
  /** Options that came with a later release than is installed. */
  readonly later: ReadonlyMap<string, Later>;
}

export interface InstalledSize extends PoolOption {
  /** undefined: it depends on the machine. */
  readonly default: { readonly low: number; readonly high: number } | undefined;
  /** What decides the default, if versions differ in it. */
  readonly decidedBy: Installed | undefined;
  readonly reads: SizeReadings | undefined;
}

export interface Later {
  readonly since: Release;
  readonly installed: Installed;
}

/** What is true of the options of a pool in every version that may be installed. */
export function installedOptions(options: PoolOptions, installed: InstalledOf): InstalledOptions {
  const { since = {}, max, acquireTimeout, min, startup, shares, unknownOption = 'ignored', ...others } = options;
  const later = laterOptions(since, installed);
  const waiting = knownBy(acquireTimeout, later);
  return {
    ...others,
    max: sizeIn(knownBy(max, later), installed),
    acquireTimeout: waiting && { ...waiting, default: valueOf(waiting.default, installed) },
    min: minimumIn(knownBy(min, later), installed),
    idleTimeout: knownBy(others.idleTimeout, later),
    maxLifetime: knownBy(others.maxLifetime, later),
    statementTimeout: knownBy(others.statementTimeout, later),
    clientTimeout: knownBy(others.clientTimeout, later),
    startup: startup && startupIn(startup, later),
    shares: shares && later.has(shares.option) ? undefined : shares,
    unknownOption: [...new Set(valuesOf(unknownOption, installed))],
    later,
  };
}

function laterOptions(since: NonNullable<PoolOptions['since']>, installed: InstalledOf): ReadonlyMap<string, Later> {
  return new Map(
    Object.entries(since).flatMap(([option, release]) => {
      const found = installed(packageIn(release));
      return found && isAllBefore(found.versions, versionOf(release)) ? [[option, { since: release, installed: found }]] : [];
    }),
  );
}

function knownBy<Option extends PoolOption>(option: Option | undefined, later: InstalledOptions['later']): Option | undefined {
  const names = option?.names.filter((name) => !later.has(name)) ?? [];
  return option && names.length > 0 ? { ...option, names } : undefined;
}

function sizeIn(option: PoolOptions['max'], installed: InstalledOf): InstalledSize | undefined {
  if (!option) return undefined;
  const { default: byDefault, reads } = option;
  return {
    ...option,
    default: sizeAround(valuesOf(byDefault, installed)),
    decidedBy: isChanging(byDefault) ? installed(byDefault.package) : undefined,
    reads: valueOf(reads, installed),
  };
}

function sizeAround(sizes: readonly (Size | undefined)[]): InstalledSize['default'] {
  const bounds = sizes.flatMap((size) => (size === undefined ? [] : [typeof size === 'number' ? { low: size, high: size } : size]));
  if (bounds.length < sizes.length) return undefined;
  return { low: Math.min(...bounds.map(({ low }) => low)), high: Math.max(...bounds.map(({ high }) => high)) };
}

function minimumIn(option: PoolOptions['min'], installed: InstalledOf): InstalledOptions['min'] {
  return option && { ...option, enforced: option.enforced && { default: valueOf(option.enforced.default, installed) } };
}

function startupIn({ within, url, byDefault }: StartupOptions, later: InstalledOptions['later']): StartupOptions {
  const isKnown = (option: string) => !later.has(option);
  const named = Object.entries(within).map(
    ([object, names]) =>
      [object, names === 'all' ? names : names.filter((name) => isKnown(object === '' ? name : `${object}.${name}`))] as const,
  );
  return {
    within: Object.fromEntries(named),
    ...(url && { url: url === 'all others' ? url : url.filter(isKnown) }),
    ...(byDefault && { byDefault: byDefault.filter(({ option }) => isKnown(option)) }),
  };
}
