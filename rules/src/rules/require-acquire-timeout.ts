import type { Fix } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { poolSize } from '../source/describe.ts';
import type { Module, TSESTree } from '../source/module.ts';
import type { PoolSite } from '../source/pools.ts';
import { anyEnvironment, evaluate, type Setting } from '../source/setting.ts';
import { unknownOptions } from '../source/unknown-options.ts';

const timeoutInFix = 5_000;

export default moduleRule({
  id: 'require-acquire-timeout',
  severity: 'warning',
  summary: 'A pool lets callers wait for ever for a free connection.',
  messages: {
    missing:
      '{pool} has no {option}: once {connections} taken, or the database does not answer, callers wait for ever and nothing is logged.',
    zero: '{option} of {pool} is 0, which means for ever: once {connections} taken, callers wait without an error.',
  },
  *check(module, program) {
    for (const site of program.pools) {
      const option = site.options.acquireTimeout;
      if (site.module !== module || option?.default !== null) continue;
      const message = waitsForEver(site);
      if (!message) continue;
      const [name = ''] = option.names;
      yield {
        at: site.place,
        message,
        data: { pool: site.name ?? 'The pool', option: name, connections: connectionsOf(site) },
        ...(message === 'zero' && site.acquireTimeout
          ? { related: [{ at: site.acquireTimeout.place, message: 'set to 0 here' }] }
          : { fixes: addOption(site, name, option.unit === 's' ? timeoutInFix / 1000 : timeoutInFix) }),
      };
    }
  },
});

function connectionsOf(site: PoolSite): string {
  const size = poolSize(site);
  if (size === 1) return 'its only connection is';
  return size === undefined ? 'all of its connections are' : `all ${size} connections are`;
}

function waitsForEver(site: PoolSite): 'missing' | 'zero' | undefined {
  if (site.acquireTimeout) return isZero(site.acquireTimeout) ? 'zero' : undefined;
  return site.complete && !isMisnamed(site) ? 'missing' : undefined;
}

/** It is there under a name that the driver does not know: unknown-pool-option says so. */
function isMisnamed(site: PoolSite): boolean {
  return unknownOptions(site).some(({ meaning }) => meaning?.subject === 'acquireTimeout');
}

function isZero(setting: Setting): boolean {
  const outcomes = evaluate(setting, anyEnvironment);
  return outcomes !== undefined && outcomes.every(({ value }) => value === 0 || value === undefined);
}

/** The option added to the object that the construction is given in place. */
function addOption({ node, module }: PoolSite, option: string, value: number): readonly Fix[] {
  const [argument] = node.arguments;
  const written = `${option}: ${String(value).replace(/\B(?=(\d{3})+$)/, '_')}`;
  const at = argument ? intoObject(argument, written, module) : { start: node.range[1] - 1, insert: `{ ${written} }` };
  if (!at) return [];
  const edits = [{ text: module.text, range: { start: at.start, end: at.start }, insert: at.insert }];
  return [{ title: `Set ${option}`, safe: false, edits }];
}

function intoObject(
  argument: TSESTree.CallExpressionArgument,
  written: string,
  { text }: Module,
): { start: number; insert: string } | undefined {
  if (argument.type !== 'ObjectExpression') return undefined;
  const [first] = argument.properties;
  if (!first) return { start: argument.range[0] + 1, insert: ` ${written} ` };
  const [start] = first.range;
  const blank = text.content.slice(argument.range[0] + 1, start);
  return { start, insert: `${written},${blank.includes('\n') ? blank : ' '}` };
}
