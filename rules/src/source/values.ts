import type { InstalledOf } from '../knowledge/changing.ts';
import type { Driver, Gives, Resource } from '../knowledge/driver.ts';
import { driverExport, driverType, isDriver, isDriverMember } from '../knowledge/drivers.ts';
import { Annotations } from './annotations.ts';
import {
  annotationOf,
  fieldAnnotation,
  fieldWrites,
  isOutside,
  isPlainTarget,
  membersGiven,
  parameterOf,
  pathInPattern,
} from './bindings.ts';
import { Definitions, importedName, plain, type ResolveImport } from './definitions.ts';
import { callbackOf, ownReturns, parameterVariable } from './functions.ts';
import { type CallSite, Callers } from './injection.ts';
import { isFunction, isModuleExports, keyName, placeOfNode, propertyName } from './module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from './module.ts';
import type { TypeOracle } from './types/oracle.ts';
import { agreed, exported, give, handedOver, memberOf, passed, promiseOf, settled, withOrigin } from './value.ts';
import type { ClassNode, ExportValue, MethodValue, ResourceValue, Sited, Value } from './value.ts';

/** Finds other modules by import. */
export interface Imports {
  readonly resolve: ResolveImport;
  /** The driver whose own source a module is. */
  readonly ownDriver: (module: Module) => string | undefined;
  /** The modules that import another one. */
  readonly importersOf: (module: Module) => readonly Module[];
  /** Further packages that hand out connections, as the user declares them. */
  readonly declared?: readonly Driver[] | undefined;
  /** The versions of packages that a module gets. */
  readonly installedFor: (module: Module) => InstalledOf;
}

/** What code hangs on the objects of frameworks. */
interface CarriedValues {
  under(name: string, object: Node, module: Module): Value | undefined;
  readBy(call: TSESTree.CallExpression, module: Module): Value | undefined;
}

/** Answers what expressions are; remembers its answers. */
export class Values {
  readonly #imports: Imports;
  readonly #types: TypeOracle | undefined;
  #known = new WeakMap<Node, Value | 'open' | 'nothing'>();
  readonly #definitions: Definitions;
  readonly #annotations: Annotations;
  readonly #callers: Callers;
  readonly #carried: CarriedValues | undefined;

  constructor(imports: Imports, types?: TypeOracle, carried?: CarriedValues) {
    this.#imports = imports;
    this.#types = types;
    this.#carried = carried;
    this.#callers = new Callers(imports.resolve, imports.importersOf);
    this.#definitions = new Definitions(imports.resolve, (node, module) => this.valueOf(node, module));
    this.#annotations = new Annotations({
      valueOf: (node, module) => this.valueOf(node, module),
      memberValue: (value, name) => this.memberValue(value, name),
      imported: (specifier, module) => this.#imported(specifier, module),
      importedNode: (specifier, module) => this.#definitions.importedNode(specifier, module),
      fact: (value) => this.#fact(value),
    });
  }

  /** The versions of packages that a module gets. */
  installedFor(module: Module): InstalledOf {
    return this.#imports.installedFor(module);
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

  /** Computes something from answers that are forgotten afterwards: more is known then. */
  tentatively<Result>(compute: () => Result): Result {
    const known = this.#known;
    this.#known = new WeakMap();
    const result = compute();
    this.#known = known;
    return result;
  }

  /** The resource an expression is, through a promise when it is awaited later. */
  resourceOf(node: Node, module: Module): ResourceValue | undefined {
    const value = settled(this.valueOf(node, module));
    if (value?.kind === 'export') return this.#exportedResource(value);
    return value?.kind === 'resource' ? value : undefined;
  }

  /** The resource an expression is, itself or as a class of the root that extends the driver's, or an instance of one. */
  handleOf(node: Node, module: Module): ResourceValue | undefined {
    const value = settled(this.valueOf(node, module));
    if (value?.kind === 'resource') return value;
    if (value?.kind === 'class') return this.inherited(value.at)?.resource;
    return value?.kind === 'instance' ? this.#extendedResource(value.at) : undefined;
  }

  /** The resource that a class is because it extends one that a driver exports, and the class of the root that does so first. */
  inherited(at: Sited<ClassNode>, depth = 0): { readonly resource: ResourceValue; readonly first: Sited<ClassNode> } | undefined {
    const parent = at.node.superClass && depth < 10 ? this.valueOf(at.node.superClass, at.module) : undefined;
    if (parent?.kind === 'class') return this.inherited(parent.at, depth + 1);
    const resource = parent?.kind === 'export' ? this.#exportedResource(parent) : undefined;
    return resource && { resource, first: at };
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

  /** The expression that an expression stands for: through constants, imports and properties of object literals. */
  follow(node: Node, module: Module): Sited {
    return this.#definitions.follow(node, module);
  }

  /** The object literal that an expression stands for: also the one that a function of the root makes and returns. */
  object(node: Node, module: Module): Sited<TSESTree.ObjectExpression> | undefined {
    return this.#definitions.object(node, module);
  }

  /** The object literals that something spreads, one of which holds; undefined when that cannot be read. */
  spread(node: Node, module: Module): readonly Sited<TSESTree.ObjectExpression>[] | undefined {
    return this.#definitions.spread(node, module);
  }

  /** The expression a property of an object has, through spreads; 'unknown' when a part of the object cannot be read. */
  property(object: Sited<TSESTree.ObjectExpression>, name: string): Sited | 'unknown' | undefined {
    return this.#definitions.property(object, name);
  }

  /** The package export behind an expression: `fastify` of `import fastify from 'fastify'`. */
  exportOf(node: Node, module: Module): { package: string; path: string } | undefined {
    const value = this.valueOf(node, module);
    return value?.kind === 'export' ? { package: value.package, path: value.path.join('.') } : undefined;
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
    const type = this.#annotations.of(node.typeAnnotation, module);
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
    const value = this.#declaredValue(variable, declarator, module);
    const members = value === undefined || value.kind === 'object' ? membersGiven(variable) : undefined;
    return members && members.size > 0 ? { kind: 'filled', at: { node: declarator, module }, members, of: value } : value;
  }

  #declaredValue(variable: Variable, declarator: TSESTree.VariableDeclarator, module: Module): Value | undefined {
    const written = this.#writtenValue(variable, module);
    const annotation = annotationOf(declarator.id);
    if (written) return this.#declaredAs(written, annotation, module);
    if (declarator.id.type === 'Identifier') return annotation && this.#annotations.of(annotation, module);
    const source = declarator.init && this.valueOf(declarator.init, module);
    return (
      (source && this.#throughPattern(source, declarator.id, variable.name)) ??
      (declarator.init ? this.#carriedInto(declarator.id, variable.name, declarator.init, module) : undefined)
    );
  }

  #declaredAs(value: Value, type: TSESTree.TypeNode | undefined, module: Module): Value {
    return value.kind === 'object' && type ? { ...value, declared: settled(this.#annotations.of(type, module)) } : value;
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

  /** `const { db } = app.locals` */
  #carriedInto(pattern: Node, name: string, carrier: Node, module: Module): Value | undefined {
    const path = pattern.type === 'ObjectPattern' ? pathInPattern(pattern, name) : undefined;
    const [key] = path?.length === 1 ? path : [];
    return key === undefined ? undefined : handedOver(this.#carried?.under(key, carrier, module));
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
    const own = this.#imports.ownDriver(module);
    if (own !== undefined && driverExport(own, name)) return exported(own, [name]);
    const at = this.#definitions.exportedNode(module, name);
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
    const declared = annotation && this.#annotations.of(annotation, module);
    const given = this.#callbackParameter(fn, index, module) ?? this.#argumentValue(fn, index, module);
    const whole = declared ? withOrigin(declared, given) : given;
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
    return called ? undefined : this.#passedBack(call, position, index, module);
  }

  /** What a function of the root calls its argument with: `withClient((client) => …)`. */
  #passedBack(call: TSESTree.CallExpression, position: number, index: number, module: Module): Value | undefined {
    const callee = this.calledFunction(call, module);
    if (!callee) return undefined;
    const callback = parameterVariable(callee.node, position, callee.module);
    const values = callback?.references.flatMap(({ identifier }) => {
      const { parent } = identifier;
      const argument = parent.type === 'CallExpression' && parent.callee === identifier ? parent.arguments[index] : undefined;
      return (argument && this.valueOf(argument, callee.module)) ?? [];
    });
    return values && passed(values);
  }

  /** The calls of a function, or the `new` of its class when it is a constructor, as far as they are by name. */
  callsOf(fn: FunctionNode, module: Module): readonly CallSite[] {
    const { parent } = fn;
    const callee = parent.type === 'MethodDefinition' && parent.kind === 'constructor' ? parent.parent.parent : fn;
    return this.#callers.of(callee, module);
  }

  /** What every call of a function, or `new` of its class, passes to an unannotated parameter. */
  #argumentValue(fn: FunctionNode, index: number, module: Module): Value | undefined {
    const values = this.callsOf(fn, module).flatMap(({ node, module: caller }) => {
      const argument = node.arguments[index];
      return (argument && this.valueOf(argument, caller)) ?? [];
    });
    return passed(values);
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
    const value = (object && this.memberValue(object, name)) ?? this.#carried?.under(name, node.object, module);
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
        const at = plain(this.#definitions.property(value.at, name));
        return (at && this.valueOf(at.node, at.module)) ?? (value.declared && this.memberValue(value.declared, name));
      }
      case 'filled':
        return this.#filledMember(value.at.module, value.members.get(name)) ?? (value.of && this.memberValue(value.of, name));
      case 'either':
        return agreed(value.of.flatMap((each) => this.memberValue(each, name) ?? []));
      case 'shape':
        return this.#shapeMember(value.module, value.members, name);
      case 'instance':
      case 'class':
        return this.#classMember(value.at, name, value.kind === 'class');
      case 'promise':
        return value.orItself && this.memberValue(value.of, name);
      case 'function':
        return undefined;
    }
  }

  #filledMember(module: Module, writes: readonly Node[] = []): Value | undefined {
    return handedOver(agreed(writes.flatMap((write) => this.valueOf(write, module) ?? [])));
  }

  #shapeMember(module: Module, members: readonly TSESTree.TypeElement[], name: string): Value | undefined {
    for (const member of members) {
      if (member.type !== 'TSPropertySignature' || keyName(member) !== name) continue;
      return member.typeAnnotation && this.#annotations.of(member.typeAnnotation.typeAnnotation, module);
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
    return type && this.#annotations.of(type, module);
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
    const types = node.implements.map(({ expression }) => this.#annotations.named(expression, module));
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
        return this.#promiseStep(node, module) ?? handedOver(this.#carried?.readBy(node, module));
    }
  }

  /** What a call makes, which may be only a cover of a pool, lease or connection that exists. */
  #made(node: TSESTree.CallExpression, driver: Driver, gives: Gives, module: Module): Value | undefined {
    const covered = gives.covers && this.#covered(node.arguments[0], gives.covers, module);
    if (!covered) return give(driver, gives, { node, module }, false);
    const resource = driver.resources[gives.resource];
    if (covered === 'unknown' || !resource) return undefined;
    const { role } = covered.resource;
    const { origin } = covered;
    return { kind: 'resource', driver, name: gives.resource, resource: { ...resource, role }, origin, acquired: false, covered };
  }

  /** The resource that an argument is, or holds under one of some keys; undefined when it is settings. */
  #covered(argument: Node | undefined, keys: readonly string[], module: Module): ResourceValue | 'unknown' | undefined {
    if (!argument) return undefined;
    const own = this.resourceOf(argument, module);
    if (own) return own;
    const at = this.#definitions.follow(argument, module);
    if (at.node.type !== 'ObjectExpression') return at.node.type === 'Identifier' ? 'unknown' : undefined;
    const object = { node: at.node, module: at.module };
    const held = keys.map((key) => this.#definitions.property(object, key)).find((found) => found !== undefined);
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
    return nodes.every((node) => /^(ObjectExpression|Literal|TemplateLiteral)$/.test(this.#definitions.follow(node, module).node.type));
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

  /** What a plugin, given to a framework by this call, makes and hangs on the host. */
  hungByPlugin(call: TSESTree.CallExpression, module: Module): { readonly name: string; readonly value: ResourceValue } | undefined {
    const plugin = call.arguments[0] && this.valueOf(call.arguments[0], module);
    const known = plugin?.kind === 'export' ? this.#fact(plugin) : undefined;
    if (!known?.fact.hangs) return undefined;
    const { resource, name } = known.fact.hangs;
    const value = give(known.driver, { resource, as: 'value' }, { node: call, module }, false);
    return value?.kind === 'resource' ? { name, value } : undefined;
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
    if (!value) return type && this.#annotations.of(type, module);
    const returned = this.#declaredAs(value, type, module);
    return node.async || ownReturns(node).some((each) => this.valueOf(each, module)?.kind === 'promise') ? promiseOf(returned) : returned;
  }
}

function isCallbackAt(call: TSESTree.CallExpression, position: number, callback: number | 'last'): boolean {
  return position === (callback === 'last' ? call.arguments.length - 1 : callback);
}

function isFilledMethod(member: TSESTree.ClassElement, isWanted: (name: string) => boolean): boolean {
  if (member.type !== 'MethodDefinition' || !isWanted(keyName(member) ?? '')) return false;
  return (member.value.body?.body.length ?? 0) > 0;
}

function isBind(call: TSESTree.CallExpression): boolean {
  return call.callee.type === 'MemberExpression' && propertyName(call.callee) === 'bind';
}
