import type { Driver, PoolOption, PoolOptions } from './driver.ts';
import { drivers } from './drivers.ts';

/** What options are about that most drivers have, by one name or another. */
const subjects = ['max', 'min', 'acquireTimeout', 'idleTimeout', 'maxLifetime'] as const;

export type Subject = (typeof subjects)[number];

/** Every option that a driver knows; undefined when it may know more. */
export function optionsKnownTo(options: PoolOptions): readonly string[] | undefined {
  if (!options.others) return undefined;
  return [...options.others, ...Object.values(options.target).flat(), ...subjects.flatMap((subject) => options[subject]?.names ?? [])];
}

/** What an option is about. */
export function subjectOf(name: string, options: PoolOptions): Subject | undefined {
  return subjects.find((subject) => options[subject]?.names.includes(name));
}

/** The driver that has an option of this name, and what it is about there. */
export function ownerOf(name: string): { readonly driver: Driver; readonly subject: Subject; readonly option: PoolOption } | undefined {
  for (const driver of drivers) {
    for (const { options } of Object.values(driver.resources)) {
      const subject = options && subjectOf(name, options);
      const option = subject && options[subject];
      if (option) return { driver, subject, option };
    }
  }
  return undefined;
}
