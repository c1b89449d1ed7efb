import type { Driver } from './driver.ts';
import { mysql2 } from './drivers/mysql2.ts';
import { pg } from './drivers/pg.ts';

/** Every driver that poolcheck knows. A new one is a file in `drivers/` and a line here. */
export const drivers: readonly Driver[] = [mysql2, pg];

const bySpecifier = new Map(drivers.flatMap((driver) => Object.keys(driver.packages).map((specifier) => [specifier, driver] as const)));

/** The driver behind a module specifier. */
export function driverOf(specifier: string): Driver | undefined {
  return bySpecifier.get(specifier);
}

/** The specifiers of all drivers. */
export const driverSpecifiers: ReadonlySet<string> = new Set(bySpecifier.keys());
