import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import type { YamlMap, YamlValue } from '@poolcheck/parsers/yaml/value';
import { textOf } from '@poolcheck/parsers/text';
import { parse as parseJsonc } from 'jsonc-parser';
import { fileConventions } from '../../knowledge/frameworks.ts';
import { lambda } from '../../knowledge/frameworks/serverless.ts';
import type { FileConvention } from '../../knowledge/framework.ts';
import type { Project } from '../../project.ts';
import { functionsBelow, functionsIn, handlerOf, type Handler, type Sources } from './handlers.ts';
import { isFunction, placeOfNode } from '../module.ts';
import type { FunctionNode, Module, Node } from '../module.ts';
import { specifiersIn } from '../relevance.ts';
import { join, parentOf } from '../resolve.ts';

/** Finds the handlers that only the place of a file, a directive or a deployment file makes ones. */
export class Conventions {
  readonly #project: Project;
  readonly #dependencies = new Map<string, ReadonlySet<string>>();
  #named: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(project: Project) {
    this.#project = project;
  }

  handlersIn(module: Module, sources: Sources): readonly Handler[] {
    const byPlace = fileConventions
      .filter((convention) => convention.files.test(module.path) && this.#isUsed(convention, module))
      .flatMap((convention) => convention.exports.flatMap((name) => exportedHandlers(module, name, convention, sources)));
    const byName = [...(this.#namedHandlers().get(withoutExtension(module.path)) ?? [])].flatMap((name) =>
      exportedHandlers(module, name, lambda, sources),
    );
    return [...byPlace, ...byName, ...byShape(module, sources), ...serverActions(module, sources)];
  }

  #isUsed({ dependencies }: FileConvention, module: Module): boolean {
    const declared = this.#dependenciesOf(parentOf(module.path));
    return (
      dependencies.some((name) => declared.has(name)) ||
      specifiersIn(module.text.content).some((specifier) =>
        dependencies.some((name) => specifier === name || specifier.startsWith(`${name}/`)),
      )
    );
  }

  /** The dependencies of every package.json at or above a folder. */
  #dependenciesOf(folder: string): ReadonlySet<string> {
    const known = this.#dependencies.get(folder);
    if (known) return known;
    const above = folder === '' ? [] : this.#dependenciesOf(parentOf(folder));
    const own = dependenciesIn(this.#project.readText(join(folder, 'package.json')) ?? '');
    const all = new Set([...above, ...own]);
    this.#dependencies.set(folder, all);
    return all;
  }

  /** The exports that serverless.yml or a SAM template name, by path without extension. */
  #namedHandlers(): ReadonlyMap<string, ReadonlySet<string>> {
    return (this.#named ??= lambdaHandlersIn(this.#project));
  }
}

function exportedHandlers(
  module: Module,
  name: string,
  framework: { readonly name: string; readonly event: string },
  sources: Sources,
): readonly Handler[] {
  const node = exportedNode(module, name.replace(/\.\*$/, ''));
  if (!node) return [];
  const found = name.endsWith('.*') ? functionsBelow({ node, module }, sources) : functionsIn(node, module, sources);
  return found.map((unit) => handlerOf(unit, framework, placeOfNode(module, headOf(node))));
}

/** `exports.handler = async (event, context) => …` */
function byShape(module: Module, sources: Sources): readonly Handler[] {
  return exportedHandlers(module, 'handler', lambda, sources).filter(({ unit: { node } }) => {
    const [event, context] = isFunction(node) ? node.params : [];
    return isNamed(event, /^_?event$/) && isNamed(context, /^_?context$/);
  });
}

function isNamed(parameter: Node | undefined, name: RegExp): boolean {
  return parameter?.type === 'Identifier' && name.test(parameter.name);
}

function exportedNode({ exports }: Module, name: string): Node | undefined {
  const exported = exports.named.get(name);
  if (exported?.kind === 'local') return exported.node;
  return name === 'default' && !exported ? exports.whole : undefined;
}

function headOf(node: Node): Node {
  return node.type === 'FunctionDeclaration' && node.id ? node.id : node;
}

/** `'use server'` at the head of a file or of a function. */
function serverActions(module: Module, sources: Sources): readonly Handler[] {
  if (!/['"]use server['"]/.test(module.text.content)) return [];
  const action = { name: 'React', event: 'request' };
  const found = hasDirective(module.ast.body)
    ? [...module.exports.named.keys()].flatMap((name) => exportedHandlers(module, name, action, sources))
    : markedFunctions(module).map((node) => handlerOf({ node, module }, action, placeOfNode(module, headOf(node))));
  return found.map((handler) => ({ ...handler, isSent: true }));
}

function markedFunctions(module: Module): readonly FunctionNode[] {
  const functions = [
    ...module.nodes('FunctionDeclaration'),
    ...module.nodes('FunctionExpression'),
    ...module.nodes('ArrowFunctionExpression'),
  ];
  return functions.filter(({ body }) => body.type === 'BlockStatement' && hasDirective(body.body));
}

function hasDirective([first]: readonly Node[]): boolean {
  return first?.type === 'ExpressionStatement' && first.expression.type === 'Literal' && first.expression.value === 'use server';
}

function dependenciesIn(content: string): readonly string[] {
  const manifest: unknown = content === '' ? undefined : parseJsonc(content);
  if (typeof manifest !== 'object' || manifest === null) return [];
  return Object.entries(manifest).flatMap(([key, value]: [string, unknown]) =>
    /^(dev|peer)?dependencies$/i.test(key) && typeof value === 'object' && value !== null ? Object.keys(value) : [],
  );
}

/** Whether a file may name the handlers of serverless functions. */
export function mayNameHandlers(path: string): boolean {
  return /(^|\/)(serverless|template)\.ya?ml$/.test(path);
}

function lambdaHandlersIn(project: Project): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>();
  for (const path of project.list().filter(mayNameHandlers)) {
    const { document } = parseYaml(textOf(path, project.readText(path) ?? ''));
    for (const { file, name } of document.flatMap(({ root }) => namedHandlers(root, parentOf(path)))) {
      named.set(file, (named.get(file) ?? new Set()).add(name));
    }
  }
  return named;
}

interface NamedHandler {
  readonly file: string;
  readonly name: string;
}

function namedHandlers(value: YamlValue, folder: string): readonly NamedHandler[] {
  if (value.kind === 'sequence') return value.items.flatMap((item) => namedHandlers(item, folder));
  if (value.kind !== 'map') return [];
  const below = value.entries.flatMap((entry) => namedHandlers(entry.value, folder));
  const handler = textAt(value, 'handler') ?? textAt(value, 'Handler');
  const parts = /^([\w./-]+)\.(\w+)$/.exec(handler ?? '');
  if (!parts) return below;
  const [, file = '', name = ''] = parts;
  const base = join(folder, textAt(value, 'CodeUri') ?? '');
  return [...below, ...sourcesOf(file).map((source) => ({ file: join(base, source), name }))];
}

function textAt(map: YamlMap, key: string): string | undefined {
  const found = map.entries.find((entry) => entry.key.value === key)?.value;
  return found?.kind === 'scalar' ? found.value : undefined;
}

/** A handler names what is built: `dist/orders` is made from `src/orders` or `orders`. */
function sourcesOf(file: string): readonly string[] {
  const built = /^(?:\.\/)?(?:dist|build|\.build|lib|out)\//;
  return built.test(file) ? [file, file.replace(built, 'src/'), file.replace(built, '')] : [file];
}

function withoutExtension(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, '');
}
