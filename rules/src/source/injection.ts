import { drivers } from '../knowledge/drivers.ts';
import { carryingPackages } from '../knowledge/frameworks.ts';
import type { ResolveImport } from './definitions.ts';
import type { Module, Node, TSESTree, Variable } from './module.ts';
import { keyName, propertyName } from './module.ts';

/** A call or `new`, and the module it stands in. */
export interface CallSite {
  readonly node: TSESTree.CallExpression | TSESTree.NewExpression;
  readonly module: Module;
}

const poolMethods = drivers.flatMap(({ resources }) =>
  Object.values(resources)
    .filter(({ role }) => role === 'pool')
    .flatMap(({ methods }) => Object.keys(methods).filter((name) => /^(acquire|query|scoped)$/.test(methods[name]?.does ?? ''))),
);

const carriers = new RegExp(`\\b(?:from|require\\()\\s*['"](?:${[...carryingPackages].join('|')})['"]`);

/** Whether a file names a web framework on whose objects code hangs values for other code. */
export function namesCarrier(content: string): boolean {
  return carriers.test(content);
}

/** Whether a file may work with pools that others hang on the objects of a web framework: it names the framework, and no driver. */
export function mayReadCarriedPools(content: string): boolean {
  return namesCarrier(content) && usesPool.test(content);
}

const usesPool = new RegExp(`\\.(?:${[...new Set(poolMethods)].map((name) => name.replace('$', '\\$')).join('|')})\\s*\\(`);

/** Whether a file without types may work with pools that it is given: nothing else in it would show them. */
export function mayBeGivenPools(path: string, content: string): boolean {
  return /\.[cm]?jsx?$/.test(path) && usesPool.test(content);
}

function callsOfVariable(variable: Variable, module: Module): readonly CallSite[] {
  return variable.references.flatMap(({ identifier }) => callOf(identifier, module));
}

/** Where a module calls what another one exports under a name; `isTarget` tells the specifiers that lead there. */
function callsOfExport(name: string, importer: Module, isTarget: (specifier: string) => boolean): readonly CallSite[] {
  return importsIn(importer).flatMap((each) => {
    if (!isTarget(each.specifier)) return [];
    if (each.required) return callsOfRequired(each.required, name, importer);
    const local = each.clauses.find((clause) => importedName(clause) === name)?.local;
    const variable = local && importer.variableOf(local);
    return variable ? callsOfVariable(variable, importer) : [];
  });
}

/** One `import` declaration or `require` call. */
interface Import {
  readonly specifier: string;
  readonly clauses: readonly TSESTree.ImportClause[];
  readonly required?: TSESTree.CallExpression;
}

const importsByModule = new WeakMap<Module, readonly Import[]>();

function importsIn(module: Module): readonly Import[] {
  const known = importsByModule.get(module);
  if (known) return known;
  const declared = module.ast.body.flatMap((statement) =>
    statement.type === 'ImportDeclaration' ? [{ specifier: statement.source.value, clauses: statement.specifiers }] : [],
  );
  const required = module.nodes('CallExpression').flatMap((call) => {
    const specifier = requiredBy(call, module);
    return specifier === undefined ? [] : [{ specifier, clauses: [], required: call }];
  });
  const imports = [...declared, ...required];
  importsByModule.set(module, imports);
  return imports;
}

function importedName(specifier: TSESTree.ImportClause): string | undefined {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type === 'ImportNamespaceSpecifier') return undefined;
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
}

/** The specifier of `require('./x')`. */
function requiredBy(call: TSESTree.CallExpression, module: Module): string | undefined {
  const [argument] = call.arguments;
  if (call.callee.type !== 'Identifier' || call.callee.name !== 'require' || module.variableOf(call.callee)) return undefined;
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}

/** `require('./x')(pool)`, `const f = require('./x'); f(pool)`, `const { f } = require('./x'); f(pool)`, `require('./x').f(pool)`. */
function callsOfRequired(required: TSESTree.CallExpression, name: string, module: Module): readonly CallSite[] {
  if (name === 'default') {
    const direct = callOf(required, module);
    if (direct.length > 0) return direct;
  }
  const { parent } = required;
  if (parent.type === 'MemberExpression') return propertyName(parent) === name ? callOf(parent, module) : [];
  if (parent.type !== 'VariableDeclarator') return [];
  if (parent.id.type === 'ObjectPattern') return callsThroughPattern(parent.id, name, module);
  const variable = parent.id.type === 'Identifier' ? module.variableOf(parent.id) : undefined;
  if (!variable) return [];
  return name === 'default' ? callsOfVariable(variable, module) : callsOfMember(variable, name, module);
}

function callsThroughPattern(pattern: TSESTree.ObjectPattern, name: string, module: Module): readonly CallSite[] {
  return pattern.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== name) return [];
    const variable = property.value.type === 'Identifier' ? module.variableOf(property.value) : undefined;
    return variable ? callsOfVariable(variable, module) : [];
  });
}

function callsOfMember(variable: Variable, name: string, module: Module): readonly CallSite[] {
  return variable.references.flatMap(({ identifier: { parent } }) =>
    parent.type === 'MemberExpression' && propertyName(parent) === name ? callOf(parent, module) : [],
  );
}

function callOf(callee: Node, module: Module): readonly CallSite[] {
  const { parent } = callee;
  const isCall = (parent?.type === 'CallExpression' || parent?.type === 'NewExpression') && parent.callee === callee;
  return isCall ? [{ node: parent, module }] : [];
}

/** The names under which a module exports a function or class; `default` for `module.exports` too. */
function exportNamesOf(node: Node, module: Module): readonly string[] {
  const { named, whole } = module.exports;
  const names = [...named].flatMap(([name, exported]) => (exported.kind === 'local' && isSame(exported.node, node, module) ? [name] : []));
  if (!whole) return names;
  if (isSame(whole, node, module)) return [...names, 'default'];
  const properties = whole.type === 'ObjectExpression' ? whole.properties : [];
  return [
    ...names,
    ...properties.flatMap((property) =>
      property.type === 'Property' && isSame(property.value, node, module) ? (keyName(property) ?? []) : [],
    ),
  ];
}

/** Whether an exported expression is a function or class, or names one. */
function isSame(exported: Node, node: Node, module: Module): boolean {
  return exported === node || (exported.type === 'Identifier' && definedBy(exported, module) === node);
}

/** The function or class that a name stands for by its declaration. */
function definedBy(identifier: TSESTree.Identifier, module: Module): Node | undefined {
  const definition = module.variableOf(identifier)?.defs[0];
  if (definition?.type === 'Variable') return definition.node.init ?? undefined;
  return definition?.type === 'FunctionName' || definition?.type === 'ClassName' ? definition.node : undefined;
}

const callsByModule = new WeakMap<Module, ReadonlyMap<Node, readonly CallSite[]>>();

/** The calls of a function, or the `new` of a class, by name in its own module. */
function callsInModule(node: Node, module: Module): readonly CallSite[] {
  let calls = callsByModule.get(module);
  if (!calls) {
    calls = callsByDefinition(module);
    callsByModule.set(module, calls);
  }
  return calls.get(node) ?? [];
}

function callsByDefinition(module: Module): ReadonlyMap<Node, readonly CallSite[]> {
  const calls = new Map<Node, CallSite[]>();
  for (const node of [...module.nodes('CallExpression'), ...module.nodes('NewExpression')]) {
    const defined = node.callee.type === 'Identifier' ? definedBy(node.callee, module) : undefined;
    if (defined) calls.set(defined, [...(calls.get(defined) ?? []), { node, module }]);
  }
  return calls;
}

/** Finds the calls of functions in all modules, and remembers them. */
export class Callers {
  readonly #resolve: ResolveImport;
  readonly #importersOf: (module: Module) => readonly Module[];
  readonly #known = new WeakMap<Node, readonly CallSite[]>();

  constructor(resolve: ResolveImport, importersOf: (module: Module) => readonly Module[]) {
    this.#resolve = resolve;
    this.#importersOf = importersOf;
  }

  /** The calls of a function, or the `new` of a class, by name. */
  of(callee: Node, module: Module): readonly CallSite[] {
    const known = this.#known.get(callee) ?? [...callsInModule(callee, module), ...this.#elsewhere(callee, module)];
    this.#known.set(callee, known);
    return known;
  }

  #elsewhere(callee: Node, module: Module): readonly CallSite[] {
    const names = exportNamesOf(callee, module);
    if (names.length === 0) return [];
    return this.#importersOf(module).flatMap((importer) =>
      names.flatMap((name) => callsOfExport(name, importer, (specifier) => this.#resolve(importer, specifier) === module)),
    );
  }
}
