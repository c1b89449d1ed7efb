import type { Text } from '@poolcheck/parsers/text';
import type { Fix } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import type { Node } from '../source/module.ts';
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
    connection: "Nothing listens for the '{event}' event of {name}: when its connection fails, the process ends.",
  },
  *check(module, program) {
    for (const site of program.pools) {
      const event = site.resource.fatalEvent;
      if (site.module !== module || event === undefined || isLeftAlone(site, program) || program.poolUses.mayHear(site, event)) continue;
      yield {
        at: site.place,
        message: site.role,
        data: { event, name: site.name ?? `this ${site.driver.name} ${site.role}` },
        fixes: addListener(site, event),
        symbol: site.name ?? '',
      };
    }
  },
});

/** A process that lives on; a connection that a call hands on, or a pool that is gone soon: it is idle for no time. */
function isLeftAlone(site: PoolSite, program: Program): boolean {
  return program.survivors.has(site.module.path) || (site.role === 'connection' && !isKept(site)) || isShortLived(site, program);
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
