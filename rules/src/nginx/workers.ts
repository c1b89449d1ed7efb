import type { Level, NginxDocument, Word } from '@poolcheck/parsers/nginx/document';
import { named } from '@poolcheck/parsers/nginx/resolve';
import { placeOf } from '@poolcheck/parsers/text';
import { workerDefaults } from '../knowledge/nginx.ts';
import { assumed, defaulted, written, type Known } from '../known.ts';

/** How many worker processes an nginx starts; what stands in `conf.d` does not know. */
export function workersOf(config: NginxDocument): Known {
  if (config.context !== 'main') return assumed(1, Infinity, 'the main file is not known');
  return countIn(config, 'worker_processes', workerDefaults.processes) ?? assumed(1, Infinity, 'worker_processes is not known');
}

/** How many connections a worker opens at most, those to clients and those to servers together. */
export function workerConnectionsOf(config: NginxDocument): Known | undefined {
  const [events] = config.context === 'main' ? named(config, 'events') : [];
  return events?.block && countIn(events.block, 'worker_connections', workerDefaults.connections);
}

/** undefined: it cannot be told. */
function countIn(level: Level, name: string, byDefault: number): Known | undefined {
  const [directive] = named(level, name);
  const [word] = directive?.args ?? [];
  if (!directive) return level.complete ? defaulted(byDefault, `${name} is not set: ${byDefault}`) : undefined;
  const place = placeOf(directive.text, directive.range);
  if (word?.value === 'auto') return assumed(1, Infinity, `${name} auto: one for each core`, place);
  const count = numberIn(word);
  return count === undefined ? undefined : written(count, `${name} ${count}`, place);
}

/** A word that is a plain number. */
export function numberIn(word: Word | undefined): number | undefined {
  return word && !word.hole && /^\d+$/.test(word.value) ? Number(word.value) : undefined;
}
