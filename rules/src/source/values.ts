import type { Gives, Method, Resource, Driver } from '../knowledge/driver.ts';
import { driverExport, driverType, isDriver, isDriverMember } from '../knowledge/drivers.ts';
import { bare, isFunction, isModuleExports, keyName, placeOfNode, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from './module.ts';
import {
  annotationOf,
  fieldAnnotation,
  fieldInitialiser,
  fieldWrites,
  isOutside,
  isPlainTarget,
  isReassigned,
  parameterOf,
  pathInPattern,
} from './bindings.ts';
import { callbackOf, ownReturns } from './functions.ts';
import { callsInModule, callsOfExport, exportNamesOf, type CallSite } from './injection.ts';
import type { TypeOracle } from './types/oracle.ts';

export type ClassNode = TSESTree.ClassDeclaration | TSESTree.ClassExpression;

/** A node and the module it stands in. */
export interface Sited<N extends Node = Node> {
  readonly node: N;
  readonly module: Module;
}

/** What an expression is known to be — by imports, constructions, type annotations and calls, never by its name. */
export type Value =
  /** Something a package exports; an empty path is the package itself. */
  | { readonly kind: 'export'; readonly package: string; readonly path: readonly string[] }
  | ResourceValue
  | MethodValue
  | { readonly kind: 'promise'; readonly of: Value }
  | { readonly kind: 'function'; readonly at: Sited<FunctionNode> }
  | { readonly kind: 'class'; readonly at: Sited<ClassNode> }
  | { readonly kind: 'instance'; readonly at: Sited<ClassNode> }
  /** An object literal, and what it is declared to be where its own properties say nothing. */
  | { readonly kind: 'object'; readonly at: Sited<TSESTree.ObjectExpression>; readonly declared?: Value | undefined }
  /** What an interface or object type promises. */
  | { readonly kind: 'shape'; readonly module: Module; readonly members: readonly TSESTree.TypeElement[] }
  /** One of several, as a union type says: it has the members that any of them has. */
  | { readonly kind: 'either'; readonly of: readonly Value[] }
  | { readonly kind: 'namespace'; readonly module: Module };

/** A pool, lease or connection of a driver. */
export interface ResourceValue {
  readonly kind: 'resource';
  readonly driver: Driver;
  readonly name: string;
  readonly resource: Resource;
  /** The call or `new` that made it, or made the pool it was taken from. */
  readonly origin: Sited | undefined;
  /** It was taken by this very expression, or by a function that hands it over: who has it must give it back. */
  readonly acquired: boolean;
}

/** A method of a pool, lease or connection. */
export interface MethodValue {
  readonly kind: 'method';
  readonly receiver: ResourceValue;
  readonly name: string;
  readonly method: Method;
}

/** Finds other modules by import. */
export interface Imports {
  readonly resolve: (from: Module, specifier: string) => Module | { readonly package: string } | undefined;
  /** The driver whose own source a module is. */
  readonly ownDriver?: (module: Module) => string | undefined;
  /** The modules that import another one. */
  readonly importersOf?: (module: Module) => readonly Module[];
  /** Further packages that hand out connections, as the user declares them. */
  readonly declared?: readonly Driver[] | undefined;
}

/** Answers what expressions are; remembers its answers. */
export class Values {
  readonly #imports: Imports;
  readonly #types: TypeOracle | undefined;
  readonly #known = new WeakMap<Node, Value | 'open' | 'nothing'>();
  readonly #calls = new WeakMap<Node, readonly CallSite[]>();
  readonly #exports = new WeakMap<Module, Map<string, Sited | undefined>>();
  /** Object literals whose properties are being looked for: one may be spread into itself. */
  readonly #reading = new Set<Node>();

  constructor(imports: Imports, types?: TypeOracle) {
    this.#imports = imports;
    this.#types = types;
  }

  /** What an expression is, or undefined when nothing proves it. */
  valueOf(node: Node, module: Module): Value | undefined {
    const known = this.#known.get(node);
    if (known === 'open' || known === 'nothing') return undefined;
    if (known) return known;
    this.#known.set(node, 'open');
    const value = this.#evaluate(node, module);
    this.#known.set(node, value ?? 'nothing');
    return value;
  }

  /** The resource an expression is, through a promise when it is awaited later. */
  resourceOf(node: Node, module: Module): ResourceValue | undefined {
    const value = settled(this.valueOf(node, module));
    if (value?.kind === 'export') return this.#exportedResource(value);
    return value?.kind === 'resource' ? value : undefined;
  }

  /** The resource an expression is, itself or as an instance of a class of the root that extends the driver's. */
  handleOf(node: Node, module: Module): ResourceValue | undefined {
    const value = settled(this.valueOf(node, module));
    if (value?.kind === 'resource') return value;
    return value?.kind === 'instance' ? this.#extendedResource(value.at) : undefined;
  }

  /** The driver's method that a call calls. */
  methodOf({ callee }: Pick<TSESTree.CallExpression, 'callee'>, module: Module): MethodValue | undefined {
    const value = this.valueOf(callee, module);
    if (value?.kind === 'export') return this.#exportedMethod(value);
    return value?.kind === 'method' ? value : undefined;
  }

  /** The function of the root that a call calls. */
  calledFunction(call: TSESTree.CallExpression | TSESTree.NewExpression, module: Module): Sited<FunctionNode> | undefined {
    const value = this.valueOf(call.callee, module);
    return value?.kind === 'function' ? value.at : undefined;
  }

  /** The package export behind an expression: `fastify` of `import fastify from 'fastify'`. */
  exportOf(node: Node, module: Module): { package: string; path: string } | undefined {
    const value = this.valueOf(node, module);
    return value?.kind === 'export' ? { package: value.package, path: value.path.join('.') } : undefined;
  }

  /** The expression that an expression stands for: through constants, imports and properties of object literals. */
  follow(node: Node, module: Module, depth = 0): Sited {
    const here = { node: bare(node), module };
    if (depth > 20) return here;
    const next = this.#definition(here.node, module);
    return next ? this.follow(next.node, next.module, depth + 1) : here;
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
        const spread = this.follow(property.argument, object.module);
        const inner =
          spread.node.type === 'ObjectExpression' ? this.property({ node: spread.node, module: spread.module }, name) : 'unknown';
        found = inner ?? found;
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
      if (definition?.type === 'ImportBinding') return this.#importedNode(definition.node, module);
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
    const value = this.valueOf(node.object, module);
    if (value?.kind === 'namespace') return this.#exportedNode(value.module, name);
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

  #importedNode(specifier: Node, module: Module): Sited | undefined {
    const declaration = specifier.parent;
    if (declaration?.type !== 'ImportDeclaration' || specifier.type === 'ImportNamespaceSpecifier') return undefined;
    const target = this.#imports.resolve(module, declaration.source.value);
    return target && !('package' in target) ? this.#exportedNode(target, importedName(specifier)) : undefined;
  }

  #exportedNode(module: Module, name: string): Sited | undefined {
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
      const target = this.#imports.resolve(module, exported.from);
      return target && !('package' in target) ? this.#findExport(target, exported.name, depth + 1) : undefined;
    }
    if (module.exports.whole) {
      const whole = this.follow(module.exports.whole, module);
      if (name === 'default') return whole;
      return whole.node.type === 'ObjectExpression' ? plain(this.property({ node: whole.node, module: whole.module }, name)) : undefined;
    }
    for (const specifier of module.exports.stars) {
      const target = this.#imports.resolve(module, specifier);
      const found = target && !('package' in target) ? this.#findExport(target, name, depth + 1) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #evaluate(node: Node, module: Module): Value | undefined {
    switch (node.type) {
      case 'Identifier':
        return this.#identifier(node, module);
      case 'ThisExpression':
        return this.#this(node, module);
      case 'MemberExpression':
        return this.#member(node, module);
      case 'NewExpression':
        return this.#constructed(node, module);
      case 'CallExpression':
        return this.#called(node, module);
      case 'ImportExpression':
        return this.#dynamicImport(node, module);
      case 'AwaitExpression':
        return settled(this.valueOf(node.argument, module));
      case 'AssignmentExpression':
        return this.valueOf(node.right, module);
      case 'LogicalExpression':
        return this.valueOf(node.left, module) ?? this.valueOf(node.right, module);
      case 'ConditionalExpression':
        return this.valueOf(node.consequent, module) ?? this.valueOf(node.alternate, module);
      case 'SequenceExpression':
        return this.#last(node.expressions, module);
      case 'TSAsExpression':
      case 'TSTypeAssertion':
      case 'TSSatisfiesExpression':
        return this.#cast(node, module);
      case 'TSNonNullExpression':
      case 'TSInstantiationExpression':
      case 'ChainExpression':
        return this.valueOf(node.expression, module);
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return { kind: 'function', at: { node, module } };
      case 'ClassDeclaration':
      case 'ClassExpression':
        return { kind: 'class', at: { node, module } };
      case 'ObjectExpression':
        return { kind: 'object', at: { node, module } };
      default:
        return undefined;
    }
  }

  /** What is cast keeps its origin, unless the cast says more of it. */
  #cast(node: TSESTree.TSAsExpression | TSESTree.TSTypeAssertion | TSESTree.TSSatisfiesExpression, module: Module): Value | undefined {
    const type = this.#type(node.typeAnnotation, module);
    if (type?.kind === 'shape' || type?.kind === 'instance') return type;
    const value = this.valueOf(node.expression, module);
    return value?.kind === 'either' ? (type ?? value) : (value ?? type);
  }

  #last(expressions: readonly Node[], module: Module): Value | undefined {
    const last = expressions.at(-1);
    return last && this.valueOf(last, module);
  }

  #identifier(node: TSESTree.Identifier, module: Module): Value | undefined {
    const variable = module.variableOf(node);
    const value = variable && this.#variable(variable, module);
    return value && isOutside(variable, node) ? handedOver(value) : value;
  }

  #variable(variable: Variable, module: Module): Value | undefined {
    for (const { type, node, name } of variable.defs) {
      if (type === 'ImportBinding') return this.#imported(node, module);
      if (type === 'ClassName' || type === 'FunctionName') return this.valueOf(node, module);
      if (type === 'Parameter') return this.#parameter(variable, name, module);
      if (type === 'Variable') return this.#declared(variable, node, module);
    }
    return undefined;
  }

  #declared(variable: Variable, declarator: TSESTree.VariableDeclarator, module: Module): Value | undefined {
    const written = this.#writtenValue(variable, module);
    const annotation = annotationOf(declarator.id);
    if (written) return this.#declaredAs(written, annotation, module);
    if (declarator.id.type === 'Identifier') return annotation && this.#type(annotation, module);
    const source = declarator.init && this.valueOf(declarator.init, module);
    return source ? this.#throughPattern(source, declarator.id, variable.name) : undefined;
  }

  #declaredAs(value: Value, type: TSESTree.TypeNode | undefined, module: Module): Value {
    return value.kind === 'object' && type ? { ...value, declared: settled(this.#type(type, module)) } : value;
  }

  /** What the assignments to a variable agree on. */
  #writtenValue(variable: Variable, module: Module): Value | undefined {
    const values: Value[] = [];
    for (const { writeExpr, identifier } of variable.references) {
      if (!writeExpr || !isPlainTarget(identifier)) continue;
      const value = this.valueOf(writeExpr, module);
      if (value) values.push(value);
    }
    return agreed(values);
  }

  #throughPattern(source: Value, pattern: Node, name: string): Value | undefined {
    if (pattern.type !== 'ObjectPattern') return undefined;
    const path = pathInPattern(pattern, name);
    return path?.reduce<Value | undefined>((value, key) => value && this.memberValue(value, key), source);
  }

  #imported(specifier: Node, module: Module): Value | undefined {
    const declaration = specifier.parent;
    if (specifier.type === 'TSImportEqualsDeclaration') {
      const { moduleReference } = specifier;
      return moduleReference.type === 'TSExternalModuleReference' ? this.#required(moduleReference.expression, module) : undefined;
    }
    if (declaration?.type !== 'ImportDeclaration') return undefined;
    const target = this.#imports.resolve(module, declaration.source.value);
    if (!target) return undefined;
    const name = specifier.type === 'ImportNamespaceSpecifier' ? undefined : importedName(specifier);
    if ('package' in target) return exported(target.package, name === undefined || name === 'default' ? [] : [name]);
    return name === undefined ? { kind: 'namespace', module: target } : this.#exportedValue(target, name);
  }

  #exportedValue(module: Module, name: string, depth = 0): Value | undefined {
    const own = this.#imports.ownDriver?.(module);
    if (own !== undefined && driverExport(own, name)) return exported(own, [name]);
    const at = this.#exportedNode(module, name);
    if (at) return handedOver(this.valueOf(at.node, at.module));
    if (depth > 10) return undefined;
    const reexport = module.exports.named.get(name);
    if (reexport?.kind === 'reexport') return this.#reexported(module, reexport.from, reexport.name, depth);
    for (const specifier of module.exports.stars) {
      const value = this.#reexported(module, specifier, name, depth);
      const isGuess = value?.kind === 'export' && !driverExport(value.package, name);
      if (value && !isGuess) return value;
    }
    return undefined;
  }

  /** What a name of a module or package is that another module exports again. */
  #reexported(module: Module, from: string, name: string, depth: number): Value | undefined {
    const target = this.#imports.resolve(module, from);
    if (!target) return undefined;
    if ('package' in target) return exported(target.package, name === 'default' || name === '*' ? [] : [name]);
    return name === '*' ? { kind: 'namespace', module: target } : this.#exportedValue(target, name, depth + 1);
  }

  #dynamicImport(node: TSESTree.ImportExpression, module: Module): Value | undefined {
    const value = this.#required(node.source, module);
    return value && { kind: 'promise', of: value };
  }

  #required(specifier: Node | undefined, module: Module): Value | undefined {
    if (specifier?.type !== 'Literal' || typeof specifier.value !== 'string') return undefined;
    const target = this.#imports.resolve(module, specifier.value);
    if (!target) return undefined;
    if ('package' in target) return exported(target.package, []);
    const { whole } = target.exports;
    return whole ? handedOver(this.valueOf(whole, target)) : { kind: 'namespace', module: target };
  }

  #parameter(variable: Variable, identifier: Node, module: Module): Value | undefined {
    const parameter = parameterOf(identifier);
    if (!parameter) return undefined;
    const { pattern, fn, index } = parameter;
    const annotation = annotationOf(pattern);
    const whole =
      (annotation && this.#type(annotation, module)) ??
      this.#callbackParameter(fn, index, module) ??
      this.#argumentValue(fn, index, module);
    if (!whole) return undefined;
    return pattern.type === 'Identifier' ? whole : this.#throughPattern(whole, pattern, variable.name);
  }

  /** What a driver, or a promise, calls back with. */
  #callbackParameter(fn: FunctionNode, index: number, module: Module): Value | undefined {
    const call = fn.parent;
    if (call.type !== 'CallExpression') return undefined;
    const position = call.arguments.indexOf(fn as TSESTree.Expression);
    if (position === -1) return undefined;
    if (call.callee.type === 'MemberExpression' && propertyName(call.callee) === 'then' && position === 0 && index === 0) {
      return settled(this.valueOf(call.callee.object, module));
    }
    const called = this.methodOf(call, module);
    if (called?.method.does === 'scoped' && index === 0 && isCallbackAt(call, position, called.method.callback)) {
      return give(called.receiver.driver, { resource: called.method.gives, as: 'value' }, called.receiver.origin, false);
    }
    if (called?.method.does === 'acquire' && called.method.orScoped && index === 0) {
      return give(called.receiver.driver, { ...called.method.gives, as: 'value' }, called.receiver.origin, false);
    }
    if (called?.method.does === 'acquire' && index === 1 && callbackOf(call) === fn) {
      return give(called.receiver.driver, { ...called.method.gives, as: 'value' }, called.receiver.origin, true);
    }
    return undefined;
  }

  /** What every call of a function, or `new` of its class, passes to an unannotated parameter. */
  #argumentValue(fn: FunctionNode, index: number, module: Module): Value | undefined {
    const { parent } = fn;
    const callee = parent.type === 'MethodDefinition' && parent.kind === 'constructor' ? parent.parent.parent : fn;
    const values = this.#callsOf(callee, module).flatMap(({ node, module: caller }) => {
      const argument = node.arguments[index];
      return (argument && this.valueOf(argument, caller)) ?? [];
    });
    return handedOver(agreed(values));
  }

  #callsOf(callee: Node, module: Module): readonly CallSite[] {
    const known = this.#calls.get(callee) ?? [...callsInModule(callee, module), ...this.#callsElsewhere(callee, module)];
    this.#calls.set(callee, known);
    return known;
  }

  #callsElsewhere(callee: Node, module: Module): readonly CallSite[] {
    const { importersOf, resolve } = this.#imports;
    const names = importersOf ? exportNamesOf(callee, module) : [];
    if (!importersOf || names.length === 0) return [];
    return importersOf(module).flatMap((importer) =>
      names.flatMap((name) => callsOfExport(name, importer, (specifier) => resolve(importer, specifier) === module)),
    );
  }

  #this(node: TSESTree.ThisExpression, module: Module): Value | undefined {
    for (let at: Node | undefined = node.parent; at; at = at.parent) {
      if (at.type === 'FunctionDeclaration') return undefined;
      if (at.type === 'FunctionExpression' && at.parent.type === 'Property' && at.parent.parent.type === 'ObjectExpression') {
        return { kind: 'object', at: { node: at.parent.parent, module } };
      }
      if (at.type === 'FunctionExpression' && at.parent.type !== 'MethodDefinition') return undefined;
      if (at.type === 'MethodDefinition' || at.type === 'PropertyDefinition') {
        const owner = at.parent.parent;
        return { kind: at.static ? 'class' : 'instance', at: { node: owner, module } };
      }
    }
    return undefined;
  }

  #member(node: TSESTree.MemberExpression, module: Module): Value | undefined {
    if (isModuleExports(node) && !module.exports.whole) return { kind: 'namespace', module };
    const name = propertyName(node);
    if (name === undefined) return undefined;
    const object = this.valueOf(node.object, module);
    const value = object && this.memberValue(object, name);
    const isOpen = object?.kind !== 'resource' && (value?.kind === 'export' ? !isDriver(value.package) : !value);
    return handedOver((isOpen ? this.#typedMember(node.object, name, module) : undefined) ?? value);
  }

  /** A driver's member of something of which only the type is known. A type never says who took it. */
  #typedMember(object: Node, name: string, module: Module): Value | undefined {
    if (!this.#types || !isDriverMember(name)) return undefined;
    const [type] = this.#types.typesOf(placeOfNode(module, object)).flatMap((each) => driverType(each) ?? []);
    const receiver = type && give(type.driver, { resource: type.resource, as: 'value' }, undefined, false);
    return receiver && this.memberValue(receiver, name);
  }

  /** What a property of a value is. */
  memberValue(value: Value, name: string): Value | undefined {
    switch (value.kind) {
      case 'export':
        return this.#exportedMember(value, name);
      case 'resource':
        return memberOf(value, name);
      case 'method':
        return name === 'bind' || name === 'call' ? value : undefined;
      case 'namespace':
        return this.#exportedValue(value.module, name);
      case 'object': {
        const at = plain(this.property(value.at, name));
        return (at && this.valueOf(at.node, at.module)) ?? (value.declared && this.memberValue(value.declared, name));
      }
      case 'either':
        return agreed(value.of.flatMap((each) => this.memberValue(each, name) ?? []));
      case 'shape':
        return this.#shapeMember(value.module, value.members, name);
      case 'instance':
      case 'class':
        return this.#classMember(value.at, name, value.kind === 'class');
      case 'promise':
      case 'function':
        return undefined;
    }
  }

  #shapeMember(module: Module, members: readonly TSESTree.TypeElement[], name: string): Value | undefined {
    for (const member of members) {
      if (member.type !== 'TSPropertySignature' || keyName(member) !== name) continue;
      return member.typeAnnotation && this.#type(member.typeAnnotation.typeAnnotation, module);
    }
    return undefined;
  }

  #classMember(at: Sited<ClassNode>, name: string, isStatic: boolean, depth = 0): Value | undefined {
    const { node, module } = at;
    for (const member of node.body.body) {
      if (member.type === 'MethodDefinition' && member.static === isStatic && keyName(member) === name && isFunction(member.value)) {
        return member.kind === 'get' ? this.#returned({ node: member.value, module }) : this.valueOf(member.value, module);
      }
    }
    const field = agreed(fieldWrites(at, name).flatMap((write) => this.valueOf(write, module) ?? [])) ?? this.#fieldType(at, name);
    if (field) return handedOver(field);
    const parent = node.superClass && depth < 10 ? this.valueOf(node.superClass, module) : undefined;
    if (parent?.kind === 'class') return this.#classMember(parent.at, name, isStatic, depth + 1);
    const base = isStatic && parent?.kind === 'export' ? this.#exportedResource(parent) : this.#extendedResource(at);
    return base && this.memberValue(base, name);
  }

  /** What a class inherits from a driver. */
  #extendedResource({ node, module }: Sited<ClassNode>): ResourceValue | undefined {
    const parent = node.superClass ? this.valueOf(node.superClass, module) : undefined;
    const base = parent?.kind === 'export' ? this.#constructs(parent, undefined) : undefined;
    return base?.kind === 'resource' ? base : undefined;
  }

  #fieldType({ node, module }: Sited<ClassNode>, name: string): Value | undefined {
    const type = fieldAnnotation(node, name);
    return type && this.#type(type, module);
  }

  #constructed(node: TSESTree.NewExpression, module: Module): Value | undefined {
    const callee = this.valueOf(node.callee, module);
    if (callee?.kind === 'export') return this.#constructs(callee, { node, module });
    if (callee?.kind !== 'class') return undefined;
    const parent = callee.at.node.superClass && this.valueOf(callee.at.node.superClass, callee.at.module);
    const base = parent?.kind === 'export' ? this.#constructs(parent, { node, module }) : undefined;
    return base ?? this.#implemented(callee.at) ?? { kind: 'instance', at: callee.at };
  }

  /** A class that implements a lease makes one, if giving it back does anything. */
  #implemented({ node, module }: Sited<ClassNode>): Value | undefined {
    const types = node.implements.map(({ expression }) => this.#namedType(expression, module, 0));
    const lease = types.find((type) => type?.kind === 'resource' && type.resource.role === 'lease');
    if (lease?.kind !== 'resource') return undefined;
    const isHeld = node.body.body.some((member) => isFilledMethod(member, (name) => lease.resource.methods[name]?.does === 'release'));
    return isHeld ? { ...lease, acquired: true } : undefined;
  }

  #called(node: TSESTree.CallExpression, module: Module): Value | undefined {
    if (node.callee.type === 'Identifier' && node.callee.name === 'require' && !module.variableOf(node.callee)) {
      return this.#required(node.arguments[0], module);
    }
    const callee = this.valueOf(node.callee, module);
    switch (callee?.kind) {
      case 'export': {
        const known = this.#fact(callee);
        if (known?.fact.calls) return this.#made(node, known.driver, known.fact.calls, module);
        const method = this.#exportedMethod(callee);
        return method && this.#methodResult(node, method, module);
      }
      case 'resource':
        return callee.resource.calls && this.#made(node, callee.driver, callee.resource.calls, module);
      case 'method':
        return isBind(node) ? callee : this.#methodResult(node, callee, module);
      case 'function':
        return this.#returned(callee.at);
      default:
        return this.#promiseStep(node, module);
    }
  }

  /** What a call makes, which may be only a cover of a pool, lease or connection that exists. */
  #made(node: TSESTree.CallExpression, driver: Driver, gives: Gives, module: Module): Value | undefined {
    const covered = gives.covers && this.#covered(node.arguments[0], gives.covers, module);
    if (!covered) return give(driver, gives, { node, module }, false);
    const resource = driver.resources[gives.resource];
    if (covered === 'unknown' || !resource) return undefined;
    const { role } = covered.resource;
    return { kind: 'resource', driver, name: gives.resource, resource: { ...resource, role }, origin: covered.origin, acquired: false };
  }

  /** The resource that an argument is, or holds under one of some keys; undefined when it is settings. */
  #covered(argument: Node | undefined, keys: readonly string[], module: Module): ResourceValue | 'unknown' | undefined {
    if (!argument) return undefined;
    const own = this.resourceOf(argument, module);
    if (own) return own;
    const at = this.follow(argument, module);
    if (at.node.type !== 'ObjectExpression') return at.node.type === 'Identifier' ? 'unknown' : undefined;
    const object = { node: at.node, module: at.module };
    const held = keys.map((key) => this.property(object, key)).find((found) => found !== undefined);
    return held && held !== 'unknown' ? (this.resourceOf(held.node, held.module) ?? 'unknown') : held;
  }

  #methodResult(node: TSESTree.CallExpression, { receiver, method }: MethodValue, module: Module): Value | undefined {
    if (method.does === 'acquire' && method.gives.under !== undefined) return undefined;
    if (method.does === 'acquire') {
      const { as } = method.gives;
      const byCallback = as === 'callback' || (as === 'promise-or-callback' && this.#mayCallBack(node, module));
      if (byCallback || (method.orScoped && !this.#areOptions(node.arguments, module))) return undefined;
      return give(receiver.driver, { ...method.gives, as: as === 'value' ? 'value' : 'promise' }, receiver.origin, true);
    }
    if (method.does === 'view') return give(receiver.driver, method.gives, receiver.origin, receiver.acquired);
    return undefined;
  }

  /** A call whose result is used does not call back. */
  #mayCallBack({ parent, arguments: args }: TSESTree.CallExpression, module: Module): boolean {
    return /^(ExpressionStatement|ReturnStatement|ArrowFunctionExpression)$/.test(parent.type) && !this.#areOptions(args, module);
  }

  /** Whether no argument can be a function. */
  #areOptions(nodes: readonly Node[], module: Module): boolean {
    return nodes.every((node) => /^(ObjectExpression|Literal|TemplateLiteral)$/.test(this.follow(node, module).node.type));
  }

  /** `.then(f)` gives what f returns; `.catch` and `.finally` what was there. */
  #promiseStep(node: TSESTree.CallExpression, module: Module): Value | undefined {
    if (node.callee.type !== 'MemberExpression') return undefined;
    const name = propertyName(node.callee);
    if (name !== 'then' && name !== 'catch' && name !== 'finally') return undefined;
    const before = this.valueOf(node.callee.object, module);
    if (before?.kind !== 'promise') return undefined;
    if (name !== 'then') return before;
    const [fulfilled] = node.arguments;
    const value = isFunction(fulfilled) ? settled(this.#returned({ node: fulfilled, module })) : undefined;
    return value && { kind: 'promise', of: value };
  }

  /** What the driver says of an export. */
  #fact({ package: name, path }: ExportValue): ReturnType<typeof driverExport> {
    return driverExport(name, path.join('.'), this.#imports.declared);
  }

  #exportedMember(value: ExportValue, name: string): Value | undefined {
    const resource = this.#exportedResource(value);
    return resource ? memberOf(resource, name) : exported(value.package, name === 'default' ? value.path : [...value.path, name]);
  }

  /** What an export of a driver itself is. */
  #exportedResource(value: ExportValue): ResourceValue | undefined {
    const known = this.#fact(value);
    const given = known?.fact.is === undefined ? undefined : give(known.driver, { resource: known.fact.is, as: 'value' }, undefined, false);
    return given?.kind === 'resource' ? given : undefined;
  }

  /** An exported function that works like a method of its module. */
  #exportedMethod(value: ExportValue): MethodValue | undefined {
    const known = this.#fact(value);
    if (!known?.fact.does) return undefined;
    const resource: Resource = { role: 'pool', methods: {} };
    const receiver: ResourceValue = { kind: 'resource', driver: known.driver, name: '', resource, origin: undefined, acquired: false };
    return { kind: 'method', receiver, name: value.path.at(-1) ?? '', method: known.fact.does };
  }

  #constructs(callee: ExportValue, origin: Sited | undefined): Value | undefined {
    const known = this.#fact(callee);
    return known?.fact.constructs === undefined
      ? undefined
      : give(known.driver, { resource: known.fact.constructs, as: 'value' }, origin, false);
  }

  /** What the returns of a function agree on. */
  #returned({ node, module }: Sited<FunctionNode>): Value | undefined {
    const values = ownReturns(node).flatMap((returned) => settled(this.valueOf(returned, module)) ?? []);
    const value = agreed(values);
    const type = node.returnType?.typeAnnotation;
    if (!value) return type && this.#type(type, module);
    const returned = this.#declaredAs(value, type, module);
    return node.async || ownReturns(node).some((each) => this.valueOf(each, module)?.kind === 'promise') ? promiseOf(returned) : returned;
  }

  /** What a type annotation stands for. */
  #type(node: TSESTree.TypeNode, module: Module, depth = 0): Value | undefined {
    if (depth > 10) return undefined;
    switch (node.type) {
      case 'TSTypeReference':
        return this.#typeReference(node, module, depth);
      case 'TSUnionType':
        return eitherOf(node.types.flatMap((part) => this.#type(part, module, depth + 1) ?? []));
      case 'TSIntersectionType':
        return node.types.reduce<Value | undefined>((found, part) => found ?? this.#type(part, module, depth + 1), undefined);
      case 'TSTypeLiteral':
        return { kind: 'shape', module, members: node.members };
      case 'TSTypeQuery':
        return node.exprName.type === 'Identifier' ? this.valueOf(node.exprName, module) : undefined;
      default:
        return undefined;
    }
  }

  #typeReference(node: TSESTree.TSTypeReference, module: Module, depth: number): Value | undefined {
    const argument = node.typeArguments?.params[0];
    if (node.typeName.type === 'Identifier' && argument) {
      const inner = { Promise: true, Readonly: false, NonNullable: false, Awaited: false, PromiseLike: true }[node.typeName.name];
      const value = inner === undefined ? undefined : this.#type(argument, module, depth + 1);
      if (value) return inner ? promiseOf(value) : settled(value);
    }
    return this.#namedType(node.typeName, module, depth);
  }

  #namedType(name: Node, module: Module, depth: number): Value | undefined {
    const named = this.#typeName(name, module, depth);
    if (named?.kind === 'class') return { kind: 'instance', at: named.at };
    if (named?.kind !== 'export') return named;
    const known = this.#fact(named);
    return known?.fact.type === undefined ? undefined : give(known.driver, { resource: known.fact.type, as: 'value' }, undefined, false);
  }

  #typeName(name: Node, module: Module, depth: number): Value | undefined {
    if (name.type === 'TSQualifiedName') {
      const left = this.#typeName(name.left, module, depth);
      return left && this.memberValue(left, name.right.name);
    }
    if (name.type !== 'Identifier') return this.valueOf(name, module);
    const definition = module.variableOf(name)?.defs[0];
    if (definition?.type === 'ImportBinding') return this.#importedType(definition.node, module, depth);
    return definition ? this.#declaredType(definition.node, module, depth) : undefined;
  }

  #importedType(specifier: Node, module: Module, depth: number): Value | undefined {
    const value = this.#imported(specifier, module);
    if (value) return value;
    const at = this.#importedNode(specifier, module);
    if (!at) return undefined;
    const declaration = at.node.type === 'Identifier' ? at.module.variableOf(at.node)?.defs[0]?.node : at.node;
    return declaration && this.#declaredType(declaration, at.module, depth);
  }

  #declaredType(node: Node, module: Module, depth: number): Value | undefined {
    if (node.type === 'TSInterfaceDeclaration') {
      const extended = node.extends[0]?.expression;
      const base = node.body.body.length === 0 && extended ? this.valueOf(extended, module) : undefined;
      return base ?? { kind: 'shape', module, members: node.body.body };
    }
    if (node.type === 'TSTypeAliasDeclaration') return this.#type(node.typeAnnotation, module, depth + 1);
    return node.type === 'ClassDeclaration' ? this.valueOf(node, module) : undefined;
  }
}

/** A value once awaited. */
export function settled(value: Value | undefined): Value | undefined {
  return value?.kind === 'promise' ? settled(value.of) : value;
}

function promiseOf(value: Value): Value {
  return value.kind === 'promise' ? value : { kind: 'promise', of: value };
}

function exported(name: string, path: readonly string[]): Value {
  return { kind: 'export', package: name, path };
}

function give(driver: Driver, gives: Gives, origin: Sited | undefined, acquired: boolean): Value | undefined {
  const resource = driver.resources[gives.resource];
  if (!resource) return undefined;
  const value: ResourceValue = { kind: 'resource', driver, name: gives.resource, resource, origin, acquired };
  return gives.as === 'promise' ? { kind: 'promise', of: value } : value;
}

type ExportValue = Extract<Value, { kind: 'export' }>;

function memberOf(value: ResourceValue, name: string): Value | undefined {
  const property = value.resource.properties?.[name];
  if (property !== undefined) return give(value.driver, { resource: property, as: 'value' }, value.origin, false);
  const method = Object.hasOwn(value.resource.methods, name) ? value.resource.methods[name] : undefined;
  return method ? { kind: 'method', receiver: value, name, method } : modelOf(value, name);
}

/** `user` of `prisma.user`. */
function modelOf({ driver, resource, origin }: ResourceValue, name: string): Value | undefined {
  if (resource.models === undefined || /^[$_]/.test(name)) return undefined;
  return give(driver, { resource: resource.models, as: 'value' }, origin, false);
}

function isCallbackAt(call: TSESTree.CallExpression, position: number, callback: number | 'last'): boolean {
  return position === (callback === 'last' ? call.arguments.length - 1 : callback);
}

/** A value kept somewhere: whoever reads it there is not the one who took it. */
function handedOver(value: Value | undefined): Value | undefined {
  if (value?.kind === 'promise') {
    const of = handedOver(value.of);
    return of && { kind: 'promise', of };
  }
  return value?.kind === 'resource' && value.acquired ? { ...value, acquired: false } : value;
}

/** The one thing that several values are; a lease that only some of them take is not taken for sure. */
function agreed(values: readonly Value[]): Value | undefined {
  const [first, ...others] = values;
  if (!first) return undefined;
  const one = settled(first);
  const same = others.every((other) => isSame(one, settled(other)));
  if (!same) return undefined;
  const known = values.find((value) => originOf(value)) ?? first;
  return values.every(isAcquired) ? known : handedOver(known);
}

/** What several values agree on, or any of them. */
function eitherOf(values: readonly Value[]): Value | undefined {
  return agreed(values) ?? (values.length > 1 ? { kind: 'either', of: values } : undefined);
}

function isSame(a: Value | undefined, b: Value | undefined): boolean {
  if (a?.kind !== b?.kind || !a || !b) return false;
  if (a.kind === 'resource' && b.kind === 'resource') return a.driver === b.driver && a.name === b.name;
  if ('at' in a && 'at' in b) return a.at.node === b.at.node;
  return a === b;
}

function isAcquired(value: Value): boolean {
  const inner = settled(value);
  return inner?.kind === 'resource' && inner.acquired;
}

function originOf(value: Value): Sited | undefined {
  const inner = settled(value);
  return inner?.kind === 'resource' ? inner.origin : undefined;
}

function plain(found: Sited | 'unknown' | undefined): Sited | undefined {
  return found === 'unknown' ? undefined : found;
}

function importedName(specifier: Node): string {
  if (specifier.type !== 'ImportSpecifier') return 'default';
  return specifier.imported.type === 'Identifier' ? specifier.imported.name : specifier.imported.value;
}

function isFilledMethod(member: TSESTree.ClassElement, isWanted: (name: string) => boolean): boolean {
  if (member.type !== 'MethodDefinition' || !isWanted(keyName(member) ?? '')) return false;
  return (member.value.body?.body.length ?? 0) > 0;
}

function isBind(call: TSESTree.CallExpression): boolean {
  return call.callee.type === 'MemberExpression' && propertyName(call.callee) === 'bind';
}
