import { type Place, placeOf } from '@poolcheck/parsers/text';
import { isAbsent, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { PoolerSoftware } from '../../../knowledge/poolers.ts';
import { assumed, defaulted, type Known, written } from '../../../known.ts';
import type { ContainerFiles } from '../../container-files.ts';
import type { PoolerEntry, PoolMode, PreparedFate } from '../../model.ts';
import type { Container } from '../../stack.ts';

/** What a pooler other than PgBouncer is told. */
export interface ReadPooler {
  readonly software: PoolerSoftware;
  readonly entries: readonly ReadEntry[];
  readonly prepared: PreparedFate;
  /** It is told something of its own about the state of sessions: what becomes of it is not known. */
  readonly ownState?: boolean;
}

/** What clients get for the name of a database; `*` is the fallback. */
export interface ReadEntry extends Omit<PoolerEntry, 'database'> {
  /** The primary that it connects to; undefined when there is more than one, or none is known. */
  readonly server: { readonly host: string; readonly port: number } | undefined;
}

/** Reads the pooler in a container from its files and variables; undefined when they are not in the project. */
export type PoolerReader = (container: Container, files: ContainerFiles) => ReadPooler | undefined;

export const unknownFate: PreparedFate = { carried: undefined, told: undefined, remedy: undefined };

/** A size that a file sets, or leaves to the pooler. */
export function sizeOf(value: YamlValue | undefined, name: string, byDefault: number, owner: Place): Known {
  if (value === undefined || isAbsent(value)) return defaulted(byDefault, `${name} is not set: ${byDefault}`, owner);
  const size = numberOf(value);
  return size === undefined
    ? assumed(0, Infinity, `${name} is not known`, placeOf(value.text, value.range))
    : written(size, `${name} = ${size}`, value);
}

const modes: readonly PoolMode[] = ['session', 'transaction', 'statement'];

/** The mode that a file sets, the first that does; undefined when it cannot be read. */
export function modeOf(
  values: readonly (YamlValue | undefined)[],
  name: string,
  byDefault: PoolMode,
  owner: Place,
): PoolerEntry['mode'] | undefined {
  const value = values.find((each) => !isAbsent(each));
  if (!value) return { value: byDefault, source: 'defaulted', evidence: { place: owner, says: `${name} is not set: ${byDefault}` } };
  const mode = modes.find((each) => each === stringOf(value)?.toLowerCase());
  return mode && { value: mode, source: 'written', evidence: { place: placeOf(value.text, value.range), says: `${name} = ${mode}` } };
}

/** The file of a container whose name ends so, the one it is started with before all others. */
export function fileNamed(ending: RegExp, container: Container, files: ContainerFiles) {
  const words = [...(container.entrypoint ?? []), ...(container.command ?? [])].map(({ value }) => value);
  const paths = [...words, ...files.list()].filter((path) => ending.test(path));
  const [found] = paths.map((path) => files.read(path)).filter((file) => file !== undefined);
  return typeof found === 'object' ? found : undefined;
}
