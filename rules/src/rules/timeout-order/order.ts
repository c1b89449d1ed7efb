import type { Fix } from '../../finding.ts';
import type { TimeLimit } from '../../source/limits/time-limit.ts';

/** How much longer than what it waits for something waits after a fix, ms. */
const margin = 500;

export type MessageId = 'statement' | 'breaker' | 'proxy';

/** Whether something may go on when nobody waits for it any more. */
export function isInverted(inner: TimeLimit, outer: TimeLimit): boolean {
  return inner.milliseconds >= outer.milliseconds;
}

export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

/** The outer one is made longer than the inner one, where its number is written. */
export function raise({ place, isLiteral }: TimeLimit, inner: TimeLimit): readonly Fix[] {
  if (!isLiteral) return [];
  const milliseconds = inner.milliseconds + margin;
  const insert = String(milliseconds).replace(/\B(?=(?:\d{3})+$)/g, '_');
  return [{ title: `Wait ${milliseconds} ms`, safe: false, edits: [{ text: place.text, range: place.range, insert }] }];
}
