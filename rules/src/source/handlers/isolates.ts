import type { Project } from '../../project.ts';
import { bindingsOf } from '../module.ts';
import type { Module } from '../module.ts';
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
