import { moduleRule } from '../rule.ts';
import { placeOfNode } from '../source/module.ts';
import { wayFrom } from '../source/remaking/way.ts';

export default moduleRule({
  id: 'no-shared-single-client',
  severity: 'warning',
  summary: 'All requests share one database connection: they wait for each other, and get into each other’s transactions.',
  messages: {
    shared:
      '{name} is one connection for all requests: their statements wait for each other, a transaction of one takes in what the others send, and once it breaks all of them fail.',
  },
  *check(module, program) {
    for (const connection of program.sharedConnections) {
      const { site, query } = connection;
      if (site.module !== module || !program.services.has(module.path)) continue;
      yield {
        at: site.place,
        message: 'shared',
        data: { name: site.name ?? `this ${site.driver.name} connection` },
        related: [...wayFrom(connection), { at: placeOfNode(connection.module, query), message: 'queries through it here' }],
        symbol: site.name ?? '',
      };
    }
  },
});
