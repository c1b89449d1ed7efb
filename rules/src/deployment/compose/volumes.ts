import { textOf } from '@poolcheck/parsers/text';
import { embed } from '@poolcheck/parsers/yaml/embed';
import { get, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Project } from '../../project.ts';
import { joinPath } from '../paths.ts';
import type { Mount, MountedFiles } from '../stack.ts';
import { filled, type Filling } from './filling.ts';
import { type ComposeProject, type ComposeService, fieldsOf } from './project.ts';

/** What is mounted into a service: files and folders of the project can be read, other volumes cannot. */
export function mountsOf(service: ComposeService, compose: ComposeProject, filling: Filling, project: Project): readonly Mount[] {
  const volumes = fieldsOf(service, 'volumes').flatMap(itemsOf);
  const configs = fieldsOf(service, 'configs').flatMap(itemsOf);
  return [
    ...volumes.flatMap((volume) => volumeOf(volume, compose, filling, project) ?? []),
    ...configs.flatMap((config) => configOf(config, compose, filling, project) ?? []),
  ];
}

function volumeOf(volume: YamlValue, { folder }: ComposeProject, filling: Filling, project: Project): Mount | undefined {
  const [source, target] =
    volume.kind === 'map'
      ? [filled(get(volume, 'source'), filling), filled(get(volume, 'target'), filling)]
      : (filled(volume, filling) ?? '').split(':', 2);
  if (target === undefined || source === undefined) return undefined;
  // A name alone is a volume that docker keeps.
  const isBind = /^\.{0,2}\//.test(source) || source === '.' || source === '..' || stringOf(get(volume, 'type')) === 'bind';
  const path = isBind && !source.startsWith('/') ? joinPath(folder, source) : undefined;
  return { path: withoutEndSlash(target), files: filesAt(path, project), source: path };
}

function configOf(config: YamlValue, compose: ComposeProject, filling: Filling, project: Project): Mount | undefined {
  const name = stringOf(config) ?? stringOf(get(config, 'source'));
  if (name === undefined) return undefined;
  const path = filled(get(config, 'target'), filling) ?? `/${name}`;
  const definition = compose.roots.map((root) => get(root, 'configs', name)).findLast((each) => each !== undefined);
  const content = get(definition, 'content');
  if (content?.kind === 'scalar') {
    const text = embed(content);
    return { path, files: { list: () => [''], read: (each) => (each === '' ? text : undefined) } };
  }
  const file = filled(get(definition, 'file'), filling);
  return { path, files: file === undefined ? undefined : filesAt(joinPath(compose.folder, file), project) };
}

/** The file or folder at a path of the project; undefined when nothing of it is in the project. */
export function filesAt(path: string | undefined, project: Project): MountedFiles | undefined {
  if (path === undefined) return undefined;
  if (project.readText(path) !== undefined)
    return { list: () => [''], read: (each) => (each === '' ? readFile(path, project) : undefined) };
  const prefix = path === '' ? '' : `${path}/`;
  if (!project.list().some((each) => each.startsWith(prefix))) return undefined;
  return {
    list: () => project.list().flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : [])),
    read: (each) => readFile(prefix + each, project),
  };
}

function readFile(path: string, project: Project) {
  const content = project.readText(path);
  return content === undefined ? undefined : textOf(path, content);
}

function withoutEndSlash(path: string): string {
  return path.replace(/(.)\/+$/, '$1');
}
