import type { PrismaBlock, PrismaValue } from '@poolcheck/parsers/prisma/parse';
import { placeOf, type Text } from '@poolcheck/parsers/text';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import type { Project } from '../../project.ts';
import type { Module, Node, TSESTree } from '../../source/module.ts';
import { placeOfNode } from '../../source/module.ts';
import type { PoolSite } from '../../source/pools.ts';
import type { Program } from '../../source/program.ts';
import type { Setting } from '../../source/setting.ts';
import { settingOf } from '../../source/settings.ts';
import type { Sited } from '../../source/value.ts';
import type { Values } from '../../source/values.ts';
import { folderOf, isWithin, joinPath } from '../paths.ts';

/** Where the Prisma of a project connects. */
export interface PrismaUrls {
  /** The pool with what the schema says of where it connects, when it is not told otherwise. */
  located(site: PoolSite): PoolSite;
  /** What Prisma Migrate uses in a folder, with the schema at a path when one is named. */
  migrate(folder: string, schema: string | undefined): Setting | undefined;
}

/** https://www.prisma.io/docs/orm/reference/prisma-schema-reference#datasource, https://www.prisma.io/docs/orm/reference/prisma-config-reference */
export function prismaUrls(documents: readonly ConfigDocument[], project: Project, program: Program): PrismaUrls {
  const datasources = documentsOf(documents, 'prisma').flatMap(({ text, document }) =>
    document.blocks.filter(isPostgresql).map((block) => datasourceOf(block, text)),
  );
  const configs = project
    .list()
    .filter((path) => /(^|\/)prisma\.config\.[cm]?[jt]s$/.test(path))
    .flatMap((path) => configuredUrl(program.module(path), program.values) ?? []);
  return {
    located(site) {
      const url = readsSchema(site) ? nearest(datasources, folderOf(site.module.path))?.url : undefined;
      return url ? { ...site, target: { ...site.target, url } } : site;
    },
    migrate(folder, schema) {
      const configured = onlyIn(configs, folder);
      if (configured) return configured.url;
      const own = schema === undefined ? onlyIn(datasources, folder) : datasources.find(({ path }) => isAt(path, schema, folder));
      return own?.directUrl ?? own?.url;
    },
  };
}

/** Since Prisma 7 the schema does not say it, and there is always an adapter. */
export function readsSchema({ options, given, target }: PoolSite): boolean {
  const { engine } = options;
  return engine !== undefined && given.complete && target.url === undefined && given.at(engine.unless) === undefined;
}

/** The one of the nearest folder that has any. */
function nearest(datasources: readonly Datasource[], folder: string): Datasource | undefined {
  return folder === '' || datasources.some(({ path }) => isWithin(folder, path))
    ? onlyIn(datasources, folder)
    : nearest(datasources, folderOf(folder));
}

interface Datasource {
  readonly path: string;
  readonly url: Setting | undefined;
  readonly directUrl: Setting | undefined;
}

function isPostgresql({ kind, properties }: PrismaBlock): boolean {
  const provider = properties.get('provider');
  return kind.value === 'datasource' && provider?.kind === 'text' && /^postgres(ql)?$/.test(provider.value);
}

function datasourceOf({ properties }: PrismaBlock, text: Text): Datasource {
  const setting = (name: string) => {
    const value = properties.get(name);
    return value && settingOfValue(value, text);
  };
  return { path: text.path, url: setting('url'), directUrl: setting('directUrl') };
}

function settingOfValue(value: PrismaValue, text: Text): Setting {
  const place = placeOf(text, value.range);
  if (value.kind === 'text') return { kind: 'literal', value: value.value, place };
  return value.kind === 'env' ? { kind: 'env', name: value.name, place } : { kind: 'unknown', place };
}

/** The one of a folder, or else of the whole project; undefined when there is none, or more than one. */
function onlyIn<Each extends { readonly path: string }>(all: readonly Each[], folder: string): Each | undefined {
  const own = all.filter(({ path }) => isWithin(folder, path));
  const [only, ...others] = own.length > 0 ? own : all;
  return others.length === 0 ? only : undefined;
}

/** Whether a schema is what an option names: the file, or the folder that it is a part of. */
function isAt(path: string, named: string, folder: string): boolean {
  const place = joinPath(named.startsWith('/') ? '' : folder, named);
  return place !== undefined && (path === place || folderOf(path) === place || place.endsWith(`/${path}`));
}

/** `defineConfig({ datasource: { url: env('DATABASE_URL') } })` */
function configuredUrl(module: Module | undefined, values: Values): { readonly path: string; readonly url: Setting } | undefined {
  const call = module?.nodes('CallExpression').find((each) => isOfConfig(each.callee, 'defineConfig', module, values));
  const url = module && call && propertyAt(call.arguments[0], ['datasource', 'url'], module, values);
  return url && { path: module.path, url: urlSetting(url, values) };
}

function urlSetting({ node, module }: Sited, values: Values): Setting {
  const name = isVariable(node, module, values) ? node.arguments[0] : undefined;
  if (name?.type !== 'Literal' || typeof name.value !== 'string') return settingOf(node, module, values);
  return { kind: 'env', name: name.value, place: placeOfNode(module, node) };
}

function isVariable(node: Node, module: Module, values: Values): node is TSESTree.CallExpression {
  return node.type === 'CallExpression' && isOfConfig(node.callee, 'env', module, values);
}

function isOfConfig(node: Node, name: string, module: Module, values: Values): boolean {
  const made = values.exportOf(node, module);
  return made?.package === 'prisma/config' && made.path === name;
}

function propertyAt(node: Node | undefined, names: readonly string[], module: Module, values: Values): Sited | undefined {
  const [name, ...deeper] = names;
  const at = node && values.follow(node, module);
  if (!at || name === undefined) return at;
  if (at.node.type !== 'ObjectExpression') return undefined;
  const found = values.property({ node: at.node, module: at.module }, name);
  return found && found !== 'unknown' ? propertyAt(found.node, deeper, found.module, values) : undefined;
}
