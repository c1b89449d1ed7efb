import type { Fix } from '../../finding.ts';
import type { TimeLimit } from '../../source/limits/time-limit.ts';

/** How much longer than what it waits for something waits after a fix, ms. */
const margin = 500;

export type MessageId = 'statement' | 'breaker' | 'proxy' | 'patience' | 'stream' | 'gateway' | 'queueShorter' | 'queueShort';

/** Whether something may go on when nobody waits for it any more. */
export function isInverted(inner: TimeLimit, outer: TimeLimit): boolean {
  return inner.milliseconds >= outer.milliseconds;
}

export function duration(milliseconds: number): string {
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000} s` : `${milliseconds} ms`;
}

/** The outer one is made longer than the inner one, where its number is written. */
export function raise({ number }: TimeLimit, inner: TimeLimit): readonly Fix[] {
  if (!number) return [];
  const { place, unit, before = '', after = '' } = number;
  const time = unit === 'ms' ? inner.milliseconds + margin : Math.ceil((inner.milliseconds + margin) / 1000);
  const digits = unit === 'ms' ? String(time).replace(/\B(?=(?:\d{3})+$)/g, '_') : String(time);
  const edits = [{ text: place.text, range: place.range, insert: before + digits + after }];
  return [{ title: `Wait ${time} ${unit}`, safe: false, edits }];
}
