import { placeOf, type Place, type Text } from '@poolcheck/parsers/text';
import { get, isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { filesOf } from '../../documents/embedded.ts';
import { groupBy } from '../../group.ts';
import type { Environment, Variable } from '../../source/setting.ts';
import { unknownPart } from '../stack.ts';
import { isFilledLater, type Manifest, sameNamespace } from './manifest.ts';

/** The environment of a container. https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/ */
export function environmentOf(container: YamlValue, { lookup, links }: Configs): Environment {
  const variables = new Map<string, Variable>();
  let complete = true;
  for (const source of itemsOf(get(container, 'envFrom'))) {
    const found = readSource(source, lookup);
    if (!found) complete = false;
    for (const [name, variable] of found ?? []) variables.set(name, variable);
  }
  for (const entry of itemsOf(get(container, 'env'))) {
    const name = stringOf(get(entry, 'name'));
    if (name === undefined) complete = false;
    else variables.set(name, readEntry(entry, variables, lookup));
  }
  return (name) => variables.get(name) ?? (complete ? (links.get(name) ?? { state: 'unset' }) : { state: 'unknown' });
}

/** What the pods of one namespace can read. */
export interface Configs {
  readonly lookup: ConfigLookup;
  /** What Kubernetes sets for the Services of the namespace. */
  readonly links: Variables;
}

/** The keys of a ConfigMap or Secret seen from one namespace; undefined when it is not in the stack. */
export type ConfigLookup = (kind: 'ConfigMap' | 'Secret', name: string) => ReadonlyMap<string, Text> | undefined;

/** Lookups by namespace; each ConfigMap is read once, however many containers refer to it. */
export function configLookups(manifests: readonly Manifest[]): (namespace: string | undefined) => ConfigLookup {
  const configs = groupBy(
    manifests.filter(({ kind }) => kind === 'ConfigMap' || kind === 'Secret'),
    ({ kind, name }) => `${kind}/${name}`,
  );
  const read = new Map<Manifest, ReadonlyMap<string, Text>>();
  return (namespace) => (kind, name) => {
    const found = configs.get(`${kind}/${name}`)?.find((each) => sameNamespace(each.namespace, namespace));
    const files = found && (read.get(found) ?? filesOf(found.root));
    if (found && files) read.set(found, files);
    return files;
  };
}

type Variables = ReadonlyMap<string, Variable>;

function readSource(source: YamlValue, lookup: ConfigLookup): Variables | undefined {
  const prefix = stringOf(get(source, 'prefix')) ?? '';
  const files = referred(source, 'configMapRef', 'secretRef', lookup)?.files;
  return files && new Map(Array.from(files, ([key, text]) => [prefix + key, variableIn(text)]));
}

interface Referred {
  readonly reference: YamlValue;
  readonly files: ReadonlyMap<string, Text> | undefined;
}

function referred(source: YamlValue, configMap: string, secret: string, lookup: ConfigLookup): Referred | undefined {
  const field = [configMap, secret].find((each) => !isAbsent(get(source, each)));
  const reference = field === undefined ? undefined : get(source, field);
  const name = stringOf(get(reference, 'name'));
  return reference && { reference, files: name === undefined ? undefined : lookup(field === configMap ? 'ConfigMap' : 'Secret', name) };
}

function variableIn(text: Text): Variable {
  return valued(text.content, placeOf(text, { start: 0, end: text.content.length }));
}

function valued(value: string, place: Place): Variable {
  return isFilledLater(value) ? { state: 'unknown', place } : { state: 'set', value, place };
}

function readEntry(entry: YamlValue, earlier: Variables, lookup: ConfigLookup): Variable {
  const from = get(entry, 'valueFrom');
  if (from && !isAbsent(from)) return readReference(from, lookup);
  const value = get(entry, 'value');
  if (value === undefined || isAbsent(value)) return { state: 'set', value: '', place: placeOf(entry.text, entry.range) };
  const text = stringOf(value);
  const place = placeOf(value.text, value.range);
  return text === undefined
    ? { state: 'unknown', place }
    : valued(
        expand(text, (name) => earlier.get(name) ?? { state: 'unset' }),
        place,
      );
}

function readReference(from: YamlValue, lookup: ConfigLookup): Variable {
  const found = referred(from, 'configMapKeyRef', 'secretKeyRef', lookup);
  if (!found?.files) return { state: 'unknown', place: placeOf(from.text, from.range) };
  const text = found.files.get(stringOf(get(found.reference, 'key')) ?? '');
  return text ? variableIn(text) : { state: 'unset' };
}

/** `$(NAME)` stands for a variable defined before; one that is not stays as it is, and `$$(NAME)` is a literal `$(NAME)`. */
export function expand(value: string, environment: Environment): string {
  return value.replace(/\$(?:\$|\(([\w.-]+)\))/g, (written, name: string | undefined) => {
    if (name === undefined) return '$';
    const variable = environment(name);
    if (variable.state === 'set') return variable.value;
    return variable.state === 'unset' ? written : unknownPart;
  });
}
