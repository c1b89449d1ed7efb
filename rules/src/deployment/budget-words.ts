import type { Place } from '@poolcheck/parsers/text';
import type { Related } from '../finding.ts';
import { type Evidence, type Known, show } from '../known.ts';
import { type Budget, type Contribution, showFactor } from './budget.ts';

/** "orders: 5 instances × 20 connections = 100", and what they come to. */
export function termsOf({ contributions, demand }: Budget): string {
  const terms = contributions.map(({ name, factors, demand }) => `${name}: ${factors.map(showFactor).join(' × ')} = ${show(demand)}`);
  return terms.length > 1 ? `${terms.join('; ')}; together ${show(demand)}` : terms.join('');
}

/** "max_connections 100 − 3 reserved". */
export function limitOf({ database: { maxConnections, reserved } }: Budget): string {
  const limit = `max_connections ${show(maxConnections)}`;
  return reserved.high === 0 || reserved.source === 'assumed' ? limit : `${limit} − ${show(reserved)} reserved`;
}

/** The largest last factor that leaves room for everybody else. */
export function adviceFor(contribution: Contribution, { accepts, contributions, database }: Budget): string {
  const { name, factors } = contribution;
  const others = contributions.filter((each) => each !== contribution).reduce((total, { demand }) => total + demand.low, 0);
  const multiplier = factors.slice(0, -1).reduce((total, { count }) => total * count.low, 1);
  const fits = Math.floor((accepts - others) / multiplier);
  const [owner, unit] = factors.slice(-2).map(({ noun }) => noun);
  if (fits < 1) return `Not even one ${unit} per ${owner} fits: ${name} needs fewer instances, or a pooler before ${database.name}.`;
  return `At most ${fits} ${unit}${fits === 1 ? '' : 's'} per ${owner} of ${name} would fit.`;
}

/** Where the largest number stands that somebody wrote; of equal ones the size of the pool. */
export function placeOfLargestTerm({ factors, at }: Contribution): Place {
  const written = factors.map(({ count }) => count).filter(({ source, low }) => source === 'written' && Number.isFinite(low));
  const largest = written.reduce<Known | undefined>((best, each) => (best && best.low > each.low ? best : each), undefined);
  return largest?.evidence.find(({ place }) => place)?.place ?? at;
}

/** Every place that the sum was read from, but `at`. */
export function relatedTo({ contributions, database }: Budget, at: Place): readonly Related[] {
  const ofContributions = contributions.flatMap(({ name, evidence }) =>
    evidence.map((each) => ({ ...each, says: `${name}: ${each.says}` })),
  );
  const { maxConnections, reserved } = database;
  const ofDatabase = [...maxConnections.evidence, ...reserved.evidence].map((each) => ({
    ...each,
    says: `${database.name}: ${each.says}`,
  }));
  return withoutRepeats([...ofContributions, ...ofDatabase], at);
}

/** Several terms may stand at one place: what they say is put together. */
function withoutRepeats(evidence: readonly Evidence[], at: Place): readonly Related[] {
  const related = new Map<string, Related>();
  for (const { place, says } of evidence) {
    if (!place || keyOf(place) === keyOf(at)) continue;
    const before = related.get(keyOf(place));
    if (before?.message.includes(says)) continue;
    related.set(keyOf(place), { at: place, message: before ? `${before.message}; ${says}` : says });
  }
  return [...related.values()];
}

function keyOf({ text, range }: Place): string {
  return `${text.path}:${text.content.length}:${range.start}`;
}
