import type { NginxDocument } from '@poolcheck/parsers/nginx/document';
import { hasGlob, matchesGlob } from '@poolcheck/parsers/nginx/glob';
import { parseNginx, type IncludeFiles } from '@poolcheck/parsers/nginx/parse';
import type { Parsed, Text } from '@poolcheck/parsers/text';
import { posix } from 'node:path';
import { isStockFile, nginxMainFiles, nginxSiteFiles, nginxTemplates } from '../../knowledge/nginx.ts';
import type { Environment } from '../../source/setting.ts';
import type { Container } from '../stack.ts';
import type { ContainerFiles } from '../container-files.ts';
import { fillIn } from './template.ts';

/** The configuration that nginx reads in a container; undefined when the project does not have it. */
export function nginxConfigOf(container: Container, inContainer: ContainerFiles): Parsed<NginxDocument> | undefined {
  const files = withTemplates(inContainer, container.environment);
  const main = [startedWith(container), ...nginxMainFiles].find((path) => path !== undefined && files.read(path) !== undefined);
  if (main === undefined) return sitesOf(files);
  const text = files.read(main);
  return text === undefined || text === 'unknown' ? undefined : parseNginx(text, includesFrom(files, posix.dirname(main)));
}

/** `nginx -c FILE` */
function startedWith({ entrypoint = [], command = [] }: Container): string | undefined {
  const [program = '', ...options] = [...entrypoint, ...command].map(({ value }) => value);
  return posix.basename(program) === 'nginx' && options.includes('-c') ? options[options.indexOf('-c') + 1] : undefined;
}

/** Without a main file of the project the image's own holds: it includes the sites into `http` and leaves connections alone. */
function sitesOf(files: ContainerFiles): Parsed<NginxDocument> | undefined {
  const found = nginxSiteFiles.map((pattern) => matching(pattern, files));
  if (found.includes(undefined)) return undefined;
  const texts = found.flatMap((each) => each ?? []);
  return joined(texts.map((text) => parseNginx(text, includesFrom(files, '/etc/nginx'))));
}

/** Files that nginx reads one after the other into `http`, as one. */
export function joined(sites: readonly Parsed<NginxDocument>[]): Parsed<NginxDocument> | undefined {
  const [first] = sites;
  if (!first) return undefined;
  const documents = sites.map(({ document }) => document);
  const document: NginxDocument = {
    text: first.document.text,
    context: 'http',
    directives: documents.flatMap(({ directives }) => directives),
    complete: documents.every(({ complete }) => complete),
    includes: documents.flatMap(({ includes }) => includes),
  };
  return { document, problems: sites.flatMap(({ document: { text }, problems }) => problems.map((problem) => ({ text, ...problem }))) };
}

function includesFrom(files: ContainerFiles, folder: string): IncludeFiles {
  return (pattern) => {
    const path = posix.resolve(folder, pattern);
    if (hasGlob(path)) return matching(path, files);
    const text = files.read(path);
    if (text === undefined) return isStockFile(path) ? [] : undefined;
    return text === 'unknown' ? undefined : [text];
  };
}

/** The files that a pattern names; undefined when there may be others, or one cannot be read. */
function matching(pattern: string, files: ContainerFiles): readonly Text[] | undefined {
  if (files.read(posix.dirname(pattern)) === 'unknown') return undefined;
  const paths = files.list().filter((path) => matchesGlob(pattern, path));
  const texts = paths.sort().map((path) => files.read(path));
  return texts.every((text) => text !== undefined && text !== 'unknown') ? texts : undefined;
}

/** The entrypoint of the official image fills in the templates before nginx starts. */
function withTemplates(files: ContainerFiles, environment: Environment): ContainerFiles {
  const { folder, suffix, target } = nginxTemplates;
  const templates = files.list().filter((path) => path.startsWith(folder) && path.endsWith(suffix));
  const rendered = new Map(templates.map((path) => [target + path.slice(folder.length, -suffix.length), path]));
  return {
    list: () => [...new Set([...files.list(), ...rendered.keys()])],
    read: (path) => {
      const template = rendered.get(path);
      const text = files.read(template ?? path);
      return template === undefined || text === undefined || text === 'unknown' ? text : fillIn(text, environment);
    },
    lacks: (path) => files.lacks(path) && !rendered.has(path),
  };
}
