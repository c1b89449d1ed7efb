import { interpolate } from '@poolcheck/parsers/shell/interpolate';
import { placeOf } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Project } from '../../project.ts';
import type { Environment, Variable } from '../../source/setting.ts';
import { readEnvFile, variableOf } from '../env-files.ts';
import type { GivenName } from '../model.ts';
import { joinPath } from '../paths.ts';
import { unknownPart } from '../stack.ts';
import { filled, type Filling } from './filling.ts';
import { type ComposeProject, type ComposeService, fieldsOf } from './project.ts';

/** The variables of the .env file beside a compose file. */
export function fillingOf({ folder }: ComposeProject, project: Project): Filling {
  const path = joinPath(folder, '.env');
  const variables = path === undefined ? undefined : readEnvFile(path, project, () => undefined);
  return (name) => {
    const variable = variables?.get(name);
    return variable?.state === 'set' ? variable.value : undefined;
  };
}

/** The environment of a service: `environment` beats `env_file`, later files beat earlier ones. */
export function environmentOf(service: ComposeService, { folder }: ComposeProject, filling: Filling, project: Project): Environment {
  const variables = new Map<string, Variable>();
  let complete = true;
  for (const file of fieldsOf(service, 'env_file').flatMap(envFiles)) {
    const name = filled(file, filling);
    const path = name === undefined ? undefined : joinPath(folder, name);
    const read = path === undefined ? undefined : readEnvFile(path, project, filling);
    if (!read) complete = false;
    for (const [name, variable] of read ?? []) variables.set(name, variable);
  }
  for (const [name, variable] of fieldsOf(service, 'environment').flatMap((value) => entries(value, filling)))
    variables.set(name, variable);
  return (name) => variables.get(name) ?? { state: complete ? 'unset' : 'unknown' };
}

/** A path, a list of paths, or of maps with a `path`. */
function envFiles(value: YamlValue): readonly (YamlValue | undefined)[] {
  if (value.kind !== 'sequence') return isAbsent(value) ? [] : [value];
  return itemsOf(value).map((item) => (item.kind === 'map' ? get(item, 'path') : item));
}

/** The names of a map, or of a list of `NAME=value`. */
export function namesIn(value: YamlValue): readonly GivenName[] {
  const mapped = entriesOf(value).map(({ key }) => ({ name: key.value, at: placeOf(value.text, key.range) }));
  const listed = itemsOf(value).flatMap((item) => {
    const name = stringOf(item)?.split('=')[0];
    return name === undefined ? [] : [{ name, at: placeOf(item.text, item.range) }];
  });
  return [...mapped, ...listed];
}

/** A map, or a list of `NAME=value`; a name alone is passed on from the shell that starts compose. */
function entries(value: YamlValue, filling: Filling): readonly (readonly [string, Variable])[] {
  const mapped = entriesOf(value).map((entry) => {
    const place = placeOf(value.text, isAbsent(entry.value) ? entry.key.range : entry.value.range);
    return [entry.key.value, variableOf(isAbsent(entry.value) ? filling(entry.key.value) : filled(entry.value, filling), place)] as const;
  });
  const listed = itemsOf(value).flatMap((item) => {
    const written = stringOf(item);
    if (written === undefined) return [];
    const split = written.indexOf('=');
    const name = split < 0 ? written : written.slice(0, split);
    const text = split < 0 ? filling(name) : interpolate(written.slice(split + 1), filling, unknownPart);
    return [[name, variableOf(text, placeOf(item.text, item.range))] as const];
  });
  return [...mapped, ...listed];
}
