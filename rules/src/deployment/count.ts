import type { Place } from '@poolcheck/parsers/text';
import { isAbsent, numberOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { assumed, defaulted, type Known, written } from '../known.ts';

/** A count as a manifest has it: written, left to its default (which stands at its owner), or hidden behind a template. */
export function countOf(value: YamlValue | undefined, name: string, byDefault: number, owner: Place): Known {
  if (value === undefined || isAbsent(value)) return defaulted(byDefault, `${name} is not set: ${byDefault}`, owner);
  const count = numberOf(value);
  return count === undefined ? assumed(1, Infinity, `${name} is not known`, value) : written(count, `${name}: ${count}`, value);
}
