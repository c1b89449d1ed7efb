import { firstOf } from '../../first.ts';
import { ownReturns } from '../functions.ts';
import { documentedParameter } from './jsdoc.ts';
import { bare, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import { annotationOf, fieldAnnotation, parameterOf, pathInPattern } from '../bindings.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';

/**
 * Where a value comes from outside the root: a package, and the way from its exports to the value. `Router()` is what calling or
 * constructing `Router` gives, `:Request` what is annotated so, `().on(0)` the first parameter of a callback handed to `().on`.
 */
export interface Origin {
  readonly package: string;
  readonly path: string;
}

/** A call that gets a function, as the callee or as an argument. */
export interface Use {
  readonly call: TSESTree.CallExpression;
  readonly module: Module;
  /** The argument's position; undefined: the function is what is called. */
  readonly position: number | undefined;
}

/** Globals that are as good as a package: `Bun.serve`, `Deno.serve`. */
const globals: ReadonlySet<string> = new Set(['Bun', 'Deno']);

/** Answers where values come from; remembers its answers. */
export class Origins {
  readonly #values: Values;
  readonly #usesOf: (fn: FunctionNode) => readonly Use[];
  readonly #known = new WeakMap<Node, Origin | 'none'>();

  constructor(values: Values, usesOf: (fn: FunctionNode) => readonly Use[]) {
    this.#values = values;
    this.#usesOf = usesOf;
  }

  /** Where an expression comes from, or undefined when nothing proves it. */
  of(node: Node, module: Module): Origin | undefined {
    const known = this.#known.get(node);
    if (known) return known === 'none' ? undefined : known;
    this.#known.set(node, 'none');
    const at = this.#values.follow(node, module);
    const found = this.#exported(at.node, at.module) ?? (at.node === bare(node) ? this.#trace(at) : this.of(at.node, at.module));
    if (found) this.#known.set(node, found);
    return found;
  }

  /** What a type annotation names, through aliases, `extends` and the first known part of unions. */
  ofType(type: TSESTree.TypeNode, module: Module, depth = 0): Origin | undefined {
    if (depth > 10) return undefined;
    switch (type.type) {
      case 'TSTypeReference': {
        const inner = isTransparent(type.typeName) ? type.typeArguments?.params[0] : undefined;
        return inner ? this.ofType(inner, module, depth + 1) : this.#ofTypeName(type.typeName, module, depth);
      }
      case 'TSUnionType':
      case 'TSIntersectionType':
        return firstOf(type.types, (part) => this.ofType(part, module, depth + 1));
      default:
        return undefined;
    }
  }

  /** The types that the value bound by a variable or parameter must have, as far as they are written. */
  ofAnnotation(pattern: Node, module: Module): Origin | undefined {
    const type = annotationOf(pattern);
    return type && this.ofType(type, module);
  }

  #exported(node: Node, module: Module): Origin | undefined {
    const found = this.#values.exportOf(node, module);
    return found && { package: found.package.replace(/^node:/, ''), path: found.path };
  }

  #trace({ node, module }: Sited): Origin | undefined {
    switch (node.type) {
      case 'Identifier':
        return this.#binding(node, module);
      case 'MemberExpression':
        return this.#member(node, module);
      case 'CallExpression':
      case 'NewExpression':
        return this.#result(node, module);
      case 'AwaitExpression':
        return this.of(node.argument, module);
      case 'AssignmentExpression':
        return this.of(node.right, module);
      case 'LogicalExpression':
        return this.of(node.left, module) ?? this.of(node.right, module);
      default:
        return undefined;
    }
  }

  #member(node: TSESTree.MemberExpression, module: Module): Origin | undefined {
    const name = propertyName(node);
    if (name === undefined) return undefined;
    const object = this.of(node.object, module);
    if (object) return memberOf(object, name);
    const owner = this.#values.valueOf(node.object, module);
    const type = owner?.kind === 'instance' ? fieldAnnotation(owner.at.node, name) : undefined;
    return type && owner?.kind === 'instance' ? this.ofType(type, owner.at.module) : undefined;
  }

  #result(node: TSESTree.CallExpression | TSESTree.NewExpression, module: Module): Origin | undefined {
    const callee = this.of(node.callee, module);
    if (callee) return { package: callee.package, path: `${callee.path}()` };
    const fn = this.#values.calledFunction(node, module);
    return fn && firstOf(ownReturns(fn.node), (returned) => this.of(returned, fn.module));
  }

  #binding(node: TSESTree.Identifier, module: Module): Origin | undefined {
    const variable = module.variableOf(node);
    if (!variable || variable.defs.length === 0) return globals.has(node.name) ? { package: node.name, path: '' } : undefined;
    const [definition] = variable.defs;
    if (definition?.type === 'Parameter') return this.#parameter(definition.name, variable, module);
    if (definition?.type !== 'Variable') return undefined;
    const { id, init } = definition.node;
    if (id.type === 'Identifier') return this.ofAnnotation(id, module) ?? this.#written(variable, module);
    return init ? throughPattern(this.of(init, module), id, variable.name) : undefined;
  }

  #written(variable: Variable, module: Module): Origin | undefined {
    return firstOf(variable.references, ({ writeExpr }) => (writeExpr ? this.of(writeExpr, module) : undefined));
  }

  #parameter(identifier: Node, variable: Variable, module: Module): Origin | undefined {
    const parameter = parameterOf(identifier);
    if (!parameter) return undefined;
    const { fn, index, pattern } = parameter;
    const whole = this.ofAnnotation(pattern, module) ?? this.#fromContext(fn, index, module);
    return pattern.type === 'Identifier' ? whole : throughPattern(whole, pattern, variable.name);
  }

  /** What an unannotated parameter is given: by its comment, the type of its function, the call it stands in, or the uses of the function. */
  #fromContext(fn: FunctionNode, index: number, module: Module): Origin | undefined {
    const documented = documentedParameter(fn, index, module);
    if (documented) return documented;
    const { parent } = fn;
    if (parent.type === 'VariableDeclarator') {
      const type = this.ofAnnotation(parent.id, module);
      if (type) return { package: type.package, path: `${type.path}(${index})` };
    }
    const inPlace: Use[] = parent.type === 'CallExpression' ? [{ call: parent, module, position: positionOf(fn, parent) }] : [];
    return firstOf([...inPlace, ...this.#usesOf(fn)], (use) => this.#given(use, index));
  }

  #given({ call, module, position }: Use, index: number): Origin | undefined {
    if (position === undefined) {
      const argument = call.arguments[index];
      return argument && this.of(argument, module);
    }
    const callee = this.of(call.callee, module);
    return callee && { package: callee.package, path: `${callee.path}(${index})` };
  }

  #ofTypeName(name: TSESTree.EntityName, module: Module, depth: number): Origin | undefined {
    if (name.type === 'TSQualifiedName') {
      const left = name.left.type === 'Identifier' ? this.#exported(name.left, module) : undefined;
      return left && { package: left.package, path: `:${memberOf(left, name.right.name).path}` };
    }
    if (name.type !== 'Identifier') return undefined;
    const exported = this.#exported(name, module);
    if (exported) return { package: exported.package, path: `:${exported.path}` };
    const at = this.#values.follow(name, module);
    const definition = at.node.type === 'Identifier' ? at.module.variableOf(at.node)?.defs[0] : undefined;
    return definition && this.#ofDeclaration(definition.node, at.module, depth + 1);
  }

  #ofDeclaration(node: Node, module: Module, depth: number): Origin | undefined {
    if (node.type === 'TSTypeAliasDeclaration') return this.ofType(node.typeAnnotation, module, depth);
    if (node.type !== 'TSInterfaceDeclaration') return undefined;
    return firstOf(node.extends, ({ expression }) => {
      const name = expression.type === 'Identifier' ? expression : undefined;
      if (name) return this.#ofTypeName(name, module, depth);
      const exported = this.#exported(expression, module);
      return exported && { package: exported.package, path: `:${exported.path}` };
    });
  }
}

/** Whether a generic type is, for our purposes, what its argument is. */
function isTransparent(name: TSESTree.EntityName): boolean {
  return name.type === 'Identifier' && /^(Promise|PromiseLike|Awaited|Readonly|Required|Partial|NonNullable)$/.test(name.name);
}

function memberOf({ package: from, path }: Origin, name: string): Origin {
  return { package: from, path: path === '' ? name : `${path}.${name}` };
}

function throughPattern(whole: Origin | undefined, pattern: Node, name: string): Origin | undefined {
  const keys = whole && pattern.type === 'ObjectPattern' ? pathInPattern(pattern, name) : undefined;
  return whole && keys?.reduce(memberOf, whole);
}

function positionOf(fn: FunctionNode, call: TSESTree.CallExpression): number | undefined {
  const position = call.arguments.findIndex((argument) => argument === fn);
  return position === -1 ? undefined : position;
}
