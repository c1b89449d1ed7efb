import type { Method } from '../../knowledge/driver.ts';
import type { SqlEffect } from '../../sql/effect.ts';
import { controlFlow } from '../cfg.ts';
import type { FunctionNode, Module, Node } from '../module.ts';
import type { SendingNode } from '../statements.ts';
import type { ResourceValue, Sited } from '../value.ts';
import type { Values } from '../values.ts';
import type { Exploration, Fate, Start, State } from './exploration.ts';
import { factTexts } from './facts.ts';
import { factsGiven } from './given.ts';
import { receivedAs, type Passing } from './passing.ts';
import { Raises } from './raises.ts';
import { Walk } from './walk.ts';

/** Explores functions for what becomes of leases; summaries are remembered. */
export class Explorer {
  readonly values: Values;
  readonly raises: Raises;
  readonly #sqlOf: (call: Node) => readonly SqlEffect[];
  readonly #passedFates = new Map<FunctionNode, Map<string, Fates>>();

  /** `sqlOf` answers what the SQL that a call sends does to its connection. */
  constructor(values: Values, sqlOf: (call: Node) => readonly SqlEffect[]) {
    this.values = values;
    this.raises = new Raises(values);
    this.#sqlOf = sqlOf;
  }

  /** Whether what is sent on a lease opens a transaction or ends one. */
  transactionStep(call: SendingNode, method: Method | undefined): 'begins' | 'ends' | undefined {
    if (method?.does === 'transaction') return method.step === 'begins' ? 'begins' : 'ends';
    const steps = this.#sqlOf(call).flatMap((effect) => stepOf(effect) ?? []);
    return steps.at(-1);
  }

  /** Follows a lease through a function; undefined when the function is too large to be told. */
  explore(start: Start, module: Module): Exploration | undefined {
    const entry = controlFlow(start.fn);
    return entry && new Walk(this, start, module, entry).run();
  }

  /** What a function of the root does with a lease that a call passes it. A recursive call is taken to change nothing. */
  fatesOfPassed(passing: Passing, fn: Sited<FunctionNode>, lease: ResourceValue): Fates {
    const { node } = fn;
    const facts = factsGiven(passing.call, passing.module, fn, this.values);
    const key = [passing.index, passing.key, ...factTexts(facts)].join();
    const known = this.#passedFates.get(node) ?? new Map<string, Fates>();
    this.#passedFates.set(node, known);
    const found = known.get(key);
    if (found) return found;
    known.set(key, { returned: 'borrowed', thrown: 'borrowed' });
    const fates = fatesIn(this.passed(passing, fn, lease));
    known.set(key, fates);
    return fates;
  }

  /** Everything that a lease can come to in a function that a call passes it. */
  passed(passing: Passing, fn: Sited<FunctionNode>, lease: ResourceValue): Exploration | undefined {
    const received = receivedAs(fn.node, passing, fn.module);
    const facts = factsGiven(passing.call, passing.module, fn, this.values);
    return (
      received && this.explore({ fn: fn.node, lease, taken: undefined, call: undefined, ...received, facts, isCallback: false }, fn.module)
    );
  }

  /** What calling a function that closes over the lease does to it. */
  fateOfClosure(fn: FunctionNode, state: Pick<State, 'names' | 'releasers'>, lease: ResourceValue, module: Module): Fate {
    const [holder] = state.names;
    const [releaser] = state.releasers;
    return fatesIn(this.explore({ fn, lease, taken: undefined, call: undefined, holder, releaser, isCallback: false }, module)).returned;
  }
}

/** What has become of a lease when a function returns, and when it throws. */
interface Fates {
  readonly returned: Fate;
  readonly thrown: Fate;
}

function fatesIn(exploration: Exploration | undefined): Fates {
  if (!exploration) return { returned: 'kept', thrown: 'kept' };
  return { returned: fateAt('returned', exploration), thrown: fateAt('raised', exploration) };
}

/** What the ways to an end agree on. */
function fateAt(end: 'returned' | 'raised', { states }: Exploration): Fate {
  const ends = states.filter(({ step, holding }) => step.kind === end || holding === 'escaped').map(({ holding }) => holding);
  if (ends.every((holding) => holding === 'released')) return 'released';
  return ends.every((holding) => holding === 'held') ? 'borrowed' : 'kept';
}

function stepOf(effect: SqlEffect): 'begins' | 'ends' | undefined {
  switch (effect.kind) {
    case 'begin':
      return 'begins';
    case 'commit':
    case 'rollback':
      return effect.chain ? 'begins' : 'ends';
    case 'prepare-transaction':
      return 'ends';
    default:
      return undefined;
  }
}
