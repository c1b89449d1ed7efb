import { childrenOf, parseJavaScript, walk, type Node } from '@poolcheck/parsers/javascript/parse';
import type { Place, Text } from '@poolcheck/parsers/text';
import { analyze, type ScopeManager, type Variable } from '@typescript-eslint/scope-manager';
import type { TSESTree } from '@typescript-eslint/types';
import type { ProjectProblem } from '../finding.ts';
import { roleOf, type Role } from '../role.ts';

export type { Node, TSESTree, Variable };

/** One TS/JS file: its tree, its scopes, and what it imports and exports. */
export interface Module {
  readonly text: Text;
  readonly path: string;
  readonly role: Role;
  readonly ast: TSESTree.Program;
  /** The variable that an identifier, written or read, stands for. */
  variableOf(identifier: TSESTree.Identifier | TSESTree.JSXIdentifier): Variable | undefined;
  readonly exports: Exports;
  /** All nodes of a type, in source order. The tree is walked once for all types. */
  nodes<Type extends IndexedType>(type: Type): readonly Extract<Node, { type: Type }>[];
}

/** What rules look through whole files for. */
export type IndexedType = (typeof indexedTypes)[number];

const indexedTypes = [
  'ArrowFunctionExpression',
  'AssignmentExpression',
  'CallExpression',
  'ClassDeclaration',
  'ClassExpression',
  'FunctionDeclaration',
  'FunctionExpression',
  'MemberExpression',
  'NewExpression',
  'TaggedTemplateExpression',
] as const;

/** What a module exports, ES or CommonJS. */
export interface Exports {
  readonly named: ReadonlyMap<string, Exported>;
  /** The specifiers of `export * from`. */
  readonly stars: readonly string[];
  /** `module.exports = …` */
  readonly whole: Node | undefined;
}

export type Exported =
  { readonly kind: 'local'; readonly node: Node } | { readonly kind: 'reexport'; readonly from: string; readonly name: string };

/** Parses a file for analysis. A file that does not parse is an empty module and a problem. */
export function readModule(text: Text): { module: Module; problems: readonly ProjectProblem[] } {
  const { document, problems } = parseJavaScript(text);
  const scopes = analyze(document, { sourceType: 'module', lib: [], childVisitorKeys: null, jsxPragma: null });
  return {
    module: moduleOf(text, document, scopes),
    problems: problems.map(({ range, message }) => ({ path: text.path, at: { text, range }, message })),
  };
}

/** A module from a tree that somebody else parsed (ESLint). Its nodes have `range` and `parent`. */
export function moduleOf(text: Text, ast: TSESTree.Program, scopes: ScopeManager): Module {
  let variables: ReadonlyMap<Node, Variable> | undefined;
  let exports: Exports | undefined;
  let nodes: ReadonlyMap<string, readonly Node[]> | undefined;
  return {
    text,
    path: text.path,
    role: roleOf(text.path, text.content),
    ast,
    variableOf: (identifier) => (variables ??= variablesByIdentifier(scopes)).get(identifier),
    get exports() {
      return (exports ??= readExports(ast, this.nodes('AssignmentExpression')));
    },
    nodes<Type extends IndexedType>(type: Type) {
      const found = (nodes ??= nodesByType(ast)).get(type) ?? [];
      return found as readonly Extract<Node, { type: Type }>[];
    },
  };
}

function nodesByType(ast: TSESTree.Program): ReadonlyMap<string, readonly Node[]> {
  const nodes = new Map<string, Node[]>(indexedTypes.map((type) => [type, []]));
  walk(ast, (node) => {
    nodes.get(node.type)?.push(node);
  });
  return nodes;
}

function variablesByIdentifier(scopes: ScopeManager): ReadonlyMap<Node, Variable> {
  const variables = new Map<Node, Variable>();
  for (const scope of scopes.scopes) {
    for (const variable of scope.variables) for (const identifier of variable.identifiers) variables.set(identifier, variable);
    for (const reference of scope.references) if (reference.resolved) variables.set(reference.identifier, reference.resolved);
  }
  return variables;
}

/** The place of a node in its file. */
export function placeOfNode(module: Module, node: Node): Place {
  return { text: module.text, range: { start: node.range[0], end: node.range[1] } };
}

function readExports(ast: TSESTree.Program, assignments: readonly TSESTree.AssignmentExpression[]): Exports {
  const named = new Map<string, Exported>();
  const stars: string[] = [];
  let whole: Node | undefined;
  for (const statement of ast.body) {
    switch (statement.type) {
      case 'ExportNamedDeclaration':
        readNamedExport(statement, named);
        break;
      case 'ExportDefaultDeclaration':
        named.set('default', { kind: 'local', node: statement.declaration });
        break;
      case 'ExportAllDeclaration':
        if (statement.exported) named.set(nameOf(statement.exported), { kind: 'reexport', from: statement.source.value, name: '*' });
        else stars.push(statement.source.value);
        break;
      case 'TSExportAssignment':
        whole = statement.expression;
        break;
      case 'ExpressionStatement':
        whole = readCommonJs(statement.expression, named) ?? whole;
        break;
      default:
    }
  }
  readLaterExports(ast, assignments, named);
  return { named, stars, whole };
}

/** `const db = module.exports; db.init = () => { db.pool = new Pool(); }` */
function readLaterExports(
  ast: TSESTree.Program,
  assignments: readonly TSESTree.AssignmentExpression[],
  named: Map<string, Exported>,
): void {
  const aliases = new Set(ast.body.flatMap(exportsAliases));
  for (const { left, right } of assignments) {
    const name = left.type === 'MemberExpression' ? propertyName(left) : undefined;
    if (left.type !== 'MemberExpression' || name === undefined || named.has(name)) continue;
    const isAlias = left.object.type === 'Identifier' && aliases.has(left.object.name);
    if (isAlias || isExports(left.object)) named.set(name, { kind: 'local', node: right });
  }
}

function exportsAliases(statement: TSESTree.ProgramStatement): readonly string[] {
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init && isExports(init) ? [id.name] : []));
}

function readNamedExport(statement: TSESTree.ExportNamedDeclaration, named: Map<string, Exported>): void {
  for (const { exported, local } of statement.specifiers) {
    const source = statement.source?.value;
    named.set(
      nameOf(exported),
      source === undefined ? { kind: 'local', node: local } : { kind: 'reexport', from: source, name: nameOf(local) },
    );
  }
  const { declaration } = statement;
  if (!declaration) return;
  if (declaration.type === 'VariableDeclaration') {
    for (const declarator of declaration.declarations) {
      for (const identifier of bindingsOf(declarator.id)) named.set(identifier.name, { kind: 'local', node: identifier });
    }
  } else if ('id' in declaration && declaration.id?.type === 'Identifier') {
    named.set(declaration.id.name, { kind: 'local', node: declaration.id });
  }
}

/** Reads `exports.a = b` into `named`, and answers the right side of `module.exports = b`. */
function readCommonJs(expression: TSESTree.Expression, named: Map<string, Exported>): Node | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return undefined;
  const { left, right } = expression;
  const property = propertyName(left);
  if (property === undefined) return undefined;
  if (isModuleExports(left)) return right.type === 'AssignmentExpression' ? (readCommonJs(right, named), lastRight(right)) : right;
  if (isExports(left.object)) {
    named.set(property, { kind: 'local', node: right });
  }
  return undefined;
}

function lastRight(assignment: TSESTree.AssignmentExpression): Node {
  return assignment.right.type === 'AssignmentExpression' ? lastRight(assignment.right) : assignment.right;
}

function isExports(node: Node): boolean {
  return isModuleExports(node) || (node.type === 'Identifier' && node.name === 'exports');
}

/** `module.exports` */
export function isModuleExports(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    propertyName(node) === 'exports'
  );
}

function nameOf(node: TSESTree.Identifier | TSESTree.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : node.value;
}

/** The name of a plain or string-keyed member access. */
export function propertyName(node: TSESTree.MemberExpression): string | undefined {
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : `#${node.property.name}`;
  return node.property.type === 'Literal' && typeof node.property.value === 'string' ? node.property.value : undefined;
}

/** The name of an object's property or a class member. */
export function keyName(node: { readonly key: Node; readonly computed?: boolean }): string | undefined {
  const { key } = node;
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier' && !node.computed) return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** The identifiers that a pattern binds. */
export function bindingsOf(pattern: Node): TSESTree.Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return bindingsOf(pattern.left);
    case 'RestElement':
      return bindingsOf(pattern.argument);
    case 'Property':
      return bindingsOf(pattern.value);
    case 'ArrayPattern':
    case 'ObjectPattern':
      return childrenOf(pattern).flatMap(bindingsOf);
    default:
      return [];
  }
}

export type FunctionNode = TSESTree.FunctionDeclaration | TSESTree.FunctionExpression | TSESTree.ArrowFunctionExpression;

export function isFunction(node: Node | null | undefined): node is FunctionNode {
  return node?.type === 'FunctionDeclaration' || node?.type === 'FunctionExpression' || node?.type === 'ArrowFunctionExpression';
}

/** The function a node stands in, without leaving it for the class or module around. */
export function enclosingFunction(node: Node): FunctionNode | undefined {
  for (let at = node.parent; at; at = at.parent) if (isFunction(at)) return at;
  return undefined;
}

/** What a function is called, for messages and fingerprints. */
export function functionName(node: FunctionNode): string | undefined {
  if (node.id) return node.id.name;
  const { parent } = node;
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  if (parent.type === 'Property' || parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') return keyName(parent);
  if (parent.type === 'AssignmentExpression' && parent.left.type === 'MemberExpression') return propertyName(parent.left);
  return undefined;
}

/** The expression inside type assertions, non-null marks and optional chains. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ChainExpression':
      return bare(node.expression);
    default:
      return node;
  }
}
