import { catalogue } from '@poolcheck/rules/catalogue';
import { UserError } from './exit.ts';
import { didYouMean } from '@poolcheck/rules/nearest';

export const ruleIds: readonly string[] = catalogue.map(({ id }) => id);

export function unknownRule(id: string): UserError {
  return new UserError(`there is no rule "${id}".${didYouMean(id, ruleIds)} See poolcheck --list-rules`);
}
