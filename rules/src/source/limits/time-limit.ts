import type { Place } from '@poolcheck/parsers/text';
import { placeOfNode } from '../module.ts';
import { evaluate, type Environment, type Setting } from '../setting.ts';
import { settingOf } from '../settings.ts';
import type { Sited } from '../value.ts';
import type { Values } from '../values.ts';

/** A time after which something is ended. */
export interface TimeLimit {
  readonly milliseconds: number;
  /** What has it, for messages: "statement_timeout of pool". */
  readonly of: string;
  /** Where the number is written, or what leaves it at its default. */
  readonly place: Place;
  /** The number, where it stands by itself. */
  readonly number?: WrittenNumber | undefined;
}

export interface WrittenNumber {
  readonly place: Place;
  readonly unit: 'ms' | 's';
  /** What stands around it in that place: a quote, a unit. */
  readonly before?: string;
  readonly after?: string;
}

/** The time limit that an expression is; undefined when it is off, or cannot be told. */
export function limitAt({ node, module }: Sited, of: string, values: Values, environment: Environment): TimeLimit | undefined {
  const setting = settingOf(node, module, values);
  const milliseconds = numberOf(setting, environment);
  if (milliseconds === undefined || milliseconds === 0) return undefined;
  const place = placeOfNode(module, node);
  return { milliseconds, of, place, number: setting.kind === 'literal' ? { place, unit: 'ms' } : undefined };
}

/** The one number that a setting has; 0 where it is off. */
export function numberOf(setting: Setting, environment: Environment): number | undefined {
  const outcomes = evaluate(setting, environment) ?? [];
  const numbers = new Set(outcomes.map(({ value }) => (value === undefined || value === false ? 0 : Number(value ?? Number.NaN))));
  const [only] = numbers;
  return numbers.size === 1 && only !== undefined && only >= 0 ? only : undefined;
}
