import { type OdysseyEntry, type OdysseyValue, parseOdyssey } from '@poolcheck/parsers/odyssey/parse';
import { type Place, placeOf, type Text } from '@poolcheck/parsers/text';
import { assumed, type Known, sum, written } from '../../../known.ts';
import type { PoolerEntry, PreparedFate } from '../../model.ts';
import { fileNamed, type PoolerReader, type ReadEntry, unknownFate } from './read.ts';

/** Odyssey. https://github.com/yandex/odyssey/blob/master/docs/configuration/rules.md */
export const odyssey: PoolerReader = (container, files) => {
  const file = fileNamed(/odyssey[^/]*\.conf$/, container, files);
  if (!file) return undefined;
  const { document } = parseOdyssey(file);
  const storages = new Map(blocksIn(document.entries, 'storage').map((storage) => [nameOf(storage), storage]));
  const databases = document.complete ? blocksIn(document.entries, 'database') : [];
  return {
    software: 'odyssey',
    entries: databases.flatMap((database) => entryOf(database, storages, file) ?? []),
    prepared: preparedIn(databases, file),
    ownState: routesIn(databases).some((route) => valueIn(route, 'pool_discard')?.value === 'no' || valueIn(route, 'pool_smart_discard')),
  };
};

/** The routes of all users of one database, when they are in one mode. */
function entryOf(database: OdysseyEntry, storages: ReadonlyMap<string, OdysseyEntry>, text: Text): ReadEntry | undefined {
  const at = placeOf(text, (database.values[0] ?? database.name).range);
  const routes = blocksIn(database.block ?? [], 'user');
  const [mode, ...others] = routes.map((route) => modeOf(route, text));
  if (!mode || others.some((other) => other?.value !== mode.value)) return undefined;
  const [storage, ...more] = new Set(routes.map((route) => valueIn(route, 'storage')?.value));
  return {
    name: nameOf(database),
    at,
    mode,
    serverConnections: sum(routes.map((route) => sizeOf(route, at, text))),
    server: storage === undefined || more.length > 0 ? undefined : serverOf(storages.get(storage)),
  };
}

function modeOf(route: OdysseyEntry, text: Text): PoolerEntry['mode'] | undefined {
  const said = valueIn(route, 'pool');
  const value = (['session', 'transaction', 'statement'] as const).find((each) => each === said?.value);
  return said && value && { value, source: 'written', evidence: { place: placeOf(text, said.range), says: `pool "${value}"` } };
}

/** Without a size, or with 0, there is no limit. */
function sizeOf(route: OdysseyEntry, owner: Place, text: Text): Known {
  const said = valueIn(route, 'pool_size');
  const place = said ? placeOf(text, said.range) : owner;
  const size = said && Number(said.value);
  if (!said || size === 0) return { low: 0, high: Infinity, source: 'defaulted', evidence: [{ place, says: 'pool_size is not limited' }] };
  return size !== undefined && Number.isInteger(size)
    ? written(size, `pool_size ${size}`, place)
    : assumed(0, Infinity, 'pool_size is not known', place);
}

function serverOf(storage: OdysseyEntry | undefined): ReadEntry['server'] {
  const host = storage && valueIn(storage, 'host')?.value;
  const port = Number((storage && valueIn(storage, 'port')?.value) ?? 5432);
  return host === undefined || host.includes(',') || !Number.isInteger(port) ? undefined : { host, port };
}

function preparedIn(databases: readonly OdysseyEntry[], text: Text): PreparedFate {
  const said = routesIn(databases).map((route) => valueIn(route, 'pool_reserve_prepared_statement'));
  const [first] = said;
  if (!first || said.some((each) => each?.value !== first.value)) return unknownFate;
  return {
    carried: first.value === 'yes',
    told: { place: placeOf(text, first.range), says: `pool_reserve_prepared_statement ${first.value}` },
    remedy: 'set pool_reserve_prepared_statement to yes',
  };
}

function routesIn(databases: readonly OdysseyEntry[]): readonly OdysseyEntry[] {
  return databases.flatMap(({ block = [] }) => blocksIn(block, 'user'));
}

function blocksIn(entries: readonly OdysseyEntry[], name: string): readonly OdysseyEntry[] {
  return entries.filter((entry) => entry.name.value === name && entry.block);
}

/** `default` is for whatever has no block of its own. */
function nameOf({ values: [value] }: OdysseyEntry): string {
  return value && (value.isQuoted || value.value !== 'default') ? value.value : '*';
}

function valueIn({ block = [] }: OdysseyEntry, name: string): OdysseyValue | undefined {
  return block.findLast((entry) => entry.name.value === name)?.values[0];
}
