import { showDefaultSize } from '../knowledge/size.ts';
import { moduleRule } from '../rule.ts';
import { sizeBelowMinimum } from './invalid-pool-size/minimum.ts';
import { misreadSize } from './invalid-pool-size/misread.ts';
import { sizeLostInUrl } from './invalid-pool-size/url.ts';

export default moduleRule({
  id: 'invalid-pool-size',
  severity: 'error',
  summary: 'The size of a pool is one that its driver refuses or reads otherwise than meant.',
  messages: {
    refused: '{pool} is given {written} as its size, for which {driver} throws an error.',
    none: '{pool} is given {written} as its size: no query ever gets a connection.',
    one: '{pool} is given {written} as its size, of which {driver} makes a single connection.',
    unlimited: '{pool} is given {written} as its size, which {driver} takes for no limit: it opens as many connections as are asked for.',
    default: '{pool} is given {written} as its size, for which {driver} takes its default of {size}.',
    ignored: '{driver} does not read {written} in the URL: {pool} has up to {size} connections.',
    sent: '{driver} sends {written} of the URL to the server, which refuses the connection because of it.',
  },
  *check(module, program, deployments) {
    for (const site of program.poolsIn(module)) {
      if (site.role !== 'pool') continue;
      const fault = misreadSize(site, deployments) ?? sizeBelowMinimum(site) ?? sizeLostInUrl(site, deployments);
      if (!fault) continue;
      const { effect, severity, written, related } = fault;
      yield {
        at: site.place,
        message: effect,
        severity,
        data: { pool: site.name ?? 'the pool', driver: site.driver.name, written, size: showDefaultSize(site.options.max) },
        related,
        symbol: site.name ?? '',
      };
    }
  },
});
