import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { rootOf } from '@poolcheck/rules/disk/root';
import type { Module } from '@poolcheck/rules/source/module';
import type { Rule } from 'eslint';
import { hostProgramOf } from './host-types.ts';
import { scriptOf } from './script.ts';
import { Workspace, type Programs } from './workspace.ts';

/** A file that a host lints, in its programs; undefined when nothing in it has to do with pools. */
export interface Analysis extends Programs {
  readonly module: Module;
}

/** By the tree that the host hands to each rule: one lint of one file. */
const analyses = new WeakMap<object, Analysis | 'irrelevant'>();

const workspaces = new Map<string, Workspace>();

/** The file a host is linting; worked out once for all rules. */
export function analysisOf(tree: object, context: Rule.RuleContext): Analysis | undefined {
  const known = analyses.get(tree) ?? analyse(context) ?? 'irrelevant';
  analyses.set(tree, known);
  return known === 'irrelevant' ? undefined : known;
}

/**
 * The text is parsed by ourselves, whatever parser the host has: its trees come in several shapes, with scopes that know the host's
 * globals, and every rule here is written for one.
 */
function analyse({ filename, cwd, sourceCode }: Rule.RuleContext): Analysis | undefined {
  const { root, path } = locate(resolve(cwd, filename), cwd);
  const script = scriptOf(path, sourceCode.text);
  const programs = workspaceAt(root).programsWith(script.path, script.content, hostProgramOf(sourceCode));
  const { modules } = programs.typed ?? programs.program;
  const module = modules.find((each) => each.path === script.path);
  return module && { module, ...programs };
}

function workspaceAt(root: string): Workspace {
  const workspace = workspaces.get(root) ?? new Workspace(root);
  workspaces.set(root, workspace);
  return workspace;
}

function locate(file: string, cwd: string): { readonly root: string; readonly path: string } {
  const place = realPlace(file);
  const root = rootOf(place, false, realFolder(cwd) ?? cwd);
  return { root, path: relative(root, place).replaceAll(sep, '/') };
}

function realPlace(file: string): string {
  const folder = dirname(file);
  return folder === file ? file : join(realFolder(folder) ?? realPlace(folder), basename(file));
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch {
    return undefined;
  }
}
