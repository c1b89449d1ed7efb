import { parseEnv } from '@poolcheck/parsers/env/parse';
import { interpolate } from '@poolcheck/parsers/shell/interpolate';
import { placeOf, type Place, textOf } from '@poolcheck/parsers/text';
import type { Project } from '../project.ts';
import type { Variable } from '../source/setting.ts';
import { unknownPart } from './stack.ts';

/** The variables of a .env file; what they refer to and it does not set is filled in. */
export function readEnvFile(
  path: string,
  project: Project,
  filling: (name: string) => string | undefined,
): ReadonlyMap<string, Variable> | undefined {
  const content = project.readText(path);
  if (content === undefined) return undefined;
  const text = textOf(path, content);
  const variables = new Map<string, Variable>();
  const lookup = (name: string) => {
    const earlier = variables.get(name);
    return earlier?.state === 'set' ? earlier.value : filling(name);
  };
  for (const { name, value, interpolated } of parseEnv(text).document.variables) {
    const written = interpolated ? interpolate(value.value, lookup, unknownPart) : value.value;
    variables.set(name.value, variableOf(written, placeOf(text, value.range)));
  }
  return variables;
}

/** Nothing is known of what nothing sets, or of what is a hole and nothing else. */
export function variableOf(value: string | undefined, place: Place): Variable {
  return value === undefined || value === unknownPart ? { state: 'unknown', place } : { state: 'set', value, place };
}
