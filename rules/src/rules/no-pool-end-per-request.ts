import { moduleRule } from '../rule.ts';
import { excerpt } from '../source/describe.ts';
import { functionName, isFunction, placeOfNode } from '../source/module.ts';
import { wayFrom } from '../source/remaking/way.ts';
import { unitOf } from '../source/units.ts';

export default moduleRule({
  id: 'no-pool-end-per-request',
  severity: 'error',
  summary: 'A handler closes the pool that all requests share.',
  messages: {
    ends: '{call} closes {name} for every {event}, though all share it: those that run at the same time lose it, and the next one finds it closed.',
    reconnects:
      '{call} closes {name} for every {event}, though all share it: those that run at the same time lose it, and the next one connects anew.',
  },
  *check(module, program) {
    for (const ending of program.endings) {
      if (ending.module !== module) continue;
      const { call, site, handler, reopens } = ending;
      const unit = unitOf(call);
      yield {
        at: placeOfNode(module, call),
        message: reopens ? 'reconnects' : 'ends',
        data: { call: excerpt(module, call), name: site.name ?? `the ${site.driver.name} ${site.role}`, event: handler.event },
        ...(reopens ? { severity: 'warning' as const } : {}),
        related: [{ at: site.place, message: 'made here, once' }, ...wayFrom(ending)],
        symbol: (isFunction(unit) ? functionName(unit) : undefined) ?? '',
      };
    }
  },
});
