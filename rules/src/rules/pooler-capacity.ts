import { clientsOf, showFactor } from '../deployment/budget.ts';
import type { Pooler } from '../deployment/model.ts';
import { asRelated, type Report } from '../finding.ts';
import { type Known, product, show, sum } from '../known.ts';
import { deploymentRule } from '../rule.ts';

export default deploymentRule({
  id: 'pooler-capacity',
  severity: 'warning',
  summary: 'More clients can connect to a pooler than it accepts.',
  messages: {
    descriptors:
      'max_client_conn lets {clients} clients into {pooler}, whose container gives it {descriptors} files and sockets: once they are used up, clients hang while they connect, and no further server connection is opened. Raise nofile above {clients} and the server connections.',
    clients:
      '{terms} can connect to {pooler}, which accepts {accepts} ({limit}): the next one is refused with "no more connections allowed". {fix}',
  },
  *check({ services, poolers }) {
    for (const pooler of poolers) {
      if (!pooler.maxClients) continue;
      yield* aboutDescriptors(pooler, pooler.maxClients);
      const clients = clientsOf(pooler, services).filter(({ demand }) => demand.source !== 'assumed');
      const demand = sum(clients.map((each) => each.demand));
      const accepts = product([pooler.maxClients, pooler.instances]);
      if (accepts.source === 'assumed' || demand.low <= accepts.high) continue;
      const [limit] = pooler.maxClients.evidence;
      yield {
        at: limit?.place ?? pooler.at,
        message: 'clients',
        data: {
          terms: clients.map((each) => `${each.name}: ${each.factors.map(showFactor).join(' × ')} = ${show(each.demand)}`).join('; '),
          pooler: pooler.name,
          accepts: show(accepts),
          limit: limit?.says ?? '',
          fix: `Set max_client_conn to at least ${Math.ceil(demand.low / pooler.instances.high)}, and let its process have as many descriptors and more.`,
        },
        related: asRelated(clients.flatMap(({ evidence }) => evidence)),
        symbol: pooler.name,
      };
    }
  },
});

/** A client takes a descriptor, and so does a server connection. https://www.pgbouncer.org/config.html#max_client_conn */
function* aboutDescriptors({ name, run, at }: Pooler, clients: Known): Iterable<Report<'descriptors'>> {
  if (!run?.descriptors || clients.low <= run.descriptors.high) return;
  yield {
    at: clients.evidence[0]?.place ?? at,
    message: 'descriptors',
    data: { clients: show(clients), pooler: name, descriptors: show(run.descriptors) },
    related: asRelated(run.descriptors.evidence),
    symbol: name,
  };
}
