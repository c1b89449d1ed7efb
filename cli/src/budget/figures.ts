import type { Situation } from '@poolcheck/rules/deployment/scale';
import type { Known } from '@poolcheck/rules/known';
import type { DatabaseSheet } from './sheet.ts';

/** What the columns of a budget are called. */
export const titles: Readonly<Record<Situation, string>> = { steady: 'steady', scaled: 'scaled out', rollout: 'rolling out' };

/** "84", "84–90", "≥84"; a question mark when something in it was assumed. */
export function figure({ low, high, source }: Known): string {
  const range = low === high ? String(low) : high === Infinity ? `≥${low}` : `${low}–${high}`;
  return source === 'assumed' ? `${range}?` : range;
}

/** "97 connections". */
export function accepted({ accepts }: DatabaseSheet): string {
  return Number.isFinite(accepts) ? String(accepts) : 'an unknown number of';
}

/** What is left of the limit; negative when it is too much. */
export function left({ accepts }: DatabaseSheet, total: Known): string {
  if (!Number.isFinite(accepts)) return '?';
  const most = accepts - total.low;
  const least = accepts - total.high;
  const minus = (value: number) => (value < 0 ? `−${-value}` : String(value));
  return least === most ? minus(most) : `≤${minus(most)}`;
}

/** What it comes to, in one sentence. */
export function verdictOn({ verdicts, name, accepts, totals }: DatabaseSheet): string {
  if (verdicts.steady === 'over') return `${name} refuses connections as soon as all pools are full.`;
  if (verdicts.scaled === 'over') return `${name} refuses connections when everything is scaled out.`;
  if (verdicts.rollout === 'over') return `${name} refuses connections while new versions are rolled out.`;
  if (Object.values(verdicts).includes('maybe-over')) return `${name} refuses connections if the assumed numbers are right.`;
  if (!Number.isFinite(accepts)) return `How many connections ${name} accepts is not known.`;
  if (totals.rollout.high > accepts) return `${name} has room for what is known; not every number is.`;
  return `${name} has room in every situation.`;
}

/** How sure that is. */
export function levelOf({ verdicts, accepts, totals }: DatabaseSheet): 'fits' | 'unclear' | 'over' {
  const all = Object.values(verdicts);
  if (all.includes('over')) return 'over';
  return all.includes('maybe-over') || !Number.isFinite(accepts) || totals.rollout.high > accepts ? 'unclear' : 'fits';
}
