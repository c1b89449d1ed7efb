import type { Fix } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { poolSize } from '../source/describe.ts';
import type { TSESTree } from '../source/module.ts';
import type { PoolSite } from '../source/pools.ts';
import { anyEnvironment, evaluate, type Setting } from '../source/setting.ts';

const timeoutInFix = 5_000;

export default moduleRule({
  id: 'require-acquire-timeout',
  severity: 'warning',
  summary: 'A pool lets callers wait for ever for a free connection.',
  messages: {
    missing:
      '{pool} has no {option}: once all {size} connections are taken, or the database does not answer, callers wait for ever and nothing is logged.',
    zero: '{option} of {pool} is 0, which means for ever: once all {size} connections are taken, callers wait without an error.',
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
        data: { pool: site.name ?? 'The pool', option: name, size: poolSize(site) ?? 'its' },
        ...(message === 'zero' && site.acquireTimeout
          ? { related: [{ at: site.acquireTimeout.place, message: 'set to 0 here' }] }
          : { fixes: addOption(site, name, option.unit === 's' ? timeoutInFix / 1000 : timeoutInFix) }),
      };
    }
  },
});

function waitsForEver({ acquireTimeout, complete }: PoolSite): 'missing' | 'zero' | undefined {
  if (acquireTimeout) return isZero(acquireTimeout) ? 'zero' : undefined;
  return complete ? 'missing' : undefined;
}

function isZero(setting: Setting): boolean {
  const outcomes = evaluate(setting, anyEnvironment);
  return outcomes !== undefined && outcomes.every(({ value }) => value === 0 || value === undefined);
}

/** The option added to the object that the construction is given in place. */
function addOption({ node, module }: PoolSite, option: string, value: number): readonly Fix[] {
  const [argument] = node.arguments;
  const insert = `${option}: ${String(value).replace(/\B(?=(\d{3})+$)/, '_')}`;
  const edit = argument ? intoObject(argument, insert) : { start: node.range[1] - 1, insert: `{ ${insert} }` };
  if (!edit) return [];
  const edits = [{ text: module.text, range: { start: edit.start, end: edit.start }, insert: edit.insert }];
  return [{ title: `Set ${option}`, safe: false, edits }];
}

function intoObject(argument: TSESTree.CallExpressionArgument, insert: string): { start: number; insert: string } | undefined {
  if (argument.type !== 'ObjectExpression') return undefined;
  const [first] = argument.properties;
  return first ? { start: first.range[0], insert: `${insert}, ` } : { start: argument.range[0] + 1, insert: ` ${insert} ` };
}
