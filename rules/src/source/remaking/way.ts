import type { Related } from '../../finding.ts';
import { placeOfNode } from '../module.ts';
import type { Way } from './runs.ts';

/** Who runs it for every request → the calls from there. */
export function wayFrom({ handler, calls }: Way): readonly Related[] {
  const start: Related = { at: handler.place, message: `${handler.framework} runs this for every ${handler.event}` };
  const steps = calls.flatMap(({ node, from }): Related[] =>
    node ? [{ at: placeOfNode(from.module, node.callee), message: 'which calls this' }] : [],
  );
  return [start, ...steps];
}
