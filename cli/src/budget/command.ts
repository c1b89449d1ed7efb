import type { Deployment } from '@poolcheck/rules/deployment/model';
import { knobsOf, parseKnob, showKnob, withKnob, type Knob } from '@poolcheck/rules/deployment/what-if';
import { didYouMean } from '@poolcheck/rules/nearest';
import type { BudgetOptions, WhatIf } from '../arguments.ts';
import { hasColor } from '../color.ts';
import { exit, UserError } from '../exit.ts';
import type { Io } from '../io.ts';
import { analyse } from '../lint.ts';
import { progressOn } from '../progress.ts';
import { relocation } from '../report.ts';
import { ruleIds } from '../rule-ids.ts';
import { writers } from './writers.ts';
import { sheetOf, type Sheet } from './sheet.ts';

/** `poolcheck budget`: prints how many connections can be open, and gives the exit status. */
export function budget(options: BudgetOptions, io: Io): number {
  const progress = progressOn(io.err);
  const request = { ...options, rules: noRules, cwd: io.cwd, env: io.env, onRead: progress.onRead };
  const analysed = analyse({ ...request, typesIn: undefined });
  progress.end();
  const changes = options.whatIf.map(changeOf);
  const all = analysed.flatMap(({ result }) => result.deployments);
  for (const { knob } of changes) requireKnob(knob, all);
  const sheets = analysed.flatMap(({ result, shownAs: { cwd: shownAs } }) => {
    const show = relocation(shownAs);
    return result.deployments.map((deployment) => sheetOf(changed(deployment, changes), shownAs(deployment.name), show));
  });
  const report = { sheets, problems: analysed.flatMap(({ result, project }) => [...project.problems(), ...result.problems]) };
  io.out.write(writers[options.format](report, { color: hasColor(options, io) }));
  return sheets.some(isOver) ? exit.found : exit.clean;
}

const noRules = new Map(ruleIds.map((id) => [id, 'off'] as const));

interface Change {
  readonly knob: Knob;
  readonly value: number;
}

function changeOf({ name, value }: WhatIf): Change {
  const knob = parseKnob(name);
  if (!knob)
    throw new UserError(
      `--what-if ${name}: write services.NAME.instances, .processes or .pool, poolers.NAME.instances or .connections, or databases.NAME.max_connections`,
    );
  return { knob, value };
}

function requireKnob(knob: Knob, deployments: readonly Deployment[]): void {
  const names = deployments.flatMap(knobsOf).map(showKnob);
  const name = showKnob(knob);
  if (!names.includes(name))
    throw new UserError(`--what-if ${name}: there is no such ${knob.owner.slice(0, -1)}.${didYouMean(name, names)}`);
}

function changed(deployment: Deployment, changes: readonly Change[]): Deployment {
  return changes.reduce((turned, { knob, value }) => withKnob(turned, knob, value), deployment);
}

/** A rollout that is too much does not make the command fail: it is a warning. */
function isOver({ databases }: Sheet): boolean {
  return databases.some(({ verdicts }) => verdicts.steady === 'over' || verdicts.scaled === 'over');
}
