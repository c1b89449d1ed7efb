import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '@poolcheck/rules/disk/read';
import { configName } from '@poolcheck/rules/disk/root';
import type { InitOptions } from '../arguments.ts';
import { exit, UserError } from '../exit.ts';
import type { Io } from '../io.ts';
import { analyse } from '../lint.ts';
import { progressOn } from '../progress.ts';
import { ruleIds } from '../rule-ids.ts';
import { draftOf } from './draft.ts';

/** `poolcheck init`: writes a first poolcheck.yaml where there is none, and gives the exit status. */
export function init({ folder }: InitOptions, io: Io): number {
  const progress = progressOn(io.err);
  const request = { paths: [folder], config: undefined, rules: noRules, cwd: io.cwd, env: io.env, onRead: progress.onRead };
  const analysed = analyse({ ...request, typesIn: undefined });
  progress.end();
  for (const { target, result, shownAs } of analysed) {
    const name = shownAs.cwd(configName);
    const { text, unknown } = draftOf(result.deployments);
    create(join(target.root, configName), text, name);
    io.out.write(`${name} is written.${unknown > 0 ? ` Fill in what has a "?": ${unknown}.` : ''}\n`);
  }
  return exit.clean;
}

const noRules = new Map(ruleIds.map((id) => [id, 'off'] as const));

/** What is there already, a link too, stays as it is. */
function create(file: string, text: string, name: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new UserError(isThere ? `${name} is there already` : `${name}: cannot be written: ${reasonOf(error)}`);
  }
}
