import {
  entriesOf,
  get,
  isAbsent,
  itemsOf,
  stringOf,
  type YamlMap,
  type YamlSequence,
  type YamlValue,
} from '@poolcheck/parsers/yaml/value';

/**
 * A strategic merge patch: maps are merged, lists of named things by their names, null deletes, and anything else replaces.
 * https://github.com/kubernetes/community/blob/master/contributors/devel/sig-api-machinery/strategic-merge-patch.md
 */
export function strategicMerge(base: YamlValue, patch: YamlValue): YamlValue {
  return new Merge().of(base, patch);
}

/** One merge. What aliases share is merged once: they can make a small file stand for a huge one. */
class Merge {
  private readonly merged = new Map<YamlValue, Map<YamlValue, YamlValue>>();

  of(base: YamlValue | undefined, patch: YamlValue): YamlValue {
    if (!base) return patch;
    const known = this.merged.get(patch) ?? new Map<YamlValue, YamlValue>();
    this.merged.set(patch, known);
    const result = known.get(base) ?? this.make(base, patch);
    known.set(base, result);
    return result;
  }

  private make(base: YamlValue, patch: YamlValue): YamlValue {
    if (base.kind === 'map' && patch.kind === 'map') return this.maps(base, patch);
    const areLists = base.kind === 'sequence' && patch.kind === 'sequence';
    return areLists && [...base.items, ...patch.items].every(isNamed) ? this.lists(base, patch) : patch;
  }

  private lists(base: YamlSequence, patch: YamlSequence): YamlValue {
    const named = new Map(base.items.map((item) => [nameOf(item), item]));
    const patched = new Set(patch.items.map(nameOf));
    const kept = base.items.filter((item) => !patched.has(nameOf(item)));
    const merged = patch.items.filter((item) => !isDeletion(item)).map((item) => this.of(named.get(nameOf(item)), item));
    return { ...base, items: [...kept, ...merged] };
  }

  private maps(base: YamlMap, patch: YamlMap): YamlValue {
    if (stringOf(get(patch, '$patch')) === 'replace') return patch;
    const patched = new Set(patch.entries.map(({ key }) => key.value));
    const kept = base.entries.filter(({ key }) => !patched.has(key.value));
    const changed = patch.entries.filter(({ value }) => !isAbsent(value));
    return { ...base, entries: [...kept, ...changed.map(({ key, value }) => ({ key, value: this.of(get(base, key.value), value) }))] };
  }
}

function isNamed(value: YamlValue): boolean {
  return nameOf(value) !== undefined;
}

function nameOf(value: YamlValue): string | undefined {
  return stringOf(get(value, 'name'));
}

function isDeletion(value: YamlValue): boolean {
  return stringOf(get(value, '$patch')) === 'delete';
}

/** A JSON patch (RFC 6902) as far as it sets or removes what stands in maps; undefined when it does anything else. */
export function jsonPatch(base: YamlValue, operations: YamlValue): YamlValue | undefined {
  return itemsOf(operations).reduce<YamlValue | undefined>((root, operation) => root && applyOperation(root, operation), base);
}

function applyOperation(root: YamlValue, operation: YamlValue): YamlValue | undefined {
  const kind = stringOf(get(operation, 'op'));
  const path = stringOf(get(operation, 'path'))?.split('/').slice(1).map(unescapePointer);
  const value = kind === 'remove' ? undefined : get(operation, 'value');
  if (!path || (kind !== 'remove' && ((kind !== 'add' && kind !== 'replace') || !value))) return undefined;
  return set(root, path, value);
}

function unescapePointer(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The value with another one at a path through maps; undefined removes it. The result is undefined when the path leads elsewhere. */
export function set(root: YamlValue, [name, ...rest]: readonly string[], value: YamlValue | undefined): YamlValue | undefined {
  if (root.kind !== 'map' || name === undefined) return undefined;
  const before = entriesOf(root).findLast(({ key }) => key.value === name);
  const inner = rest.length === 0 ? value : before && set(before.value, rest, value);
  if (rest.length > 0 && !inner) return undefined;
  const others = root.entries.filter(({ key }) => key.value !== name);
  return { ...root, entries: inner ? [...others, { key: before?.key ?? { value: name, range: inner.range }, value: inner }] : others };
}
