import type { Place } from '@poolcheck/parsers/text';
import { firstOf } from '../../first.ts';
import type { Framework, Takes } from '../../knowledge/framework.ts';
import { frameworkFact, handlersTakenBy, registeringNames, type Known } from '../../knowledge/frameworks.ts';
import { calledParameters } from '../remaking/calls.ts';
import { bare, isFunction, keyName, placeOfNode, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { documentedParameter, documentedType } from './jsdoc.ts';
import type { Origin, Origins } from './origins.ts';
import type { Unit } from '../units.ts';
import type { ClassNode, Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** A unit that a framework runs again and again. */
export interface Handler {
  readonly unit: Sited<Unit>;
  /** What makes it one: the registration, the type, the decorator. */
  readonly place: Place;
  /** "Express", "AWS Lambda". */
  readonly framework: string;
  /** What each run is for: "request", "job". */
  readonly event: string;
  /** What it returns is sent to a client: a function that returns a pool is marked by mistake. */
  readonly isSent?: true;
}

export interface Sources {
  readonly values: Values;
  readonly origins: Origins;
}

/** The handlers that a module registers, declares by type or decorates. */
export function handlersIn(module: Module, sources: Sources): readonly Handler[] {
  const calls = [...module.nodes('CallExpression'), ...module.nodes('NewExpression')];
  const functions = [
    ...module.nodes('FunctionDeclaration'),
    ...module.nodes('FunctionExpression'),
    ...module.nodes('ArrowFunctionExpression'),
  ];
  const classes = [...module.nodes('ClassDeclaration'), ...module.nodes('ClassExpression')];
  return [
    ...calls.flatMap((node) => registeredBy(node, module, sources)),
    ...functions.flatMap((node) => declaredBy(node, module, sources)),
    ...classes.flatMap((node) => implementedBy(node, module, sources)),
  ];
}

/** `app.get('/orders', f)`, `createServer(f)`, `new Worker('mail', f)`. */
function registeredBy(call: TSESTree.CallExpression | TSESTree.NewExpression, module: Module, sources: Sources): readonly Handler[] {
  if (!mayRegister(call)) return [];
  const functions = call.arguments.flatMap((argument) => functionsIn(argument, module, sources));
  if (functions.length === 0 && !call.arguments.some((argument) => isObject(argument, module, sources))) return [];
  const origin = sources.origins.of(call.callee, module);
  const known = origin && handlersTakenBy(origin.package, origin.path);
  if (!known || !isWanted(known.fact, call)) return [];
  const inObjects = (known.fact.in ?? []).flatMap((path) =>
    call.arguments.flatMap((argument) => functionsAt(argument, path, module, sources)),
  );
  return [...functions, ...inObjects].map((unit) => handlerOf(unit, known.framework, placeOfNode(module, call.callee)));
}

/** A cheap look at the name, before it is worked out what the callee and the arguments are. */
function mayRegister({ callee, arguments: given }: TSESTree.CallExpression | TSESTree.NewExpression): boolean {
  return given.length > 0 && (callee.type !== 'MemberExpression' || registeringNames.has(propertyName(callee) ?? ''));
}

function isObject(argument: Node, module: Module, { values }: Sources): boolean {
  return values.follow(argument, module).node.type === 'ObjectExpression';
}

function isWanted({ first }: Takes, call: TSESTree.CallExpression | TSESTree.NewExpression): boolean {
  const [argument] = call.arguments;
  return first === undefined || (argument?.type === 'Literal' && first.includes(String(argument.value)));
}

/** The functions that an expression gives a framework: itself, in a list, or within a wrapper such as `asyncHandler(f)`. */
export function functionsIn(expression: Node, module: Module, sources: Sources, depth = 0): readonly Sited<FunctionNode>[] {
  if (depth > 10) return [];
  const { values } = sources;
  const node = bare(expression);
  const inside = (part: Node | null, home: Module = module) => (part ? functionsIn(part, home, sources, depth + 1) : []);
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [{ node, module }];
    case 'ArrayExpression':
      return node.elements.flatMap((element) => inside(element));
    case 'SpreadElement':
      return inside(node.argument);
    case 'CallExpression': {
      const made = values.valueOf(node, module);
      const wrapped = wrappedBy(node, module, sources).flatMap((argument) => inside(argument));
      return made?.kind === 'function' ? [made.at, ...wrapped] : wrapped;
    }
    case 'Identifier':
    case 'MemberExpression': {
      const value = values.valueOf(node, module);
      if (value?.kind === 'function') return [value.at];
      const at = values.follow(node, module);
      return at.node === node ? [] : inside(at.node, at.module);
    }
    default:
      return [];
  }
}

/** The arguments of a wrapper that it calls whenever it is called itself: `f.bind(this)`, `asyncHandler(f)`, `withSession(f, options)`. */
function wrappedBy(call: TSESTree.CallExpression, module: Module, { values, origins }: Sources): readonly Node[] {
  if (call.callee.type === 'MemberExpression' && propertyName(call.callee) === 'bind') return [call.callee.object];
  const own = values.calledFunction(call, module);
  if (own) {
    const called = calledParameters(own, values);
    return call.arguments.filter((_, index) => called.has(index));
  }
  return origins.of(call.callee, module) || isUndeclared(call.callee, module) ? call.arguments : [];
}

/** A name that nobody declares: what a framework imports by itself (`defineEventHandler`). */
function isUndeclared(callee: Node, module: Module): boolean {
  return callee.type === 'Identifier' && !module.variableOf(callee)?.defs.length;
}

/** The functions at a path of an object: `handler`; `resolvers.*` is every function below `resolvers`. */
function functionsAt(argument: Node, path: string, module: Module, sources: Sources): readonly Sited<FunctionNode>[] {
  const at = sources.values.follow(argument, module);
  if (at.node.type !== 'ObjectExpression') return [];
  const found = sources.values.property({ node: at.node, module: at.module }, path.replace(/\.\*$/, ''));
  if (!found || found === 'unknown') return [];
  return path.endsWith('.*') ? functionsBelow(found, sources) : functionsIn(found.node, found.module, sources);
}

/** Every function in an object, its lists and its objects. */
export function functionsBelow({ node, module }: Sited, sources: Sources, depth = 0): readonly Sited<FunctionNode>[] {
  const at = sources.values.follow(node, module);
  if (depth > 6) return [];
  const below = (inner: Node) => functionsBelow({ node: inner, module: at.module }, sources, depth + 1);
  switch (at.node.type) {
    case 'ObjectExpression':
      return at.node.properties.flatMap((property) => below(property.type === 'SpreadElement' ? property.argument : property.value));
    case 'ArrayExpression':
      return at.node.elements.flatMap((element) => (element ? below(element) : []));
    default:
      return functionsIn(at.node, at.module, sources);
  }
}

/** A function that its type, its parameters' types or a decorator make a handler. */
function declaredBy(fn: FunctionNode, module: Module, sources: Sources): readonly Handler[] {
  const known =
    firstOf([...fn.params.keys()], (index) => given(fn, index, module, sources)) ??
    typed(fn, module, sources) ??
    decorated(fn, module, sources);
  return known ? [handlerOf({ node: fn, module }, known.framework, placeOfNode(module, known.node))] : [];
}

interface Evidence {
  readonly framework: Framework;
  readonly node: Node;
}

function given(fn: FunctionNode, index: number, module: Module, { origins }: Sources): Evidence | undefined {
  const parameter = fn.params[index];
  if (!parameter) return undefined;
  const inner = parameter.type === 'TSParameterProperty' ? parameter.parameter : parameter;
  const pattern = inner.type === 'AssignmentPattern' ? inner.left : inner;
  return evidence('given', origins.ofAnnotation(pattern, module) ?? documentedParameter(fn, index, module), pattern);
}

function typed(fn: FunctionNode, module: Module, { origins }: Sources): Evidence | undefined {
  const { parent } = fn;
  const documented = evidence('handler', documentedType(fn, module), fn);
  if (documented) return documented;
  if (parent.type === 'VariableDeclarator') return evidence('handler', origins.ofAnnotation(parent.id, module), parent.id);
  if (parent.type !== 'TSSatisfiesExpression' && parent.type !== 'TSAsExpression') return undefined;
  return evidence('handler', origins.ofType(parent.typeAnnotation, module), parent.typeAnnotation);
}

function decorated(fn: FunctionNode, module: Module, { origins }: Sources): Evidence | undefined {
  const { parent } = fn;
  if (parent.type !== 'MethodDefinition') return undefined;
  return firstOf(parent.decorators, ({ expression }) => {
    const callee = expression.type === 'CallExpression' ? expression.callee : expression;
    return evidence('decorator', origins.of(callee, module), expression);
  });
}

function evidence(wanted: 'given' | 'handler' | 'decorator', origin: Origin | undefined, node: Node): Evidence | undefined {
  const known = origin && frameworkFact(origin.package, origin.path);
  return known?.fact === wanted ? { framework: known.framework, node } : undefined;
}

/** The methods that a framework calls on a class, and the class itself when an instance is made for each request. */
function implementedBy(node: ClassNode, module: Module, sources: Sources): readonly Handler[] {
  const bases = [...node.implements.map(({ expression }) => expression), ...(node.superClass ? [node.superClass] : [])];
  const methods = bases.flatMap((base) => {
    const origin = sources.origins.of(base, module);
    const known = origin && implemented(frameworkFact(origin.package, `:${origin.path}`));
    return known
      ? methodsNamed(node, known.fact).map((unit) => handlerOf({ node: unit, module }, known.framework, placeOfNode(module, base)))
      : [];
  });
  return [...methods, ...scoped(node, module, sources)];
}

function implemented(known: ReturnType<typeof frameworkFact>): Known<readonly string[]> | undefined {
  return typeof known?.fact === 'object' && 'implementedBy' in known.fact
    ? { framework: known.framework, fact: known.fact.implementedBy }
    : undefined;
}

function methodsNamed(node: ClassNode, names: readonly string[]): readonly FunctionNode[] {
  return node.body.body.flatMap((member) =>
    member.type === 'MethodDefinition' && names.includes(keyName(member) ?? '') && isFunction(member.value) ? [member.value] : [],
  );
}

/** `@Injectable({ scope: Scope.REQUEST })` */
function scoped(node: ClassNode, module: Module, { values, origins }: Sources): readonly Handler[] {
  return node.decorators.flatMap(({ expression }) => {
    const [options] = expression.type === 'CallExpression' ? expression.arguments : [];
    const at = options && values.follow(options, module);
    const scope = at?.node.type === 'ObjectExpression' ? values.property({ node: at.node, module: at.module }, 'scope') : undefined;
    const origin = scope && scope !== 'unknown' ? origins.of(scope.node, scope.module) : undefined;
    const known = origin && frameworkFact(origin.package, origin.path);
    return known?.fact === 'per-event' ? [handlerOf({ node, module }, known.framework, placeOfNode(module, expression))] : [];
  });
}

export function handlerOf(unit: Sited<Unit>, { name, event }: Pick<Framework, 'name' | 'event'>, place: Place): Handler {
  return { unit, place, framework: name, event };
}
