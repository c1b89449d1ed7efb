import { defaultSize } from '../knowledge/size.ts';
import { anyEnvironment, evaluate } from './setting.ts';
import { hostOf, type LeaseSite } from './leases/sites.ts';
import { functionName } from './module.ts';
import type { Module, Node } from './module.ts';
import { poolSiteOf } from './pools.ts';
import type { PoolSite } from './pools.ts';
import type { ResourceValue } from './value.ts';
import type { Values } from './values.ts';

const longest = 48;

/** A node's source on one line, cut where it gets long. */
export function excerpt({ text }: Module, node: Node): string {
  const source = text.content.slice(node.range[0], node.range[1]).replace(/\s+/g, ' ');
  return source.length <= longest ? source : `${source.slice(0, longest - 1)}…`;
}

/** The variable that holds a lease. */
export function nameOfLease({ consumer }: LeaseSite): string {
  return consumer.kind === 'variable' ? consumer.variable.name : 'the connection';
}

/** The function that code stands in, '' outside of all: where a finding about it belongs. */
export function nameOfHost(node: Node): string {
  const host = hostOf(node);
  return (host && functionName(host)) ?? '';
}

/** "pool (10 connections)" with the name and size that the source gives it, else "the pool". */
export function describePool({ origin }: ResourceValue, values: Values): string {
  const site = origin && poolSiteOf(origin.node, origin.module, values);
  if (!site) return 'the pool';
  const name = site.name ?? 'the pool';
  const size = poolSize(site);
  return size === undefined ? name : `${name} (${size} connections)`;
}

/** The size of a pool where the source alone tells it: a constant, or the driver's default. */
export function poolSize({ max, complete, options }: PoolSite): number | undefined {
  if (!max) return complete ? defaultSize(options.max) : undefined;
  const [only, ...others] = evaluate(max, anyEnvironment) ?? [];
  return only && others.length === 0 && typeof only.value === 'number' && only.value > 0 ? only.value : undefined;
}
