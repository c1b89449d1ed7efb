import type { Place } from '@poolcheck/parsers/text';
import { budgetOf, clientsByDatabase, showFactor, type Budget } from '@poolcheck/rules/deployment/budget';
import type { Deployment } from '@poolcheck/rules/deployment/model';
import { show, type Evidence } from '@poolcheck/rules/known';
import { graphOf, mermaid } from './output/graph.ts';
import { redact } from './output/redact.ts';

/** A deployment as a reader sees it: what each database accepts and who can connect to it, and who talks to whom. */
export interface Picture {
  readonly name: string;
  readonly databases: readonly DatabasePicture[];
  /** Lines of Mermaid. */
  readonly graph: readonly string[];
}

export interface DatabasePicture {
  readonly name: string;
  readonly verdict: Budget['verdict'];
  readonly terms: readonly Term[];
  /** All terms together. */
  readonly demand: string;
  readonly accepts: Term;
}

/** A number of a sum: what it is of, how it comes about, and where that was read. */
export interface Term {
  readonly name: string;
  readonly sum: string;
  readonly evidence: readonly Evidence[];
}

/** Draws a deployment; `at` puts a place under the path that is shown. */
export function pictureOf(deployment: Deployment, name: string, at: (place: Place) => Place): Picture {
  const budgets = [...clientsByDatabase(deployment)].map(([database, clients]) => budgetOf(database, clients));
  const graph = graphOf(deployment);
  const shown = ({ place, says }: Evidence) => ({ ...(place && { place: at(place) }), says: redact(says) });
  return {
    name,
    databases: budgets.filter(({ contributions }) => contributions.length > 0).map((budget) => databasePicture(budget, shown)),
    graph: graph ? mermaid(graph) : [],
  };
}

function databasePicture(budget: Budget, shown: (evidence: Evidence) => Evidence): DatabasePicture {
  const { name, maxConnections, reserved } = budget.database;
  const limit = reserved.high === 0 ? show(maxConnections) : `${show(maxConnections)} − ${show(reserved)} reserved = ${budget.accepts}`;
  return {
    name,
    verdict: budget.verdict,
    terms: budget.contributions.map((contribution) => ({
      name: contribution.name,
      sum: `${contribution.factors.map(showFactor).join(' × ')} = ${show(contribution.demand)}`,
      evidence: contribution.evidence.map(shown),
    })),
    demand: show(budget.demand),
    accepts: { name, sum: limit, evidence: [...maxConnections.evidence, ...reserved.evidence].map(shown) },
  };
}
