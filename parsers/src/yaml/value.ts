import type { Place, Written } from '../text.ts';

/** A YAML value and the place it stands at. Behind an alias it is the anchored value, at the anchor's place. */
export type YamlValue = YamlScalar | YamlMap | YamlSequence | YamlUnknown;

export interface YamlScalar extends Place {
  readonly kind: 'scalar';
  /** The decoded text, whatever type a schema would make of it. */
  readonly value: string;
  readonly style: ScalarStyle;
}

export type ScalarStyle = 'plain' | 'single-quoted' | 'double-quoted' | 'literal' | 'folded';

export interface YamlMap extends Place {
  readonly kind: 'map';
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: Written<string>;
  readonly value: YamlValue;
}

export interface YamlSequence extends Place {
  readonly kind: 'sequence';
  readonly items: readonly YamlValue[];
}

/** Something stands here that cannot be read: a template hole, a tag of one's own, an alias that leads nowhere. */
export interface YamlUnknown extends Place {
  readonly kind: 'unknown';
}

/** One document of a stream. */
export interface YamlDocument {
  readonly root: YamlValue;
  /** Read whole: what is not in it is not set. False with syntax errors, or template actions on lines of their own. */
  readonly complete: boolean;
}

/** The value under a path of keys; below an unknown everything is unknown. The last of equal keys wins. */
export function get(value: YamlValue | undefined, ...path: readonly string[]): YamlValue | undefined {
  let at = value;
  for (const name of path) {
    if (at?.kind === 'unknown') return at;
    at = entriesOf(at).findLast(({ key }) => key.value === name)?.value;
  }
  return at;
}

export function entriesOf(value: YamlValue | undefined): readonly YamlEntry[] {
  return value?.kind === 'map' ? value.entries : [];
}

export function itemsOf(value: YamlValue | undefined): readonly YamlValue[] {
  return value?.kind === 'sequence' ? value.items : [];
}

/** Whether nothing is said: the key is absent, or its value is null. */
export function isAbsent(value: YamlValue | undefined): boolean {
  return value === undefined || (value.kind === 'scalar' && value.style === 'plain' && /^(~|null|)$/i.test(value.value));
}

/** The text of a scalar that is not null. */
export function stringOf(value: YamlValue | undefined): string | undefined {
  return value?.kind === 'scalar' && !isAbsent(value) ? value.value : undefined;
}

/** The number of a scalar, quoted or not. */
export function numberOf(value: YamlValue | undefined): number | undefined {
  const text = stringOf(value);
  return text !== undefined && /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

export function booleanOf(value: YamlValue | undefined): boolean | undefined {
  const text = stringOf(value);
  if (text === undefined || !/^(true|false)$/i.test(text)) return undefined;
  return text.toLowerCase() === 'true';
}
