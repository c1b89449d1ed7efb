import type { NginxDocument } from '@poolcheck/parsers/nginx/document';
import { httpScopes } from '@poolcheck/parsers/nginx/resolve';
import { routesOf } from '@poolcheck/parsers/nginx/routes';
import { upstreamsOf } from '@poolcheck/parsers/nginx/upstreams';
import { outermost, placeOf, type Parsed, type Text } from '@poolcheck/parsers/text';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import { groupBy } from '../../group.ts';
import { isSiteFolder } from '../../knowledge/nginx.ts';
import { assumed } from '../../known.ts';
import { anyEnvironment } from '../../source/setting.ts';
import type { Version } from '../../version.ts';
import type { ImageOf } from '../images.ts';
import type { Nginx } from '../model.ts';
import { folderOf, nameOf } from '../paths.ts';
import { routesTo } from '../proxies.ts';
import type { Container } from '../stack.ts';
import { joined, nginxConfigOf } from './config.ts';

/** The configurations that no container is seen to read: those of images that nobody runs here, and the rest. */
export function looseNginx(
  documents: readonly ConfigDocument[],
  imageOf: ImageOf,
  running: readonly Nginx[],
  version: Version | undefined,
): readonly Nginx[] {
  const inImages = unread(builtNginx(documents, imageOf), running);
  return [...inImages, ...unread(looseFiles(documents, version), [...running, ...inImages])];
}

/** Without those whose files are all read elsewhere. */
function unread(found: readonly Nginx[], elsewhere: readonly Nginx[]): readonly Nginx[] {
  const read = new Set(elsewhere.flatMap(({ config }) => textsOf(config).map(keyOf)));
  return found.filter(({ config }) => !textsOf(config).every((text) => read.has(keyOf(text))));
}

function textsOf({ text, directives, includes }: NginxDocument): readonly Text[] {
  return [text, ...directives.map((directive) => directive.text), ...includes.map((include) => include.text)];
}

/** Names a file, or what stands in one. */
function keyOf(text: Text): string {
  const { text: file, range } = outermost(placeOf(text, { start: 0, end: 0 }));
  return `${file.path}:${range.start}`;
}

function builtNginx(documents: readonly ConfigDocument[], imageOf: ImageOf): readonly Nginx[] {
  return documentsOf(documents, 'dockerfile').flatMap(({ text }) => {
    const found = ['', folderOf(text.path)].flatMap((context) => {
      const container = containerOf(text, context);
      const image = imageOf(container);
      const read = image.known?.software === 'nginx' ? nginxConfigOf(container, image.files()) : undefined;
      return read ? [loose(read, image.version('nginx'))] : [];
    });
    return found.slice(-1);
  });
}

/** What `docker build` makes of a Dockerfile in a folder. */
function containerOf(text: Text, context: string): Container {
  return {
    name: nameOf(folderOf(text.path)),
    at: placeOf(text, { start: 0, end: 0 }),
    image: undefined,
    build: { context, dockerfile: text.path, target: undefined },
    entrypoint: undefined,
    command: undefined,
    environment: anyEnvironment,
    variables: [],
    ports: [],
    mounts: [],
  };
}

function looseFiles(documents: readonly ConfigDocument[], version: Version | undefined): readonly Nginx[] {
  const files = documentsOf(documents, 'nginx');
  const named = new Set(files.flatMap(({ document }) => [...upstreamsOf(document).keys()]));
  const isSetAround = files.some(({ document }) => document.context === 'main' && setsProxies(document));
  const whole = togetherInFolders(files.map((file) => (isSetAround ? withoutKnownOutside(file) : file)));
  return whole.map((read) => loose(read, version, named));
}

/** The sites that a main file includes from one folder, as one. */
function togetherInFolders(files: readonly (Parsed<NginxDocument> & { readonly text: Text })[]): readonly Parsed<NginxDocument>[] {
  const isSite = ({ document, text }: (typeof files)[number]) =>
    document.context === 'http' && text.within === undefined && isSiteFolder(nameOf(folderOf(text.path)));
  const folders = groupBy(files.filter(isSite), ({ text }) => folderOf(text.path));
  return [...files.filter((file) => !isSite(file)), ...[...folders.values()].flatMap((sites) => joined(sites) ?? [])];
}

function setsProxies(document: NginxDocument): boolean {
  return httpScopes(document).some(({ level }) => level.directives.some(({ name }) => name.value.startsWith('proxy_')));
}

/** A site that may stand in the `http` block of a main file which says something of proxies. */
function withoutKnownOutside<File extends Parsed<NginxDocument>>(file: File): File {
  return file.document.context === 'http' ? { ...file, document: { ...file.document, complete: false } } : file;
}

function loose({ document, problems }: Parsed<NginxDocument>, version: Version | undefined, named?: ReadonlySet<string>): Nginx {
  const at = placeOf(document.text, { start: 0, end: 0 });
  const own = new Set(upstreamsOf(document).keys());
  const elsewhere = new Set([...(named ?? [])].filter((name) => !own.has(name)));
  return {
    name: nameOf(document.text.path),
    software: 'nginx',
    at,
    version,
    instances: assumed(1, Infinity, 'nothing says how many run'),
    config: document,
    problems,
    routes: routesOf(document, elsewhere).flatMap((route) => routesTo(route, version)),
  };
}
