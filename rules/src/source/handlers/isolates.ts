import type { Project } from '../../project.ts';
import { bindingsOf } from '../module.ts';
import type { Module } from '../module.ts';
import type { ImportGraph } from '../relevance.ts';
import { join, parentOf } from '../resolve.ts';

const wranglerFiles = ['wrangler.toml', 'wrangler.json', 'wrangler.jsonc'];

/**
 * Whether a module runs where sockets must not outlive the request that opened them: Cloudflare Workers, edge runtimes.
 * https://developers.cloudflare.com/hyperdrive/configuration/connect-to-postgres/
 */
export function isIsolate(module: Module, project: Project): boolean {
  return importsWorkers(module) || hasEdgeRuntime(module) || isBelowWrangler(parentOf(module.path), project);
}

function importsWorkers({ ast }: Module): boolean {
  return ast.body.some((statement) => statement.type === 'ImportDeclaration' && statement.source.value.startsWith('cloudflare:'));
}

/** `export const runtime = 'edge'`, `export const config = { runtime: 'edge' }` */
function hasEdgeRuntime({ ast, text }: Module): boolean {
  return ast.body.some(
    (statement) =>
      statement.type === 'ExportNamedDeclaration' &&
      statement.declaration?.type === 'VariableDeclaration' &&
      statement.declaration.declarations.some(
        ({ id, init }) =>
          init &&
          bindingsOf(id).some(({ name }) => name === 'runtime' || name === 'config') &&
          /['"](experimental-)?edge['"]/.test(text.content.slice(...init.range)),
      ),
  );
}

interface Root {
  readonly project: Project;
  readonly graph: ImportGraph;
  module(path: string): Module | undefined;
}

/** Whether only isolates load a file: everything in production that reaches it does so from an entry of theirs. */
export function isInIsolates(path: string, { project, graph, module }: Root): boolean {
  const loading = graph.reaching([path]).filter((each) => module(each)?.role === 'production');
  const outermost = loading.filter((each) => !graph.importersOf(each).some((importer) => loading.includes(importer)));
  return outermost.length > 0 && outermost.every((each) => isEntry(module(each), project));
}

function isEntry(module: Module | undefined, project: Project): boolean {
  return module !== undefined && (importsWorkers(module) || hasEdgeRuntime(module) || isWranglersEntry(module.path, project));
}

/** What the nearest wrangler file names, or a function of Pages. */
function isWranglersEntry(path: string, project: Project): boolean {
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const [file] = wranglerFiles.flatMap((name) => project.readText(join(folder, name)) ?? []);
    if (file !== undefined) return mainOf(file, folder) === path || path.startsWith(`${join(folder, 'functions')}/`);
    if (folder === '') return false;
  }
}

/** `main = "src/index.ts"`, in TOML or JSON. */
function mainOf(wrangler: string, folder: string): string | undefined {
  const [, main] = /^\s*"?main"?\s*[:=]\s*["']([^"']+)["']/m.exec(wrangler) ?? [];
  return main === undefined ? undefined : join(folder, main);
}

const wranglerFolders = new WeakMap<Project, Map<string, boolean>>();

function isBelowWrangler(folder: string, project: Project): boolean {
  const known = wranglerFolders.get(project) ?? new Map<string, boolean>();
  wranglerFolders.set(project, known);
  const isBelow =
    known.get(folder) ??
    (wranglerFiles.some((name) => project.readText(join(folder, name)) !== undefined) ||
      (folder !== '' && isBelowWrangler(parentOf(folder), project)));
  known.set(folder, isBelow);
  return isBelow;
}
