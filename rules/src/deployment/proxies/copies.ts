import type { CopyInstruction, Dockerfile, Instruction, Stage } from '@poolcheck/parsers/dockerfile/parse';
import { hasGlob, matchesGlob } from '@poolcheck/parsers/nginx/glob';
import { posix } from 'node:path';
import { nginxFolders } from '../../knowledge/nginx.ts';
import { joinPath } from '../paths.ts';
import type { Build } from '../stack.ts';

/** The image that a Dockerfile builds: the published one it starts from, and what it copies where. */
export interface BuiltImage {
  readonly base: Stage['base'];
  readonly copied: ReadonlyMap<string, string | undefined>;
}

/** Reads the stage that is built. `files`: everything in the project. */
export function builtImage({ stages }: Dockerfile, build: Build, files: readonly string[]): BuiltImage | undefined {
  const last = stageNamed(stages, build.target) ?? stages.at(-1);
  if (!last) return undefined;
  const lineage = lineageOf(last, stages);
  return {
    base: lineage[0]?.base,
    copied: copiesOf(
      lineage.flatMap(({ instructions }) => instructions),
      build.context,
      files,
    ),
  };
}

/** The stages that a stage is built on, the first one first. */
function lineageOf(stage: Stage, stages: readonly Stage[]): readonly Stage[] {
  const earlier = stages.slice(0, stages.indexOf(stage));
  const base = stageNamed(earlier, stage.base?.value);
  return base ? [...lineageOf(base, earlier), stage] : [stage];
}

function stageNamed(stages: readonly Stage[], name: string | undefined): Stage | undefined {
  return name === undefined ? undefined : stages.find((stage) => stage.name?.toLowerCase() === name.toLowerCase());
}

function copiesOf(instructions: readonly Instruction[], context: string, files: readonly string[]): BuiltImage['copied'] {
  const copied = new Map<string, string | undefined>();
  let folder = '/';
  for (const instruction of instructions) {
    if (instruction.kind === 'workdir') folder = posix.resolve(folder, instruction.path.value);
    if (instruction.kind !== 'copy') continue;
    for (const [path, source] of copiesOfOne(instruction, folder, context, files)) copied.set(path, source);
  }
  return copied;
}

type Copy = readonly [path: string, source: string | undefined];

function copiesOfOne(
  { from, sources, destination }: CopyInstruction,
  folder: string,
  context: string,
  files: readonly string[],
): readonly Copy[] {
  const target = posix.resolve(folder, destination.value);
  const intoFolder = destination.value.endsWith('/') || sources.length > 1 || nginxFolders.has(target);
  return sources.flatMap(({ value }): readonly Copy[] => {
    if (from !== undefined) return [[intoFolder ? posix.join(target, posix.basename(value)) : target, undefined]];
    const source = joinPath(context, value.replace(/^\/+/, ''));
    return source === undefined ? [] : copiesFrom(source, target, intoFolder, files);
  });
}

/** A file is copied to or into the target, the content of a folder into it. */
function copiesFrom(source: string, target: string, intoFolder: boolean, files: readonly string[]): readonly Copy[] {
  const into = (file: string): Copy => [posix.join(target, posix.basename(file)), file];
  if (hasGlob(source)) return files.filter((file) => matchesGlob(source, file)).map(into);
  if (files.includes(source)) return [intoFolder ? into(source) : [target, source]];
  const prefix = source === '' ? '' : `${source}/`;
  return files.filter((file) => file.startsWith(prefix)).map((file) => [posix.join(target, file.slice(prefix.length)), file]);
}
