import type { Text } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { entriesOf, get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ExportName, WrappedLease, Wrappers } from './knowledge/wrappers.ts';
import type { Mistake } from './mistake.ts';
import { didYouMean } from './nearest.ts';

const example = '"@acme/db#getClient"';

/** The wrappers that a poolcheck.yaml declares, as far as they can be read: the command says what is wrong with it. */
export function wrappersIn(text: Text): Wrappers {
  const root = parseYaml(text).document[0]?.root;
  return readWrappers(get(root, 'leases'), get(root, 'borrows'), []);
}

/** Reads `leases` and `borrows` of a poolcheck.yaml; an entry that cannot be read is a mistake, and left out. */
export function readWrappers(leases: YamlValue | undefined, borrows: YamlValue | undefined, mistakes: Mistake[]): Wrappers {
  return {
    leases: itemsOf(leases, '"leases"', mistakes).flatMap((item) => readLease(item, mistakes) ?? []),
    borrows: itemsOf(borrows, '"borrows"', mistakes).flatMap((item) => readName(item, 'what borrows', mistakes) ?? []),
  };
}

function itemsOf(value: YamlValue | undefined, what: string, mistakes: Mistake[]): readonly YamlValue[] {
  if (!value || isAbsent(value) || stringOf(value) === '') return [];
  if (value.kind === 'sequence') return value.items;
  mistakes.push({ at: value.range, message: `${what} must be a list` });
  return [];
}

function readLease(item: YamlValue, mistakes: Mistake[]): WrappedLease | undefined {
  if (item.kind !== 'map') {
    mistakes.push({ at: item.range, message: `a lease is written as a map: acquire: ${example}, release: "close"` });
    return undefined;
  }
  for (const { key } of entriesOf(item)) {
    if (key.value !== 'acquire' && key.value !== 'release')
      mistakes.push({ at: key.range, message: `unknown key "${key.value}".${didYouMean(key.value, ['acquire', 'release'])}` });
  }
  const { acquire, release } = Object.fromEntries(entriesOf(item).map(({ key, value }) => [key.value, value]));
  for (const [name, value] of Object.entries({ acquire, release }))
    if (!value) mistakes.push({ at: item.range, message: `a lease needs "${name}"` });
  const taking = acquire && readName(acquire, '"acquire"', mistakes);
  const giving = release && readRelease(release, mistakes);
  return taking && giving ? { acquire: taking, release: giving } : undefined;
}

function readRelease(value: YamlValue, mistakes: Mistake[]): WrappedLease['release'] | undefined {
  const text = stringOf(value) ?? '';
  if (text.includes('#')) return readName(value, '"release"', mistakes);
  if (/^[\w$]+$/.test(text)) return text;
  mistakes.push({ at: value.range, message: '"release" must be the name of a method, or a function such as "@acme/db#releaseClient"' });
  return undefined;
}

/** `@acme/db#getClient`; what is before the `#` is what code imports. */
function readName(value: YamlValue, what: string, mistakes: Mistake[]): ExportName | undefined {
  const [, name, path] = /^([^#\s]+)#([\w$]+(?:\.[\w$]+)*)$/.exec(stringOf(value) ?? '') ?? [];
  if (name === undefined || path === undefined) {
    mistakes.push({ at: value.range, message: `${what} must be a package and what it exports, such as ${example}` });
    return undefined;
  }
  if (!/^[./]/.test(name)) return { package: name, path: path === 'default' ? '' : path };
  mistakes.push({ at: value.range, message: `"${name}" is a file: what wrappers in the root do is read from their code` });
  return undefined;
}
