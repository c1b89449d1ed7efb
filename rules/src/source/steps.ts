import type { Node } from './module.ts';

/**
 * A control-flow graph with a step for everything that can matter to a lease: calls, awaits, assignments, reads of variables, tests.
 * `finally` blocks stand in it once for every way that leads through them, and the callbacks of a promise chain stand where they run,
 * so that `.then().finally()` and `try`/`finally` are the same shape.
 */
export type Step =
  /** The node's operands are evaluated; now the node itself is. `raise` is where a throw or rejection of it leads. */
  | { readonly kind: 'evaluate'; readonly node: Node; next: Step; readonly raise: Step | undefined }
  /** A promise that nobody wrote `await` for settles: `.then(f)` runs f. */
  | { readonly kind: 'settle'; readonly node: Node; next: Step; readonly raise: Step }
  | { readonly kind: 'branch'; readonly test: Node; readonly ifTrue: Step; readonly ifFalse: Step }
  | { readonly kind: 'throw'; readonly node: Node; readonly raise: Step }
  /** The head of a loop. */
  | { readonly kind: 'join'; next: Step | undefined }
  | { readonly kind: 'returned' }
  | { readonly kind: 'raised' };

/** Where control can go from a step; `raise` only when the caller wants it. */
export function successorsOf(step: Step, raises: (step: Extract<Step, { raise: unknown }>) => boolean): readonly Step[] {
  switch (step.kind) {
    case 'evaluate':
    case 'settle':
      return step.raise && raises(step) ? [step.next, step.raise] : [step.next];
    case 'branch':
      return [step.ifTrue, step.ifFalse];
    case 'throw':
      return raises(step) ? [step.raise] : [];
    case 'join':
      return step.next ? [step.next] : [];
    case 'returned':
    case 'raised':
      return [];
  }
}

/** Every step that can be reached. */
export function stepsFrom(entry: Step): readonly Step[] {
  const seen = new Set([entry]);
  for (const step of seen) for (const next of successorsOf(step, () => true)) seen.add(next);
  return [...seen];
}
