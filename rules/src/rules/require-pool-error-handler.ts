import type { Text } from '@poolcheck/parsers/text';
import type { Fix, Report } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { excerpt, nameOfLease } from '../source/describe.ts';
import { functionName, placeOfNode } from '../source/module.ts';
import type { LeaseSite } from '../source/leases/sites.ts';
import type { Module, Node } from '../source/module.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import { isKept } from '../source/uses/same-pool.ts';
import { isShortLived } from '../source/uses/short-lived.ts';

export default moduleRule({
  id: 'require-pool-error-handler',
  severity: 'warning',
  summary: 'Nothing listens for the errors of a pool, so the process ends when an idle connection fails.',
  messages: {
    pool: "Nothing listens for the '{event}' event of {name}: when the server closes an idle connection (restart, failover), the process ends.",
    lease:
      "{name} is held while {call} is awaited, and nothing listens for its '{event}' event: when the server closes its connection then, the process ends, for the pool does not listen to what is lent.",
    lent: "{name} lends one connection for good and is used for nothing else, and nothing listens for the '{event}' event of that connection: when the server closes it (restart, failover), the process ends.",
    connection: "Nothing listens for the '{event}' event of {name}: when its connection fails, the process ends.",
  },
  *check(module, program) {
    if (program.survivors.has(module.path)) return;
    yield* unheardPools(module, program);
    yield* unheardLeases(module, program);
  },
});

type MessageId = 'pool' | 'connection' | 'lease' | 'lent';

function* unheardPools(module: Module, program: Program): Iterable<Report<MessageId>> {
  for (const site of program.poolsIn(module)) {
    const event = site.resource.fatalEvent;
    if (event === undefined || isLeftAlone(site, program) || program.poolUses.mayHear(site, event)) continue;
    const lent = program.poolUses.lentForGood(site);
    if (lent && program.poolUses.mayHearLease(new Set([lent.module]), event)) continue;
    yield {
      at: site.place,
      message: lent ? 'lent' : site.role,
      data: { event, name: site.name ?? `this ${site.driver.name} ${site.role}` },
      related: lent ? [{ at: placeOfNode(lent.module, lent.member.parent), message: 'taken here for as long as the process runs' }] : [],
      fixes: lent ? [] : addListener(site, event),
      symbol: site.name ?? '',
    };
  }
}

function* unheardLeases(module: Module, program: Program): Iterable<Report<MessageId>> {
  for (const site of program.leases.in(module)) {
    const event = site.lease.resource.fatalEvent;
    const held = event === undefined ? undefined : program.held.ofLease(site);
    const slow = held && program.held.slowCalls.during(held)[0]?.node;
    if (event === undefined || !slow || mayHear(site, event, program)) continue;
    yield {
      at: placeOfNode(module, site.node),
      message: 'lease',
      severity: 'info',
      data: { event, name: nameOfLease(site), call: excerpt(module, slow) },
      related: [{ at: placeOfNode(module, slow), message: 'held while this is awaited' }],
      symbol: functionName(site.fn) ?? '',
    };
  }
}

/** Whether something may listen to a lease: in the file that takes it, or where its pool is made. */
function mayHear({ module, lease }: LeaseSite, event: string, { poolUses }: Program): boolean {
  return poolUses.mayHearLease(new Set([module, lease.origin?.module]), event);
}

/** A connection that a call hands on, or a pool that is gone soon, is idle for no time. */
function isLeftAlone(site: PoolSite, program: Program): boolean {
  return (site.role === 'connection' && !isKept(site)) || isShortLived(site, program);
}

/** A listener behind the statement that puts the pool into a variable or field. */
function addListener({ node, module: { text } }: PoolSite, event: string): readonly Fix[] {
  const { target, statement } = keptBy(node, text) ?? {};
  if (!statement) return [];
  const [start, end] = statement.range;
  const indent = /^\s*/.exec(text.content.slice(text.content.lastIndexOf('\n', start - 1) + 1, start))?.[0] ?? '';
  const insert = `\n${indent}${target}.on('${event}', (error) => console.error('idle connection', error));`;
  return [{ title: `Listen for '${event}'`, safe: false, edits: [{ text, range: { start: end, end }, insert }] }];
}

function keptBy({ parent }: Node, { content }: Text): { readonly target: string; readonly statement: Node } | undefined {
  if (parent?.type === 'AssignmentExpression' && parent.parent.type === 'ExpressionStatement')
    return { target: content.slice(...parent.left.range), statement: parent.parent };
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined;
  const { parent: declaration } = parent;
  const statement = declaration.parent.type === 'ExportNamedDeclaration' ? declaration.parent : declaration;
  return declaration.declarations.length === 1 ? { target: parent.id.name, statement } : undefined;
}
