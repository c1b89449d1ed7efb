import type { Place } from '@poolcheck/parsers/text';
import { mysqlDefaults, postgresqlDefaults } from '../../../knowledge/postgresql.ts';
import { assumed, either, type Known, written } from '../../../known.ts';
import type { Project } from '../../../project.ts';
import { evaluate, type Environment, type Setting } from '../../../source/setting.ts';
import { addressOfSetting, type PoolAddress } from '../addresses.ts';
import type { ForeignPool } from '../../model.ts';
import type { Run } from '../runs.ts';

/** A pool of code that is not JavaScript, before it is known what answers at its address. */
export interface FoundForeignPool {
  /** For messages. */
  readonly name: string;
  readonly place: Place;
  /** The most connections that one process opens. */
  readonly size: Known;
  readonly address: PoolAddress | undefined;
  readonly driver?: ForeignPool['driver'];
}

/** What a container runs, as far as configurations are looked for in it. */
export interface ForeignSources {
  /** The folder of the code, root-relative; undefined: it is not in the project, or not known where. */
  readonly folder: string | undefined;
  readonly runs: readonly Run[];
  /** The published image that it is, or is made from. */
  readonly base: string | undefined;
  readonly environment: Environment;
  readonly project: Project;
}

/** Where a URL leads; without a port to that of its server. */
export function addressBehind(url: Setting | undefined, environment: Environment): PoolAddress | undefined {
  const address = url && addressOfSetting(url, environment);
  const scheme = url && evaluate(url, environment)?.map(({ value }) => String(value))[0];
  const { port } = /^(jdbc:)?(mysql|mariadb)/.test(scheme ?? '') ? mysqlDefaults : postgresqlDefaults;
  return address && { ...address, port: address.port ?? port };
}

/** A number of connections as it is set; less than the least means something else. */
export function sizeSet(setting: Setting | undefined, environment: Environment, byDefault: Known, least = 1): Known {
  if (!setting) return byDefault;
  const outcomes = evaluate(setting, environment);
  return outcomes && outcomes.length > 0
    ? either(outcomes.map(({ value, places }) => sizeOf(value, byDefault, least, places[0] ?? setting.place)))
    : assumed(1, Infinity, 'its size is not known', setting.place);
}

function sizeOf(value: unknown, byDefault: Known, least: number, place: Place): Known {
  if (value === undefined || value === null || value === '') return byDefault;
  const size = Number(value);
  return Number.isInteger(size) && size >= least
    ? written(size, `at most ${size} connections`, place)
    : assumed(1, Infinity, 'its size is not known', place);
}
