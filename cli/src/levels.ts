import type { Severity } from '@poolcheck/rules/finding';

/** How a rule may be set. */
export type Level = Severity | 'off';

/** The mildest first. */
export const levels: readonly Level[] = ['off', 'info', 'warning', 'error'];

export function levelOf(text: string | undefined): Level | undefined {
  return levels.find((level) => level === text);
}
