import type { Method } from '../../knowledge/driver.ts';
import { propertyName } from '../module.ts';
import type { Node, TSESTree } from '../module.ts';
import type { Facts } from './facts.ts';
import type { LeaseSite } from './sites.ts';

export type Release = Extract<Method, { does: 'release' }>;

/** `done(error)` of callback style. */
export const releaseFunction: Release = { does: 'release', destroys: 'if-argument' };

/** Whether a call gives a lease back as one that the next borrower can have, as far as a path knows. */
export function isHealthyRelease(node: Node | undefined, site: LeaseSite, facts: Facts): boolean {
  const release = node?.type === 'CallExpression' ? releaseBy(node, site) : undefined;
  if (node?.type !== 'CallExpression' || !release || release.destroys === 'always' || release.settles === 'rollback') return false;
  const [argument] = node.arguments;
  if (release.destroys === undefined || !argument) return true;
  const variable = argument.type === 'Identifier' ? site.module.variableOf(argument) : undefined;
  return argument.type === 'Literal' ? !argument.value : variable !== undefined && facts.get(variable)?.truth === false;
}

function releaseBy({ callee }: TSESTree.CallExpression, { lease, callback }: LeaseSite): Release | undefined {
  if (callee.type === 'Identifier') return callback && releaseFunction;
  const method = callee.type === 'MemberExpression' ? lease.resource.methods[propertyName(callee) ?? ''] : undefined;
  return method?.does === 'release' ? method : undefined;
}
