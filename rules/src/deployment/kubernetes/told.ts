import { placeOf, type Place } from '@poolcheck/parsers/text';
import { get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { isFilledLater } from './manifest.ts';

/** What is said under a key; undefined: nothing. */
export type Told = { readonly value: string; readonly at: Place } | 'unknown' | undefined;

/** Settings by key. */
export type Settings = (key: string) => Told;

export const noSettings: Settings = () => undefined;

/** The keys of a map: the annotations of an object, the data of a ConfigMap. */
export function settingsIn(map: YamlValue | undefined): Settings {
  return (key) => {
    const value = get(map, key);
    if (!value || isAbsent(value)) return undefined;
    const text = stringOf(value);
    return text === undefined || isFilledLater(text) ? 'unknown' : { value: text, at: placeOf(value.text, value.range) };
  };
}

/** What several say, as far as they agree. */
export function agreed(all: readonly Settings[]): Settings {
  return (key) => {
    const [first, ...others] = all.map((settings) => settings(key));
    return others.every((other) => valueOf(other) === valueOf(first)) ? first : 'unknown';
  };
}

/** The first that says something. */
export function firstOf(...tolds: readonly Told[]): Told {
  return tolds.find((told) => told !== undefined);
}

export function valueOf(told: Told): string | undefined {
  return typeof told === 'object' ? told.value : told;
}
