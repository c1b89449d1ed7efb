import { budgetOf, type Budget, type Clients, clientsByDatabase } from '../deployment/budget.ts';
import { adviceFor, limitOf, relatedTo, termsOf } from '../deployment/budget-words.ts';
import type { Database, Scale } from '../deployment/model.ts';
import { counting, rollingOutAlone } from '../deployment/scale.ts';
import type { Report } from '../finding.ts';
import { show } from '../known.ts';
import { deploymentRule } from '../rule.ts';

type MessageId = 'alone' | 'together';

const refused = 'but {database} accepts {accepts} ({limit}): the new instances get no connection, and the deploy hangs or fails. {advice}';

export default deploymentRule({
  id: 'deploy-surge',
  severity: 'warning',
  summary: 'The deployment fits its database, but not while a new version replaces the old one.',
  messages: {
    alone: `While {name} is rolled out, {surge} more run beside the {instances} that are wanted ({why}). {terms}, ${refused}`,
    together: `While everything is rolled out at once, old and new instances run side by side. {terms}, ${refused}`,
  },
  *check(deployment) {
    for (const [database, clients] of clientsByDatabase(deployment)) {
      if (budgetOf(database, clients).verdict !== 'fits') continue;
      const alone = aboutEach(database, clients);
      yield* alone.length > 0 ? alone : aboutAll(database, clients);
    }
  },
});

/** Each whose own rollout is too much, while the others stay as they are. */
function aboutEach(database: Database, clients: Clients): readonly Report<MessageId>[] {
  return [...clients.services, ...clients.poolers].flatMap((each) => {
    const { name, instances } = each;
    const surge = each.surge?.(instances);
    if (!surge || surge.low === 0) return [];
    const budget = budgetOf(database, clients, rollingOutAlone(each));
    if (budget.verdict !== 'over') return [];
    return reportOn(each, budget, 'alone', { name, surge: show(surge), instances: show(instances), why: surge.evidence[0]?.says ?? '' });
  });
}

function* aboutAll(database: Database, clients: Clients): Iterable<Report<MessageId>> {
  const budget = budgetOf(database, clients, counting.rollout);
  const [largest] = budget.contributions.filter(({ of }) => of.surge);
  if (!largest || budget.verdict !== 'over') return;
  for (const report of reportOn(largest.of, budget, 'together', {})) yield { ...report, severity: 'info' };
}

function reportOn(scale: Scale, budget: Budget, message: MessageId, data: Report<MessageId>['data']): readonly Report<MessageId>[] {
  const at = scale.surge?.(scale.instances).evidence.find(({ place }) => place)?.place;
  const own = budget.contributions.find(({ of }) => of === scale);
  if (!at || !own) return [];
  const { database, accepts } = budget;
  return [
    {
      at,
      message,
      data: {
        ...data,
        terms: termsOf(budget),
        database: database.name,
        accepts,
        limit: limitOf(budget),
        advice: adviceFor(own, budget),
      },
      related: relatedTo(budget, at),
      symbol: `${database.name} ${own.name}`,
    },
  ];
}
