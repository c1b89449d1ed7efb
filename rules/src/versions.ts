import type { Text } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { changingPackages } from './knowledge/drivers.ts';
import { type Mistake, mapEntries } from './mistake.ts';
import { didYouMean } from './nearest.ts';
import { parseVersion, type Version } from './version.ts';

/** The versions that a poolcheck.yaml declares, by what has them: they hold where no image or package tells. */
export type Versions = ReadonlyMap<string, Version>;

export const noVersions: Versions = new Map();

/** What a version can be declared of. */
export const versioned: readonly string[] = ['nginx', 'pgbouncer', 'postgresql', ...changingPackages];

/** The versions of a poolcheck.yaml as far as they can be read: the command says what is wrong with it. */
export function versionsIn(text: Text): Versions {
  return readVersions(get(parseYaml(text).document[0]?.root, 'versions'), []);
}

/** Reads `versions` of a poolcheck.yaml; an entry that cannot be read is a mistake, and left out. */
export function readVersions(value: YamlValue | undefined, mistakes: Mistake[]): Versions {
  return new Map(
    mapEntries(value, '"versions"', mistakes).flatMap(({ key, value: written }) => {
      const text = stringOf(written) ?? '';
      const version = /^\d+(\.\d+){0,2}$/.test(text) ? parseVersion(text) : undefined;
      if (!versioned.includes(key.value)) {
        mistakes.push({ at: key.range, message: `no version can be declared of "${key.value}".${didYouMean(key.value, versioned)}` });
        return [];
      }
      if (!version) mistakes.push({ at: written.range, message: `the version of "${key.value}" must be written as "1.24" or "1.24.1"` });
      return version ? [[key.value, version] as const] : [];
    }),
  );
}
