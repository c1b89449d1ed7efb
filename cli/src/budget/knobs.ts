import { countedPools } from '@poolcheck/rules/deployment/counted';
import { budgetOf, type Budget, type Clients } from '@poolcheck/rules/deployment/budget';
import type { Database } from '@poolcheck/rules/deployment/model';
import { counting, situations } from '@poolcheck/rules/deployment/scale';
import { knobsOf, showKnob, withKnob, type Knob, type Turnable } from '@poolcheck/rules/deployment/what-if';
import { show, type Known } from '@poolcheck/rules/known';

/** How far one number can be turned, while all others stay, until the database refuses connections in some situation. */
export interface SafeKnob {
  /** `services.api.instances` */
  readonly name: string;
  readonly now: string;
  /** The largest that is safe, for a limit the smallest; undefined: none is. */
  readonly safe: number | undefined;
}

/** Of more, a reader sees none. */
const mostKnobs = 20;
/** What does no harm at this size does none at all. */
const largest = 100_000;

/** The knobs that matter to a database, those of the largest contributions first. */
export function safeKnobs(database: Database, clients: Clients): readonly SafeKnob[] {
  const deployment: Turnable = { ...clients, databases: [database] };
  const { contributions } = budgetOf(database, clients, counting.rollout);
  const rank = new Map(contributions.map(({ of }, index) => [of, index]));
  const known = knobsOf(deployment).flatMap((knob) => {
    const of = deployment[knob.owner].find(({ name }) => name === knob.name);
    const place = of === database ? Infinity : of && rank.get(of as never);
    const now = place === undefined ? undefined : valueOf(knob, deployment);
    return now && place !== undefined ? [{ knob, now, place }] : [];
  });
  return known
    .toSorted((a, b) => a.place - b.place)
    .slice(0, mostKnobs)
    .flatMap(({ knob, now }) => {
      const fits = (value: number) => fitsWith(knob, value, database, deployment);
      const isLimit = knob.owner === 'databases';
      if (!isLimit && fits(largest)) return [];
      const safe = isLimit ? smallestThat(fits) : largestThat(fits);
      return [{ name: showKnob(knob), now: show(now), safe }];
    });
}

function valueOf({ owner, name, setting }: Knob, { services, poolers, databases }: Turnable): Known | undefined {
  if (owner === 'databases') return databases.find((each) => each.name === name)?.maxConnections;
  const owning = owner === 'services' ? services.find((each) => each.name === name) : poolers.find((each) => each.name === name);
  if (setting === 'instances') return owning?.instances;
  if (!owning) return undefined;
  if ('entries' in owning) return owning.entries.length === 1 ? owning.entries[0]?.serverConnections : undefined;
  if (setting === 'processes') return owning.processes.high === 1 ? undefined : owning.processes;
  const [only, ...others] = countedPools(owning);
  return others.length === 0 ? only?.size : undefined;
}

function fitsWith(knob: Knob, value: number, { name }: Database, deployment: Turnable): boolean {
  const turned = withKnob(deployment, knob, value);
  const database = turned.databases.find((each) => each.name === name);
  return database !== undefined && situations.every((situation) => isWithin(budgetOf(database, turned, counting[situation])));
}

function isWithin({ demand, accepts }: Budget): boolean {
  return demand.low <= accepts;
}

/** The largest whole number from 1 for which it holds, when it holds up to there and no further. */
function largestThat(holds: (value: number) => boolean): number | undefined {
  let [low, high] = [0, largest];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low === 0 ? undefined : low;
}

function smallestThat(holds: (value: number) => boolean): number | undefined {
  if (!holds(largest)) return undefined;
  const below = largestThat((value) => !holds(value));
  return (below ?? 0) + 1;
}
