import type { Level } from '@poolcheck/rules/judge';

export type { Level };

/** The mildest first. */
export const levels: readonly Level[] = ['off', 'info', 'warning', 'error'];

export function levelOf(text: string | undefined): Level | undefined {
  return levels.find((level) => level === text);
}
