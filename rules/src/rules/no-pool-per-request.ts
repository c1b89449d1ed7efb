import type { Engine } from '../knowledge/driver.ts';
import { moduleRule } from '../rule.ts';
import { poolSize } from '../source/describe.ts';
import { functionName, isFunction } from '../source/module.ts';
import { wayFrom } from '../source/remaking/way.ts';
import { unitOf } from '../source/units.ts';

/** How many handlers run at a time in the example that a message gives. */
const concurrent = 50;

const servers: Readonly<Partial<Record<Engine, string>>> = {
  postgresql: 'PostgreSQL',
  mongodb: 'MongoDB',
  redis: 'Redis',
  smtp: 'the mail server',
};

export default moduleRule({
  id: 'no-pool-per-request',
  severity: 'error',
  summary: 'A pool or client is made anew for every request, so nothing is pooled and the server runs out of connections.',
  messages: {
    many: '{name} is made anew for every {event}: each opens up to {size} connections of its own, so {concurrent} at a time can hold {total}, until {server} refuses more.',
    one: '{name} is made anew for every {event}: each opens a connection of its own, so {concurrent} at a time hold {concurrent}, until {server} refuses more.',
    some: '{name} is made anew for every {event}: each opens connections of its own, until {server} refuses more.',
    closed:
      '{name} is made and closed again for every {event}: each waits until it is connected, and nothing limits how many are open at a time.',
  },
  *check(module, program) {
    for (const remaking of program.remakings) {
      const { site, handler } = remaking;
      if (site.module !== module) continue;
      const size = site.role === 'connection' ? 1 : poolSize(site);
      const unit = unitOf(site.node);
      yield {
        at: site.place,
        message: remaking.closed ? 'closed' : size === undefined ? 'some' : size === 1 ? 'one' : 'many',
        data: {
          name: site.name ?? `this ${site.role}`,
          event: handler.event,
          size: size ?? '',
          concurrent,
          total: (size ?? 0) * concurrent,
          server: servers[site.driver.engine] ?? 'the server',
        },
        related: wayFrom(remaking),
        symbol: (isFunction(unit) ? functionName(unit) : unit?.id?.name) ?? '',
      };
    }
  },
});
