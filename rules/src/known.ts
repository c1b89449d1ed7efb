import type { Place } from '@poolcheck/parsers/text';

/**
 * Where a number comes from. `written`: it stands in a file. `defaulted`: the program is in the root and leaves the setting out.
 * `assumed`: neither; it may cause a warning at most.
 */
export type Source = 'written' | 'defaulted' | 'assumed';

/** One place a number was read from, and what it says there ("replicas: 5", "pg's default of 10"). */
export interface Evidence {
  readonly place?: Place;
  readonly says: string;
}

/** A number as far as it is known: its bounds, the weakest of its sources, and the places it was read from. */
export interface Known {
  readonly low: number;
  readonly high: number;
  readonly source: Source;
  readonly evidence: readonly Evidence[];
}

const strength: Record<Source, number> = { written: 2, defaulted: 1, assumed: 0 };

export function written(value: number, says: string, place: Place): Known {
  return { low: value, high: value, source: 'written', evidence: [{ place, says }] };
}

export function defaulted(value: number, says: string, place?: Place): Known {
  return { low: value, high: value, source: 'defaulted', evidence: [place ? { place, says } : { says }] };
}

export function assumed(low: number, high: number, says: string, place?: Place): Known {
  return { low, high, source: 'assumed', evidence: [place ? { place, says } : { says }] };
}

export function weakest(sources: readonly Source[]): Source {
  return sources.reduce((a, b) => (strength[b] < strength[a] ? b : a), 'written');
}

/** The sum, with the evidence of all its terms. The empty sum is a written 0. */
export function sum(terms: readonly Known[]): Known {
  return combine(terms, 0, (a, b) => a + b);
}

/** The product, with the evidence of all its factors. The empty product is a written 1. */
export function product(factors: readonly Known[]): Known {
  return combine(factors, 1, (a, b) => (a === 0 || b === 0 ? 0 : a * b));
}

export function smallest(first: Known, ...others: readonly Known[]): Known {
  return combine(others, first, Math.min);
}

/** One of some numbers, nobody knows which. */
export function either([first, ...others]: readonly Known[]): Known {
  if (!first) return assumed(0, Infinity, 'not known');
  return others.reduce(
    (a, b) => ({
      low: Math.min(a.low, b.low),
      high: Math.max(a.high, b.high),
      source: weakest([a.source, b.source]),
      evidence: [...a.evidence, ...b.evidence],
    }),
    first,
  );
}

function combine(terms: readonly Known[], start: number | Known, join: (a: number, b: number) => number): Known {
  const first: Known = typeof start === 'number' ? { low: start, high: start, source: 'written', evidence: [] } : start;
  return terms.reduce(
    (a, b) => ({
      low: join(a.low, b.low),
      high: join(a.high, b.high),
      source: weakest([a.source, b.source]),
      evidence: [...a.evidence, ...b.evidence],
    }),
    first,
  );
}

/** Whether every reading of `demand` is above every reading of `supply`. */
export function exceeds(demand: Known, supply: Known): boolean {
  return demand.low > supply.high;
}

export function show(known: Known): string {
  if (known.low === known.high) return String(known.low);
  return known.high === Infinity ? `at least ${known.low}` : `${known.low}–${known.high}`;
}
