import type { Related } from '../finding.ts';
import { moduleRule } from '../rule.ts';
import { placeOfNode } from '../source/module.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import type { HttpServer } from '../source/servers.ts';
import { isOfProcess } from '../source/uses/process.ts';
import { isKept } from '../source/uses/same-pool.ts';

export default moduleRule({
  id: 'require-pool-shutdown',
  severity: 'info',
  summary: 'A service that is told to stop does not end its pool, so queries are cut off and connections dropped.',
  messages: {
    never: 'Nothing ends {name}: when the service is told to stop, its connections are dropped, with whatever runs on them.',
  },
  *check(module, program) {
    const server = program.services.get(module.path);
    if (!server) return;
    for (const site of program.poolsIn(module)) {
      if (!isWanted(site, program) || program.poolUses.mayBeClosed(site)) continue;
      yield {
        at: site.place,
        message: 'never',
        data: { name: site.name ?? `this ${site.driver.name} pool` },
        related: [{ at: server.place, message: 'serves until it is told to stop' }, ...signalHandlers(server)],
        symbol: site.name ?? '',
      };
    }
  },
});

/** A pool of a database that is made once, and that has an end. */
function isWanted(site: PoolSite, { remakings }: Program): boolean {
  const { role, resource, driver } = site;
  const isDatabase = driver.engine !== 'smtp' && driver.engine !== 'http';
  const ends = Object.values(resource.methods).some((method) => method.does === 'close' && method.until !== 'used');
  return role === 'pool' && isDatabase && ends && isKept(site) && !remakings.some((remaking) => remaking.site.node === site.node);
}

/** Where the signals are handled that stop the service. */
function signalHandlers({ module }: HttpServer): readonly Related[] {
  return module.nodes('CallExpression').flatMap((call) => {
    const [signal] = call.arguments;
    const isSignal = signal?.type === 'Literal' && (signal.value === 'SIGTERM' || signal.value === 'SIGINT');
    return isSignal && isOfProcess(call.callee, /^(on|once)$/, module)
      ? [{ at: placeOfNode(module, call.callee), message: `${signal.value} is handled here` }]
      : [];
  });
}
