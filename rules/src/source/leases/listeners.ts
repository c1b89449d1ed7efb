import { walk } from '@poolcheck/parsers/javascript/parse';
import { eventsAfter, streamKind, type StreamKind } from '../../knowledge/streams.ts';
import { visitBody } from '../functions.ts';
import type { Origins } from '../handlers/origins.ts';
import { bare, propertyName } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree, Variable } from '../module.ts';
import type { Explorer } from './explore.ts';
import { isWithin, referencesWithin, type LeaseSite } from './sites.ts';

/** A function that is registered for an event of something in a variable. */
interface Listener {
  readonly on: TSESTree.CallExpression;
  readonly emitter: TSESTree.Identifier;
  readonly event: string;
  readonly fn: FunctionNode;
}

/** A lease that listeners of two events give back, one of which certainly comes after the other. */
export interface ReleaseByEvents {
  readonly first: Node;
  readonly again: Node;
  /** "'error' of source" */
  readonly events: { readonly first: string; readonly again: string };
}

/** Finds what listeners do with leases: they run when nobody looks, and nothing catches what they throw. */
export class Listeners {
  readonly #explorer: Explorer;
  readonly #origins: Origins;

  constructor(explorer: Explorer, origins: Origins) {
    this.#explorer = explorer;
    this.#origins = origins;
  }

  /** The releases that run a second time because one event follows another. */
  releasedAgain(site: LeaseSite): readonly ReleaseByEvents[] {
    const holder = site.consumer.kind === 'variable' ? site.consumer.variable : undefined;
    if (!holder) return [];
    const releasing = this.#listenersIn(site).filter(({ fn }) => this.#alwaysReleases(fn, holder, site) && !isUnregistering(fn));
    return releasing.flatMap((first) => {
      const again = releasing.find((other) => isRegisteredWith(first, other) && this.#follows(first, other, site.module));
      if (!again) return [];
      const events = { first: describe(first), again: describe(again) };
      const isSame = first.fn === again.fn;
      return [
        isSame
          ? { first: first.on, again: again.on, events }
          : { first: releaseIn(first, holder, site), again: releaseIn(again, holder, site), events },
      ];
    });
  }

  /** The listener that alone gives the lease back, when it waits for the end of a response: a caller that goes away prevents that. */
  releasedOnlyOnFinish(site: LeaseSite): Node | undefined {
    const isHolder = holderOf(site);
    const releases = isHolder && releasesIn(site, isHolder);
    if (!releases) return undefined;
    const listeners = this.#listenersIn(site);
    const [only, ...others] = listeners.filter(({ fn }) => releases.some((release) => isWithin(release, fn)));
    if (!only || others.length > 0 || !releases.every((release) => isWithin(release, only.fn))) return undefined;
    return only.event === 'finish' && this.#kindOf(only.emitter, site.module) === 'response' ? only.on : undefined;
  }

  #listenersIn({ fn, module }: LeaseSite): readonly Listener[] {
    const found: Listener[] = [];
    walk(fn, (node) => {
      const listener = node.type === 'CallExpression' ? this.#listenerOf(node, module) : undefined;
      if (listener) found.push(listener);
    });
    return found.sort((a, b) => a.on.range[1] - b.on.range[1]);
  }

  #listenerOf(on: TSESTree.CallExpression, module: Module): Listener | undefined {
    const { callee } = on;
    const [event, handler] = on.arguments;
    if (callee.type !== 'MemberExpression' || !isRegistering(callee)) return undefined;
    if (event?.type !== 'Literal' || typeof event.value !== 'string' || !handler) return undefined;
    const emitter = emitterOf(callee.object);
    const value = this.#explorer.values.valueOf(handler, module);
    if (!emitter || value?.kind !== 'function' || value.at.module !== module) return undefined;
    return { on, emitter, event: event.value, fn: value.at.node };
  }

  #alwaysReleases(fn: FunctionNode, holder: Variable, { lease, module }: LeaseSite): boolean {
    return this.#explorer.fateOfClosure(fn, { names: [holder], releasers: [] }, lease, module) === 'released';
  }

  #follows(first: Listener, again: Listener, module: Module): boolean {
    const kind = this.#kindOf(again.emitter, module);
    if (!kind) return false;
    const target = module.variableOf(again.emitter);
    if (target === module.variableOf(first.emitter)) return eventsAfter[kind][first.event] === again.event;
    return destroyed(first.fn).some(
      ({ emitter, withError }) =>
        module.variableOf(emitter) === target && (again.event === 'close' || (again.event === 'error' && withError)),
    );
  }

  #kindOf(emitter: TSESTree.Identifier, module: Module): StreamKind | undefined {
    const { node, module: where } = this.#explorer.values.follow(emitter, module);
    const sent = node.type === 'CallExpression' && this.#explorer.values.methodOf(node, where)?.method.does === 'query';
    const argument = sent ? node.arguments[0] : undefined;
    const origin = this.#origins.of(argument ?? emitter, argument ? where : module);
    return origin && streamKind(origin.package, origin.path);
  }
}

function describe({ event, emitter }: Listener): string {
  return `'${event}' of ${emitter.name}`;
}

function isRegistering(callee: TSESTree.MemberExpression): boolean {
  return /^(on|once|addListener|prependListener|prependOnceListener)$/.test(propertyName(callee) ?? '');
}

/** `stream` of `stream.on('end', f).on('error', g)`. */
function emitterOf(object: Node): TSESTree.Identifier | undefined {
  const node = bare(object);
  if (node.type === 'Identifier') return node;
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || !isRegistering(node.callee)) return undefined;
  return emitterOf(node.callee.object);
}

function isUnregistering(fn: FunctionNode): boolean {
  let found = false;
  visitBody(fn, (node) => {
    found ||= node.type === 'MemberExpression' && /^(off|remove(All)?Listeners?)$/.test(propertyName(node) ?? '');
  });
  return found;
}

/** Whether one registration does not happen without the other. */
function isRegisteredWith(first: Listener, again: Listener): boolean {
  return first.on !== again.on && blockOf(first.on) === blockOf(again.on);
}

function blockOf(node: Node): Node | undefined {
  return node.type === 'BlockStatement' || !node.parent ? node : blockOf(node.parent);
}

/** The streams that a function destroys whatever happens. */
function destroyed(fn: FunctionNode): readonly { readonly emitter: TSESTree.Identifier; readonly withError: boolean }[] {
  const statements = fn.body.type === 'BlockStatement' ? fn.body.body : [];
  const straight = statements.findIndex(({ type }) => type !== 'ExpressionStatement' && type !== 'VariableDeclaration');
  return statements.slice(0, straight === -1 ? statements.length : straight).flatMap((statement) => {
    const call = statement.type === 'ExpressionStatement' ? bare(statement.expression) : undefined;
    if (call?.type !== 'CallExpression' || call.callee.type !== 'MemberExpression') return [];
    const { object } = call.callee;
    if (propertyName(call.callee) !== 'destroy' || object.type !== 'Identifier') return [];
    return [{ emitter: object, withError: call.arguments.length > 0 }];
  });
}

type IsHolder = (node: Node) => boolean;

/** Whether an expression is what the lease is kept in: a variable, or a property such as `req.db`. */
function holderOf({ consumer, node, module }: LeaseSite): IsHolder | undefined {
  if (consumer.kind === 'variable') {
    const { variable } = consumer;
    return (inner) => inner.type === 'Identifier' && module.variableOf(inner) === variable;
  }
  const assignment = node.parent.type === 'AwaitExpression' ? node.parent.parent : node.parent;
  if (assignment.type !== 'AssignmentExpression' || assignment.left.type !== 'MemberExpression') return undefined;
  const { left } = assignment;
  const text = (inner: Node) => module.text.content.slice(inner.range[0], inner.range[1]);
  return (inner) => inner.type === 'MemberExpression' && text(inner) === text(left);
}

/** The calls that give a lease back in the function that takes it; undefined when its release is handed to somebody else. */
function releasesIn({ fn, lease }: LeaseSite, isHolder: IsHolder): readonly Node[] | undefined {
  const releases: Node[] = [];
  const others: Node[] = [];
  walk(fn, (node) => {
    others.push(...handedOn(node).filter((each) => isHolder(bare(each))));
    if (node.type !== 'MemberExpression' || !isHolder(bare(node.object))) return;
    if (lease.resource.methods[propertyName(node) ?? '']?.does !== 'release') return;
    if (node.parent.type === 'CallExpression' && node.parent.callee === node) releases.push(node.parent);
    else others.push(node);
  });
  return others.length > 0 ? undefined : releases;
}

/** What a node gives to somebody else. */
function handedOn(node: Node): readonly Node[] {
  if (node.type === 'CallExpression') return node.arguments;
  return node.type === 'ReturnStatement' && node.argument ? [node.argument] : [];
}

/** Where a listener gives the lease back: the call, or the whole listener when another function does it. */
function releaseIn({ fn, on }: Listener, holder: Variable, { lease }: LeaseSite): Node {
  const member = referencesWithin(holder, fn)
    .map(({ parent }) => parent)
    .find((parent) => parent?.type === 'MemberExpression' && lease.resource.methods[propertyName(parent) ?? '']?.does === 'release');
  return member?.parent ?? on;
}
