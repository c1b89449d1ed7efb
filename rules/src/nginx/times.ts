import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { parseTime } from '@poolcheck/parsers/nginx/time';

/** The milliseconds of a time as they hold in a scope; undefined when they cannot be told. */
export function timeAt(scope: Scope, name: string, byDefault: number): number | undefined {
  const found = effective(scope, name);
  const [word] = found?.at(-1)?.args ?? [];
  if (found?.length === 0) return byDefault;
  return word && !word.hole ? parseTime(word.value) : undefined;
}
