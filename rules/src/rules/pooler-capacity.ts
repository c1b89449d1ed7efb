import { clientsOf, showFactor } from '../deployment/budget.ts';
import { asRelated } from '../finding.ts';
import { product, show, sum } from '../known.ts';
import { deploymentRule } from '../rule.ts';

export default deploymentRule({
  id: 'pooler-capacity',
  severity: 'warning',
  summary: 'More clients can connect to a pooler than it accepts.',
  messages: {
    clients:
      '{terms} can connect to {pooler}, which accepts {accepts} ({limit}): the next one is refused with "no more connections allowed". {fix}',
  },
  *check({ services, poolers }) {
    for (const pooler of poolers) {
      if (!pooler.maxClients) continue;
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
