import { walk } from '@poolcheck/parsers/javascript/parse';
import { globalWaitsFor, methodWaitsFor, pause } from '../../knowledge/slow-calls.ts';
import { isParameter } from '../functions.ts';
import { isFunction } from '../module.ts';
import type { FunctionNode, Module, Node, TSESTree } from '../module.ts';
import { isGlobal, isRace, resolvingTimer } from '../promises.ts';
import type { Origins } from '../handlers/origins.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { Held } from './held.ts';
import { isOccasional, isRetry } from './occasions.ts';
import { chainOf, type Waits } from './waits.ts';

/** A wait that takes longer than the database does. */
export interface SlowCall {
  readonly node: Node;
  /** What it waits for: "another service to answer". */
  readonly waitsFor: string;
  /** In a called function: where it does. */
  readonly through: Sited | undefined;
  /** In a called function: it is waited for between attempts. */
  readonly retries?: boolean;
}

/** Finds what waits for other services, mail, queues, processes and pauses. What is slow in functions is remembered by what they wait for. */
export class SlowCalls {
  readonly #values: Values;
  readonly #origins: Origins;
  readonly #waits: Waits;
  readonly #slowest = new Map<readonly Node[], (SlowCall & Sited) | undefined>();

  constructor(values: Values, origins: Origins, waits: Waits) {
    this.#values = values;
    this.#origins = origins;
    this.#waits = waits;
  }

  /** What is slow of all that is waited for while a connection is held. */
  during({ waits, module, node: taken }: Held): readonly SlowCall[] {
    return waits.filter((node) => node !== taken).flatMap((node) => this.#slow({ node, module }) ?? []);
  }

  #slow({ node, module }: Sited): SlowCall | undefined {
    if (node.type === 'NewExpression') {
      const waitsFor = this.#promised(node, module);
      return waitsFor === undefined ? undefined : { node, waitsFor, through: undefined };
    }
    if (node.type === 'CallExpression' && isRace(node)) return this.#inRace(node, module);
    for (const link of chainOf(node)) {
      const waitsFor = link.type === 'CallExpression' ? this.#waitsFor(link, module) : undefined;
      if (waitsFor !== undefined) return { node, waitsFor, through: undefined };
    }
    return node.type === 'CallExpression' ? this.#throughCall(node, module) : undefined;
  }

  /** A race ends with the first of its runners: only if all of them are slow, it is. */
  #inRace(race: TSESTree.CallExpression, module: Module): SlowCall | undefined {
    const found = this.#waits.ofRunners(race, module).map((waits) => waits.flatMap((node) => this.#slow({ node, module }) ?? [])[0]);
    return found.every((slow) => slow !== undefined) ? found[0] : undefined;
  }

  #throughCall(call: TSESTree.CallExpression, module: Module): SlowCall | undefined {
    const fn = isNoPause(call) || isParameter(call.callee, module) ? undefined : this.#values.calledFunction(call, module);
    const slow = fn && this.#firstOf(this.#waits.ofCall(call, module, fn), fn);
    return slow && { ...slow, node: call, through: slow.through ?? { node: slow.node, module: slow.module } };
  }

  /** The first slow thing of all that a function waits for; a recursive call is not one, nor a pause that it may never come to. */
  #firstOf(waits: readonly Node[], fn: Sited<FunctionNode>): (SlowCall & Sited) | undefined {
    const { module } = fn;
    if (this.#slowest.has(waits)) return this.#slowest.get(waits);
    this.#slowest.set(waits, undefined);
    for (const node of waits) {
      const slow = this.#slow({ node, module });
      if (!slow) continue;
      const retries = slow.retries === true || isRetry(node, fn.node) || this.#callsItself(waits, fn);
      if (slow.waitsFor === pause && !retries && isOccasional(node, fn)) continue;
      const found = { ...slow, module, retries };
      this.#slowest.set(waits, found);
      return found;
    }
    return undefined;
  }

  /** Whether a function waits for its own next run: it tries again. */
  #callsItself(waits: readonly Node[], { node: fn, module }: Sited<FunctionNode>): boolean {
    return waits.some((wait) => wait.type === 'CallExpression' && this.#values.calledFunction(wait, module)?.node === fn);
  }

  #waitsFor(call: TSESTree.CallExpression, module: Module): string | undefined {
    return isNoPause(call) ? undefined : this.#calleeWaitsFor(call.callee, module);
  }

  #calleeWaitsFor(callee: Node, module: Module): string | undefined {
    if (callee.type === 'Identifier' && !module.variableOf(callee)?.defs.length) return globalWaitsFor(callee.name);
    const origin = this.#origins.of(callee, module);
    if (!origin) return undefined;
    if (origin.package === 'util' && origin.path === 'promisify()') return this.#promisified(this.#values.follow(callee, module));
    return methodWaitsFor(origin.package, lastName(origin.path));
  }

  /** `promisify(exec)` */
  #promisified({ node, module }: Sited): string | undefined {
    const [callee] = node.type === 'CallExpression' ? node.arguments : [];
    if (!callee) return undefined;
    return isGlobal(callee, /^setTimeout$/, module) ? pause : this.#calleeWaitsFor(callee, module);
  }

  /** `new Promise(…)` around a timer or around a slow call with a callback. */
  #promised(promise: TSESTree.NewExpression, module: Module): string | undefined {
    const [executor] = promise.arguments;
    if (!isGlobal(promise.callee, /^Promise$/, module) || !isFunction(executor)) return undefined;
    // A deadline rejects.
    const timer = resolvingTimer(promise, module);
    if (timer && !isNothing(timer.arguments[1])) return pause;
    let found: string | undefined;
    walk(executor.body, (node) => {
      if (node.type === 'CallExpression') found ??= this.#waitsFor(node, module);
    });
    return found;
  }
}

/** `sleep(0)` only lets others run. */
function isNoPause({ arguments: [first] }: TSESTree.CallExpression): boolean {
  return first?.type === 'Literal' && first.value === 0;
}

function isNothing(delay: Node | undefined): boolean {
  return delay === undefined || (delay.type === 'Literal' && (delay.value === 0 || delay.value === 1));
}

/** `send` of `().emails.send`. */
function lastName(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  return name.startsWith(':') ? '' : name;
}
