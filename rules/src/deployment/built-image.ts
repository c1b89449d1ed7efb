import type { CopyInstruction, Dockerfile, Instruction, Stage, StartInstruction } from '@poolcheck/parsers/dockerfile/parse';
import type { Word } from '@poolcheck/parsers/shell/words';
import { placeOf } from '@poolcheck/parsers/text';
import { posix } from 'node:path';
import { type ImageReference, parseImage } from '../knowledge/images.ts';
import type { Environment, Variable } from '../source/setting.ts';
import type { Command } from './command.ts';
import type { Container } from './stack.ts';

/** What a Dockerfile makes. */
export interface BuiltImage {
  /** The published image that it starts from. */
  readonly base: ImageReference | undefined;
  readonly entrypoint: StartInstruction | undefined;
  readonly cmd: StartInstruction | undefined;
  /** Where it starts, as far as absolute paths say. */
  readonly workdir: string | undefined;
  /** What is copied into it, from the build's folder or from another stage. */
  readonly copies: readonly CopyInstruction[];
  /** The commands that make it, from the published image on. */
  readonly runs: readonly Command[];
  readonly variables: ReadonlyMap<string, Variable>;
}

export function builtImage({ stages }: Dockerfile, target: string | undefined): BuiltImage | undefined {
  const stage = target === undefined ? stages.at(-1) : stages.findLast(({ name }) => name === target);
  if (!stage) return undefined;
  const lineage = lineageOf(stage, stages);
  const instructions = lineage.flatMap((each) => each.instructions);
  const base = lineage[0]?.base;
  return {
    base: base && parseImage(base.value),
    entrypoint: lastOf(instructions, 'entrypoint'),
    cmd: lastOf(instructions, 'cmd'),
    workdir: workdirOf(instructions),
    copies: instructions.filter((each) => each.kind === 'copy'),
    runs: instructions.flatMap((each) => (each.kind === 'run' ? each.commands : [])),
    variables: new Map(instructions.flatMap((each) => (each.kind === 'env' ? [[each.name, variableOf(each.value)] as const] : []))),
  };
}

function workdirOf(instructions: readonly Instruction[]): string | undefined {
  const paths = instructions.flatMap((each) => (each.kind === 'workdir' && !each.path.expands ? [each.path.value] : []));
  return paths.length > 0 ? posix.resolve('/', ...paths) : undefined;
}

/** The stages that a stage starts from, the first one first. */
function lineageOf(stage: Stage, stages: readonly Stage[]): readonly Stage[] {
  const before = stages.slice(0, stages.indexOf(stage));
  const from = before.findLast(({ name }) => name !== undefined && name === stage.base?.value);
  return from ? [...lineageOf(from, before), stage] : [stage];
}

function lastOf(instructions: readonly Instruction[], kind: StartInstruction['kind']): StartInstruction | undefined {
  return instructions.filter((each): each is StartInstruction => each.kind === kind).at(-1);
}

function variableOf({ text, range, value, expands }: Word): Variable {
  return expands ? { state: 'unknown', place: placeOf(text, range) } : { state: 'set', value, place: placeOf(text, range) };
}

/** The command lines that a container starts with: its own replace the image's, and with an own entrypoint the image's CMD is dropped. */
export function startCommands({ entrypoint, command }: Container, built: BuiltImage | undefined): readonly Command[] {
  const start = entrypoint ?? built?.entrypoint?.commands.flat() ?? [];
  if (command) return [[...start, ...command]];
  if (entrypoint || !built?.cmd) return [start];
  return built.cmd.form === 'shell' ? built.cmd.commands : [[...start, ...built.cmd.commands.flat()]];
}

/** The environment of a container with what its image sets for itself. */
export function withImageVariables(environment: Environment, image: BuiltImage | undefined): Environment {
  return (name) => {
    const variable = environment(name);
    return variable.state === 'unset' ? (image?.variables.get(name) ?? variable) : variable;
  };
}
