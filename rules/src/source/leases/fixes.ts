import { walk } from '@poolcheck/parsers/javascript/parse';
import type { Range } from '@poolcheck/parsers/text';
import type { Edit, Fix } from '../../finding.ts';
import type { Method } from '../../knowledge/driver.ts';
import { propertyName } from '../module.ts';
import type { Module, Node, TSESTree, Variable } from '../module.ts';
import type { Leak } from './leaks.ts';
import type { LeaseSite } from './sites.ts';
import { referencesWithin } from './sites.ts';

/** How the lease would come back on every path, where that can be written without guessing. */
export function fixesOf(leak: Leak): readonly Fix[] {
  const fix = leak.kind === 'dropped' ? releaseAtOnce(leak.site) : leak.kind === 'setup' ? moveIntoTry(leak) : wrapInTry(leak);
  return fix ? [fix] : [];
}

/** `await pool.connect()` that nobody keeps becomes `(await pool.connect()).release()`. */
function releaseAtOnce({ node, module, lease }: LeaseSite): Fix | undefined {
  const awaited = node.parent;
  const statement = awaited.parent;
  const release = releaseName(lease);
  if (awaited.type !== 'AwaitExpression' || statement?.type !== 'ExpressionStatement' || release === undefined) return undefined;
  if (!endsBefore(statement, module)) return undefined;
  const edits = [insertAt(module, awaited.range[0], '('), insertAt(module, awaited.range[1], `).${release}()`)];
  return { title: 'Give it back at once', safe: true, edits };
}

/** Whether a statement that starts with `(` would not be read as a call of what stands before it. */
function endsBefore(statement: Node, { text }: Module): boolean {
  return /(^|[;{}])\s*$/.test(text.content.slice(0, statement.range[0]));
}

/** The calls ahead of the `try` move into it. */
function moveIntoTry({ site, guard }: Extract<Leak, { kind: 'setup' }>): Fix | undefined {
  const taking = statementOf(site.node);
  const block = taking?.parent;
  if (block?.type !== 'BlockStatement' || guard.parent !== block) return undefined;
  const between = block.body.slice(block.body.indexOf(taking as TSESTree.Statement) + 1, block.body.indexOf(guard));
  const [first] = between;
  const last = between.at(-1);
  if (!first || !last || !between.every(({ type }) => type === 'ExpressionStatement')) return undefined;
  const { module } = site;
  const indent = indentAt(module, first.range[0]);
  const moved = between.map((statement) => indented(module, rangeOf(statement), '  ')).join(`\n${indent}  `);
  const edits: Edit[] = [
    { text: module.text, range: { start: first.range[0], end: guard.range[0] }, insert: '' },
    insertAt(module, guard.block.range[0] + 1, `\n${indent}  ${moved}`),
  ];
  return { title: 'Move it into the try', safe: true, edits };
}

/** Everything after the acquire moves into a `try` whose `finally` gives the lease back. */
function wrapInTry({ kind, site }: Leak): Fix | undefined {
  const { module, consumer, lease, node } = site;
  const release = releaseName(lease);
  const taking = statementOf(node);
  const block = taking?.parent;
  if (consumer.kind !== 'variable' || release === undefined || taking?.type !== 'VariableDeclaration' || block?.type !== 'BlockStatement')
    return undefined;
  const releases = plainReleases(consumer.variable, block, lease);
  if (!releases) return undefined;
  const rest = block.body.slice(block.body.indexOf(taking) + 1);
  const last = rest.at(-1);
  if (!last) return undefined;
  const at = rest.findIndex((statement) => statement === releases[0]);
  const safe = kind !== 'never' && releases.length === 1 && at !== -1 && !rest.slice(at + 1).some(awaitsSomething);
  const indent = indentAt(module, taking.range[0]);
  const body = wrappedBody(module, { start: taking.range[1], end: last.range[1] }, releases);
  const insert = ` try {${body}\n${indent}} finally {\n${indent}  ${consumer.variable.name}.${release}();\n${indent}}`;
  return {
    title: 'Give it back in a finally',
    safe,
    edits: [
      { text: module.text, range: { start: taking.range[1], end: last.range[1] }, insert: insert.replace(/^ try/, `\n${indent}try`) },
    ],
  };
}

/** The statements that give the lease back, or undefined when some release is not a plain statement of its own. */
function plainReleases(holder: Variable, block: Node, lease: LeaseSite['lease']): readonly TSESTree.ExpressionStatement[] | undefined {
  const releases: TSESTree.ExpressionStatement[] = [];
  for (const reference of referencesWithin(holder, block)) {
    const release = releaseBy(reference, lease);
    if (!release) continue;
    const { parent: statement } = release.node;
    const plain = release.plain && statement?.type === 'ExpressionStatement' && statement.parent.type === 'BlockStatement';
    if (!plain || isInTry(statement, block)) return undefined;
    releases.push(statement);
  }
  return releases;
}

/** How a use of the lease gives it back; `plain` when that says nothing of how it is. */
function releaseBy(
  reference: Node,
  { driver, resource }: LeaseSite['lease'],
): { readonly node: Node; readonly plain: boolean } | undefined {
  const { parent } = reference;
  if (parent?.type === 'MemberExpression' && parent.object === reference) {
    const name = propertyName(parent) ?? '';
    if (resource.methods[name]?.does !== 'release') return undefined;
    const { parent: call } = parent;
    return { node: call, plain: name === releaseName({ resource }) && call.type === 'CallExpression' && call.arguments.length === 0 };
  }
  const name = parent?.type === 'CallExpression' && parent.callee.type === 'MemberExpression' ? propertyName(parent.callee) : undefined;
  const takesIt = name !== undefined && Object.values(driver.resources).some(({ methods }) => isReleaseOf(methods[name]));
  return parent && takesIt ? { node: parent, plain: true } : undefined;
}

/** `pool.releaseConnection(connection)` */
function isReleaseOf(method: Method | undefined): boolean {
  return method?.does === 'release' && method.argument !== undefined && method.destroys === undefined;
}

function isInTry(node: Node, outer: Node): boolean {
  for (let at = node.parent; at && at !== outer; at = at.parent) {
    if (at.type === 'TryStatement' || at.type.includes('Function')) return true;
  }
  return false;
}

function awaitsSomething(node: Node): boolean {
  let awaits = false;
  walk(node, (inner) => {
    awaits ||= inner.type === 'AwaitExpression' || inner.type === 'CallExpression';
  });
  return awaits;
}

/** The text of a range one step further in, without the release statements. */
function wrappedBody(module: Module, range: Range, releases: readonly Node[]): string {
  let body = '';
  let at = range.start;
  for (const release of releases) {
    body += indented(module, { start: at, end: lineStart(module, release.range[0]) }, '  ');
    at = release.range[1];
  }
  return body + indented(module, { start: at, end: range.end }, '  ');
}

/** The text of a range with its lines moved right, but for the inside of template literals. */
function indented(module: Module, { start, end }: Range, by: string): string {
  const templates: Range[] = [];
  walk(module.ast, (node) => {
    if (node.type === 'TemplateLiteral') templates.push(rangeOf(node));
    return node.range[1] > start && node.range[0] < end;
  });
  return module.text.content
    .slice(start, end)
    .replace(/\n(?=[^\n\r])/g, (newline, offset: number) =>
      templates.some((template) => template.start < start + offset && start + offset < template.end) ? newline : newline + by,
    );
}

/** The end of the line before, so that removing a statement of its own removes its line. */
function lineStart({ text }: Module, offset: number): number {
  let at = offset;
  while (at > 0 && ' \t'.includes(text.content[at - 1] ?? '')) at--;
  if (text.content[at - 1] === '\n') at--;
  return text.content[at - 1] === '\r' ? at - 1 : at;
}

function indentAt({ text }: Module, offset: number): string {
  const start = text.content.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.content.slice(start, offset))?.[0] ?? '';
}

function statementOf(node: Node): Node | undefined {
  for (let at: Node | undefined = node; at; at = at.parent) {
    if (at.parent?.type === 'BlockStatement') return at;
    if (at.type.includes('Function')) return undefined;
  }
  return undefined;
}

/** The method that gives a healthy lease back. */
function releaseName({ resource }: Pick<LeaseSite['lease'], 'resource'>): string | undefined {
  const plain = Object.entries(resource.methods).find(
    ([, method]) => method.does === 'release' && method.destroys !== 'always' && !method.settles,
  );
  return plain?.[0];
}

function insertAt(module: Module, offset: number, insert: string): Edit {
  return { text: module.text, range: { start: offset, end: offset }, insert };
}

function rangeOf(node: Node): Range {
  return { start: node.range[0], end: node.range[1] };
}
