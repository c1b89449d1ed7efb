import type { Range } from '@poolcheck/parsers/text';
import { isAbsent, stringOf, type YamlEntry, type YamlValue } from '@poolcheck/parsers/yaml/value';

/** What is wrong in a poolcheck.yaml. */
export interface Mistake {
  readonly at: Range;
  readonly message: string;
}

/** The entries of a map, each key once; what is absent has none. */
export function mapEntries(value: YamlValue | undefined, what: string, mistakes: Mistake[]): readonly YamlEntry[] {
  if (value === undefined || isAbsent(value) || stringOf(value) === '') return [];
  if (value.kind !== 'map') {
    mistakes.push({ at: value.range, message: `${what} must be a map` });
    return [];
  }
  const names = value.entries.map(({ key }) => key.value);
  const repeated = value.entries.filter(({ key }, index) => names.indexOf(key.value) < index);
  mistakes.push(...repeated.map(({ key }) => ({ at: key.range, message: `"${key.value}" is written twice` })));
  return value.entries;
}
