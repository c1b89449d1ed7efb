import { interpolate } from '@poolcheck/parsers/shell/interpolate';
import { placeOf } from '@poolcheck/parsers/text';
import type { Environment } from '../source/setting.ts';
import type { Command } from './command.ts';

/** What is assigned on the command line hides what the container says. */
export function withAssigned(environment: Environment, assigned: Command): Environment {
  return assigned.reduce<Environment>((before, { text, range, value }) => {
    const [, variable = '', given = ''] = /^(\w+)=([^]*)$/.exec(value) ?? [];
    const copied = /^\$\{?(\w+)\}?$/.exec(given)?.[1];
    return (name) => {
      if (name !== variable) return before(name);
      if (copied !== undefined) return before(copied);
      const filled = interpolate(given, (each) => valueIn(before, each));
      return filled === undefined
        ? { state: 'unknown', place: placeOf(text, range) }
        : { state: 'set', value: filled, place: placeOf(text, range) };
    };
  }, environment);
}

/** The value of a variable that is set. */
export function valueIn(environment: Environment, name: string): string | undefined {
  const variable = environment(name);
  return variable.state === 'set' ? variable.value : undefined;
}
