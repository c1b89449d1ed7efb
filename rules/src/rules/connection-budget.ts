import { budgetOf, clientsByDatabase } from '../deployment/budget.ts';
import { adviceFor, limitOf, placeOfLargestTerm, relatedTo, termsOf } from '../deployment/budget-words.ts';
import { deploymentRule } from '../rule.ts';

export default deploymentRule({
  id: 'connection-budget',
  severity: 'error',
  summary: 'The deployment can open more connections than its database accepts.',
  messages: {
    over: '{terms}, but {database} accepts {accepts} ({limit}): the next connection is refused. {advice}',
  },
  *check(deployment) {
    for (const [database, clients] of clientsByDatabase(deployment)) {
      const budget = budgetOf(database, clients);
      if (budget.verdict === 'fits') continue;
      const [largest] = budget.contributions;
      if (!largest) continue;
      const at = placeOfLargestTerm(largest);
      yield {
        at,
        message: 'over',
        severity: budget.verdict === 'over' ? 'error' : 'warning',
        data: {
          terms: termsOf(budget),
          database: database.name,
          accepts: budget.accepts,
          limit: limitOf(budget),
          advice: adviceFor(largest, budget),
        },
        related: relatedTo(budget, at),
        symbol: database.name,
      };
    }
  },
});
