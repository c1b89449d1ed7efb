import { ownReturns } from './functions.ts';
import { bare, keyName, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree } from './module.ts';
import { fieldInitialiser, isReassigned, pathInPattern } from './bindings.ts';
import type { Sited, Value } from './value.ts';

/** Finds another module by import, or the package that it is. */
export type ResolveImport = (from: Module, specifier: string) => Module | { readonly package: string } | undefined;

/** Answers which expression an expression stands for; remembers what modules export. */
export class Definitions {
  readonly #resolve: ResolveImport;
  readonly #valueOf: (node: Node, module: Module) => Value | undefined;
  readonly #exports = new WeakMap<Module, Map<string, Sited | undefined>>();
  /** Object literals whose properties are being looked for: one may be spread into itself. */
  readonly #reading = new Set<Node>();

  constructor(resolve: ResolveImport, valueOf: (node: Node, module: Module) => Value | undefined) {
    this.#resolve = resolve;
    this.#valueOf = valueOf;
  }

  /** The expression that an expression stands for: through constants, imports and properties of object literals. */
  follow(node: Node, module: Module, depth = 0): Sited {
    const here = { node: bare(node), module };
    if (depth > 20) return here;
    const next = this.#definition(here.node, module);
    return next ? this.follow(next.node, next.module, depth + 1) : here;
  }

  /** The object literal that an expression stands for: also the one that a function of the root makes and returns. */
  object(node: Node, module: Module, depth = 0): Sited<TSESTree.ObjectExpression> | undefined {
    const at = this.follow(node, module);
    if (at.node.type === 'ObjectExpression') return { node: at.node, module: at.module };
    const fn = at.node.type === 'CallExpression' && depth < 5 ? this.#valueOf(at.node.callee, at.module) : undefined;
    const made = fn?.kind === 'function' ? madeBy(fn.at.node) : undefined;
    return made && fn?.kind === 'function' ? this.object(made, fn.at.module, depth + 1) : undefined;
  }

  /** The object literals that something spreads, one of which holds; undefined when that cannot be read. */
  spread(node: Node, module: Module): readonly Sited<TSESTree.ObjectExpression>[] | undefined {
    const at = this.follow(node, module);
    if (at.node.type === 'ConditionalExpression') {
      const branches = [at.node.consequent, at.node.alternate].map((branch) => this.spread(branch, at.module));
      return branches.every((branch) => branch !== undefined) ? branches.flat() : undefined;
    }
    if (at.node.type === 'LogicalExpression' && at.node.operator === '&&') return this.spread(at.node.right, at.module);
    const object = this.object(at.node, at.module);
    return object && [object];
  }

  /** The expression a property of an object has, through spreads; 'unknown' when a part of the object cannot be read. */
  property(object: Sited<TSESTree.ObjectExpression>, name: string): Sited | 'unknown' | undefined {
    if (this.#reading.has(object.node)) return 'unknown';
    this.#reading.add(object.node);
    const found = this.#propertyIn(object, name);
    this.#reading.delete(object.node);
    return found;
  }

  #propertyIn(object: Sited<TSESTree.ObjectExpression>, name: string): Sited | 'unknown' | undefined {
    let found: Sited | 'unknown' | undefined;
    for (const property of object.node.properties) {
      if (property.type === 'SpreadElement') {
        const spread = this.spread(property.argument, object.module);
        const inner = spread ? spread.map((each) => this.property(each, name)) : ['unknown' as const];
        const isCertain = inner.length === 1 && property.argument.type !== 'LogicalExpression';
        if (inner.some((each) => each !== undefined)) found = isCertain ? inner[0] : 'unknown';
      } else {
        const key = keyName(property);
        if (key === name) found = { node: property.value, module: object.module };
        else if (key === undefined) found = 'unknown';
      }
    }
    return found;
  }

  #definition(node: Node, module: Module): Sited | undefined {
    if (node.type === 'Identifier') {
      const variable = module.variableOf(node);
      const definition = variable?.defs.length === 1 ? variable.defs[0] : undefined;
      if (definition?.type === 'ImportBinding') return this.importedNode(definition.node, module);
      const declarator = definition?.node;
      if (declarator?.type !== 'VariableDeclarator' || !declarator.init || !variable || isReassigned(variable)) return undefined;
      if (declarator.id.type === 'Identifier') return { node: declarator.init, module };
      return this.#destructured(declarator.id, variable.name, { node: declarator.init, module });
    }
    if (node.type !== 'MemberExpression') return undefined;
    const name = propertyName(node);
    if (name === undefined) return undefined;
    const object = this.follow(node.object, module);
    if (object.node.type === 'ObjectExpression') return plain(this.property({ node: object.node, module: object.module }, name));
    const value = this.#valueOf(node.object, module);
    if (value?.kind === 'namespace') return this.exportedNode(value.module, name);
    if (value?.kind === 'instance' || value?.kind === 'class') return fieldInitialiser(value.at, name);
    return undefined;
  }

  #destructured(pattern: Node, name: string, source: Sited): Sited | undefined {
    const path = pattern.type === 'ObjectPattern' ? pathInPattern(pattern, name) : undefined;
    const key = path?.length === 1 ? path[0] : undefined;
    if (key === undefined) return undefined;
    const object = this.follow(source.node, source.module);
    return object.node.type === 'ObjectExpression' ? plain(this.property({ node: object.node, module: object.module }, key)) : undefined;
  }

  /** What an import stands for in a module of the root. */
  importedNode(specifier: Node, module: Module): Sited | undefined {
    const declaration = specifier.parent;
    if (declaration?.type !== 'ImportDeclaration' || specifier.type === 'ImportNamespaceSpecifier') return undefined;
    const target = this.#resolve(module, declaration.source.value);
    return target && !('package' in target) ? this.exportedNode(target, importedName(specifier)) : undefined;
  }

  /** What a module of the root exports under a name. */
  exportedNode(module: Module, name: string): Sited | undefined {
    const known = this.#exports.get(module) ?? new Map<string, Sited | undefined>();
    this.#exports.set(module, known);
    if (!known.has(name)) known.set(name, this.#findExport(module, name, 0));
    return known.get(name);
  }

  #findExport(module: Module, name: string, depth: number): Sited | undefined {
    const exported = module.exports.named.get(name);
    if (exported?.kind === 'local') return { node: exported.node, module };
    if (depth > 10) return undefined;
    if (exported) {
      const target = this.#resolve(module, exported.from);
      return target && !('package' in target) ? this.#findExport(target, exported.name, depth + 1) : undefined;
    }
    if (module.exports.whole) {
      const whole = this.follow(module.exports.whole, module);
      if (name === 'default') return whole;
      return whole.node.type === 'ObjectExpression' ? plain(this.property({ node: whole.node, module: whole.module }, name)) : undefined;
    }
    for (const specifier of module.exports.stars) {
      const target = this.#resolve(module, specifier);
      const found = target && !('package' in target) ? this.#findExport(target, name, depth + 1) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}

/** The name that an import asks for. */
export function importedName(specifier: Node): string {
  if (specifier.type !== 'ImportSpecifier') return 'default';
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
}

/** What was found, if it can be read. */
export function plain(found: Sited | 'unknown' | undefined): Sited | undefined {
  return found === 'unknown' ? undefined : found;
}

/** The object that a function makes when it does nothing else. */
function madeBy(fn: FunctionNode): Node | undefined {
  if (fn.async || fn.generator) return undefined;
  const [made, ...others] = ownReturns(fn);
  if (!made || others.length > 0) return undefined;
  const isLiteral = bare(made).type === 'ObjectExpression';
  const statements = fn.body.type === 'BlockStatement' ? fn.body.body : [];
  const onlyMakes = statements.every(({ type }) => type === 'VariableDeclaration' || type === 'ReturnStatement');
  return isLiteral || onlyMakes ? made : undefined;
}
