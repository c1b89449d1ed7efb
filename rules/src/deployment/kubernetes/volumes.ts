import type { Text } from '@poolcheck/parsers/text';
import { get, isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Mount, MountedFiles } from '../stack.ts';
import type { ConfigLookup } from './variables.ts';

/** What is mounted into a container: ConfigMaps and Secrets of the stack can be read, other volumes cannot. */
export function mountsOf(container: YamlValue, pod: YamlValue | undefined, lookup: ConfigLookup): readonly Mount[] {
  return itemsOf(get(container, 'volumeMounts')).flatMap((mount) => {
    const path = stringOf(get(mount, 'mountPath'));
    if (path === undefined) return [];
    const name = stringOf(get(mount, 'name'));
    const volume = itemsOf(get(pod, 'volumes')).find((each) => stringOf(get(each, 'name')) === name);
    return [{ path: path.replace(/(.)\/+$/, '$1'), files: mountedFiles(filesOfVolume(volume, lookup), get(mount, 'subPath')) }];
  });
}

type Files = ReadonlyMap<string, Text>;

function mountedFiles(files: Files | undefined, subPath: YamlValue | undefined): MountedFiles | undefined {
  if (!files) return undefined;
  if (isAbsent(subPath)) return { list: () => [...files.keys()], read: (path) => files.get(path) };
  const file = files.get(stringOf(subPath) ?? '');
  return file && { list: () => [''], read: (path) => (path === '' ? file : undefined) };
}

function filesOfVolume(volume: YamlValue | undefined, lookup: ConfigLookup): Files | undefined {
  const sources = itemsOf(get(volume, 'projected', 'sources'));
  return sources.length > 0 ? merged(sources.map((source) => filesOfSource(source, lookup))) : filesOfSource(volume, lookup);
}

/** A volume names its Secret by `secretName`, a projected source by `name`. */
function filesOfSource(source: YamlValue | undefined, lookup: ConfigLookup): Files | undefined {
  const configMap = get(source, 'configMap');
  if (!isAbsent(configMap)) return pick(lookup('ConfigMap', stringOf(get(configMap, 'name')) ?? ''), configMap);
  const secret = get(source, 'secret');
  return pick(lookup('Secret', stringOf(get(secret, 'secretName') ?? get(secret, 'name')) ?? ''), secret);
}

/** `items` names the keys that are mounted, and their paths. */
function pick(files: Files | undefined, source: YamlValue | undefined): Files | undefined {
  const items = get(source, 'items');
  if (!files || isAbsent(items)) return files;
  const picked = new Map<string, Text>();
  for (const item of itemsOf(items)) {
    const text = files.get(stringOf(get(item, 'key')) ?? '');
    const path = stringOf(get(item, 'path'));
    if (text && path !== undefined) picked.set(path, text);
  }
  return picked;
}

function merged(all: readonly (Files | undefined)[]): Files | undefined {
  const known = all.filter((files) => files !== undefined);
  return known.length === all.length ? new Map(known.flatMap((files) => [...files])) : undefined;
}
