import { nearest } from '../nearest.ts';
import type { NamedOptions } from './driver.ts';
import { drivers } from './drivers.ts';

/** What options are about that most drivers have, by one name or another. */
const subjects = ['max', 'min', 'acquireTimeout', 'idleTimeout', 'maxLifetime'] as const;

export type Subject = (typeof subjects)[number];

/** The objects of whose options every one is known; '' is the outermost. */
export function knownObjects(options: NamedOptions): readonly string[] {
  return Object.keys(options.others ?? {});
}

/** Every option that a driver knows in one of those objects. */
export function optionsKnownIn(object: string, options: NamedOptions): readonly string[] {
  const named = [...subjects.flatMap((subject) => options[subject]?.names ?? []), ...Object.values(options.target).flat()];
  return [...(options.others?.[object] ?? []), ...named.flatMap((path) => (objectOf(path) === object ? [nameOf(path)] : []))];
}

/** What somebody means by an option that a driver does not know. */
export interface Meaning {
  readonly subject: Subject | undefined;
  /** Other drivers have it. */
  readonly elsewhere: boolean;
  /** What this driver calls it; undefined when it has nothing of the kind. */
  readonly option: string | undefined;
  /** That stands in the same object and takes the same value. */
  readonly renamable: boolean;
}

/** What an option in one of those objects is meant to be, when that can be told. */
export function meaningOf(name: string, object: string, options: NamedOptions): Meaning | undefined {
  const other = optionElsewhere(name);
  if (!other) return misspelt(name, object, options);
  const { subject, unit } = other;
  const own = options[subject];
  const option = own?.names.find((path) => objectOf(path) === object) ?? own?.names[0];
  const renamable = option !== undefined && objectOf(option) === object && own?.unit === unit;
  return { subject, elsewhere: true, option: renamable ? nameOf(option) : option, renamable };
}

function optionElsewhere(name: string): { readonly subject: Subject; readonly unit: 'ms' | 's' | undefined } | undefined {
  for (const { resources } of drivers) {
    for (const { options } of Object.values(resources)) {
      const subject = options && subjects.find((each) => options[each]?.names.some((path) => nameOf(path) === name));
      if (subject) return { subject, unit: options[subject]?.unit };
    }
  }
  return undefined;
}

/** `idle_timeout_ms` for `idleTimeoutMillis`, or one or two letters wrong. */
function misspelt(name: string, object: string, options: NamedOptions): Meaning | undefined {
  const known = optionsKnownIn(object, options);
  const near = name.length < 6 ? undefined : nearest(name, known, 2);
  const option = near ?? known.find((each) => wordsOf(each) === wordsOf(name));
  if (option === undefined) return undefined;
  const path = object === '' ? option : `${object}.${option}`;
  const subject = subjects.find((each) => options[each]?.names.includes(path));
  return { subject, elsewhere: false, option, renamable: option === near };
}

/** A name without its style and its unit. */
function wordsOf(name: string): string {
  const words = name.replaceAll('_', '').toLowerCase();
  return words.replace(/(milliseconds|millis|ms|seconds|secs|sec)$/, '');
}

const sizeNames: ReadonlySet<string> = new Set(
  'max maxconnections maxpoolsize maximumpoolsize poolsize poolmax connectionlimit maxsize'.split(' '),
);

/** Whether an option, in whatever style, is the size of a pool somewhere. */
export function isSizeName(name: string): boolean {
  return sizeNames.has(wordsOf(name));
}

/** The object that an option stands in: `pool` of `pool.max`. */
export function objectOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** The name of an option in its object: `max` of `pool.max`. */
export function nameOf(path: string): string {
  return path.split('.').at(-1) ?? path;
}
