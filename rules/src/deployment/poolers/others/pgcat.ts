import { parseToml } from '@poolcheck/parsers/toml/parse';
import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, itemsOf, numberOf, stringOf, type YamlEntry, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { sum } from '../../../known.ts';
import type { PreparedFate } from '../../model.ts';
import { fileNamed, modeOf, type PoolerReader, type ReadEntry, sizeOf, unknownFate } from './read.ts';

/** PgCat. https://github.com/postgresml/pgcat/blob/main/CONFIG.md */
export const pgcat: PoolerReader = (container, files) => {
  const file = fileNamed(/pgcat[^/]*\.toml$/, container, files);
  if (!file) return undefined;
  const { document } = parseToml(file);
  const entries = entriesOf(get(document, 'pools')).flatMap((entry) => entryOf(entry) ?? []);
  return { software: 'pgcat', entries, prepared: preparedIn(document) };
};

/** A server gets as many connections as all users of the pool may have together. */
function entryOf({ key, value: pool }: YamlEntry): ReadEntry | undefined {
  const at = placeOf(pool.text, key.range);
  const users = entriesOf(get(pool, 'users')).map(({ value }) => value);
  const [mode, ...others] = users.map((user) => modeOf([get(user, 'pool_mode'), get(pool, 'pool_mode')], 'pool_mode', 'transaction', at));
  if (!mode || others.some((other) => other?.value !== mode.value)) return undefined;
  const sizes = users.map((user) => sizeOf(get(user, 'pool_size'), 'pool_size', 9, at));
  return { name: key.value, at, mode, serverConnections: sum(sizes), server: primaryOf(entriesOf(get(pool, 'shards'))) };
}

function primaryOf(shards: readonly YamlEntry[]): ReadEntry['server'] {
  const [shard, ...others] = shards;
  if (!shard || others.length > 0) return undefined;
  const servers = itemsOf(get(shard.value, 'servers')).map(itemsOf);
  const [primary, ...more] = servers.filter(([, , role]) => stringOf(role)?.toLowerCase() === 'primary');
  const [host, port] = [stringOf(primary?.[0]), numberOf(primary?.[1])];
  return host === undefined || port === undefined || more.length > 0 ? undefined : { host, port };
}

/** What all pools say, when they say the same, or the general section. */
function preparedIn(document: YamlValue): PreparedFate {
  const pools = entriesOf(get(document, 'pools')).map(({ value }) => get(value, 'prepared_statements_cache_size'));
  const [size, ...others] = pools.map((own) => own ?? get(document, 'general', 'prepared_statements_cache_size'));
  const entries = numberOf(size);
  if (!size || entries === undefined || others.some((other) => numberOf(other) !== entries)) return unknownFate;
  return {
    carried: entries > 0,
    told: { place: placeOf(size.text, size.range), says: `prepared_statements_cache_size = ${entries}` },
    remedy: 'set prepared_statements_cache_size above 0',
  };
}
