import type { Place } from '@poolcheck/parsers/text';
import { budgetOf, clientsByDatabase, showFactor, type Budget, type Clients, type Contribution } from '@poolcheck/rules/deployment/budget';
import type { Database, Deployment } from '@poolcheck/rules/deployment/model';
import { counting, situations, type Situation } from '@poolcheck/rules/deployment/scale';
import type { ProjectProblem } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { show, sum, type Evidence, type Known } from '@poolcheck/rules/known';
import { graphOf, type Graph } from '../output/graph.ts';
import { redact } from '../output/redact.ts';
import { safeKnobs, type SafeKnob } from './knobs.ts';

/** The budgets of everything that was named. */
export interface BudgetReport {
  readonly sheets: readonly Sheet[];
  readonly problems: readonly ProjectProblem[];
}

/** The budget of one environment, as a reader sees it. */
export interface Sheet {
  readonly name: string;
  readonly databases: readonly DatabaseSheet[];
  /** Pools that are in no database's budget, and why. */
  readonly outside: readonly Evidence[];
  /** Undefined when there is nothing to draw, or too much. */
  readonly graph: Graph | undefined;
}

export interface DatabaseSheet {
  readonly name: string;
  readonly software: Database['software'];
  /** For the application's roles; `Infinity` when it is not known. */
  readonly accepts: number;
  /** How that comes about, when it is known: "100 − 3 reserved". */
  readonly limit: string | undefined;
  readonly evidence: readonly Evidence[];
  readonly rows: readonly Row[];
  readonly totals: Columns;
  readonly verdicts: Readonly<Record<Situation, Budget['verdict']>>;
  readonly knobs: readonly SafeKnob[];
}

export type Columns = Readonly<Record<Situation, Known>>;

/** What one service, or one entry of a pooler, can have open. */
export interface Row {
  readonly name: string;
  readonly columns: Columns;
  /** How the numbers come about: "6 instances × 20 connections". */
  readonly terms: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** Writes a deployment's budget; `at` puts a place under the path that is shown. */
export function sheetOf(deployment: Deployment, name: string, at: (place: Place) => Place): Sheet {
  const shown = ({ place, says }: Evidence): Evidence => ({ ...(place && { place: at(place) }), says: redact(says) });
  return {
    name,
    databases: [...clientsByDatabase(deployment)]
      .map(([database, clients]) => databaseSheet(database, clients, shown))
      .filter(({ rows }) => rows.length > 0),
    outside: outsideOf(deployment).map(shown),
    graph: graphOf(deployment),
  };
}

function databaseSheet(database: Database, clients: Clients, shown: (evidence: Evidence) => Evidence): DatabaseSheet {
  const { name, software, maxConnections, reserved } = database;
  const budgets = inEach((situation) => budgetOf(database, clients, counting[situation]));
  const { accepts } = budgets.scaled;
  return {
    name,
    software,
    accepts,
    limit: Number.isFinite(accepts) && reserved.high > 0 ? `${show(maxConnections)} − ${show(reserved)} reserved` : undefined,
    evidence: [...maxConnections.evidence, ...reserved.evidence].map(shown),
    rows: rowsOf(budgets, shown),
    totals: inEach((situation) => budgets[situation].demand),
    verdicts: inEach((situation) => budgets[situation].verdict),
    knobs: safeKnobs(database, clients),
  };
}

type Budgets = Readonly<Record<Situation, Budget>>;

function rowsOf(budgets: Budgets, shown: (evidence: Evidence) => Evidence): readonly Row[] {
  const holders = inEach((situation) => groupBy(budgets[situation].contributions, ({ holder }) => holder));
  const names = new Set(['rollout', 'scaled', 'steady'].flatMap((situation) => [...holders[situation as Situation].keys()]));
  return [...names].map((name) => {
    const parts = (situation: Situation): readonly Contribution[] => holders[situation].get(name) ?? [];
    const most = parts('scaled');
    const evidence = new Map(parts('rollout').flatMap((each) => each.evidence.map((one) => [keyOf(one), shown(one)])));
    return {
      name,
      columns: inEach((situation) => sum(parts(situation).map(({ demand }) => demand))),
      terms: most.map(({ name: part, factors }) => {
        const term = factors.map(showFactor).join(' × ');
        return part === name ? term : `${part}: ${term}`;
      }),
      evidence: [...evidence.values()],
    };
  });
}

function keyOf({ place, says }: Evidence): string {
  return `${place?.text.path}:${place?.range.start}:${says}`;
}

/** Pools for SQL of which nobody knows the server; each place once, with the services that run it. */
function outsideOf({ services }: Deployment): readonly Evidence[] {
  const loose = services.flatMap(({ name, pools, foreignPools }) => [
    ...pools
      .filter(({ site, target }) => !target && site.role === 'pool' && sqlEngines.has(site.driver.engine))
      .map(({ site: { place } }) => ({ name, place })),
    ...foreignPools.filter(({ target }) => !target).map(({ place }) => ({ name, place })),
  ]);
  return [...groupBy(loose, ({ place: { text, range } }) => `${text.path}:${range.start}`).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const names = [first, ...others].map(({ name }) => name);
    return [{ place: first.place, says: `${names.join(', ')}: where this pool connects is not in the files, or not known` }];
  });
}

const sqlEngines: ReadonlySet<string> = new Set(['postgresql', 'mysql', 'any']);

function inEach<Value>(of: (situation: Situation) => Value): Readonly<Record<Situation, Value>> {
  const [steady, scaled, rollout] = situations;
  return { steady: of(steady), scaled: of(scaled), rollout: of(rollout) };
}
