import type { Report } from '../../finding.ts';
import { excerpt } from '../../source/describe.ts';
import { breakersIn } from '../../source/limits/breakers.ts';
import { Limits } from '../../source/limits/limits.ts';
import { placeOfNode } from '../../source/module.ts';
import type { Program } from '../../source/program.ts';
import { anyEnvironment } from '../../source/setting.ts';
import { duration, isInverted, type MessageId, raise } from './order.ts';

/** A breaker must not give up before what it calls does. */
export function* aboutBreakers({ modules, values, origins, held: { waits } }: Program): Iterable<Report<MessageId>> {
  const limits = new Limits({ values, origins, waits, environment: anyEnvironment });
  for (const module of modules.filter(({ role }) => role === 'production')) {
    for (const { limit: outer, work } of breakersIn(module, values)) {
      const inner = limits.longestIn(work);
      if (!inner || !isInverted(inner.limit, outer)) continue;
      const { node, module: home } = inner.call;
      const call = excerpt(home, node);
      yield {
        at: outer.place,
        message: 'breaker',
        data: {
          waiter: capitalised(outer.of),
          outer: duration(outer.milliseconds),
          call,
          limit: inner.limit.of,
          inner: duration(inner.limit.milliseconds),
        },
        related: [
          { at: placeOfNode(home, node), message: 'this goes on' },
          { at: inner.limit.place, message: `it ends after ${duration(inner.limit.milliseconds)}` },
        ],
        fixes: raise(outer, inner.limit),
      };
    }
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
