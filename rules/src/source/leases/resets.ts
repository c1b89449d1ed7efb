import { valuesOf } from '../../knowledge/changing.ts';
import { poolSiteOf } from '../pools.ts';
import { alwaysIs } from '../setting.ts';
import type { Values } from '../values.ts';
import type { LeaseSite } from './sites.ts';

/** Whether giving a lease back may set its session back to how it began, as its pool is told and the installed versions do. */
export function mayReset({ lease: { resource, origin }, module }: LeaseSite, values: Values): boolean {
  if (!resource.resetsOnRelease) return false;
  const { option, default: byDefault } = resource.resetsOnRelease;
  const pool = origin && poolSiteOf(origin.node, origin.module, values);
  const setting = pool?.options.later.has(option) ? undefined : pool?.given.option([option]);
  return setting ? !alwaysIs(setting, [false, undefined]) : valuesOf(byDefault, values.installedFor(module)).includes(true);
}
