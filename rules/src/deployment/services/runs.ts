import { commandsOf } from '@poolcheck/parsers/shell/words';
import type { Text } from '@poolcheck/parsers/text';
import { assignmentsAlone, type Command, type Invocation, invocationsIn, programName } from '../command.ts';
import { joinPath } from '../paths.ts';
import { scriptsOf } from './entries.ts';
import type { Packages } from './packages.ts';
import { placesOf } from './project-file.ts';

/** A program that a container starts in the end, behind scripts of packages and files of the shell. */
export interface Run extends Invocation {
  /** Of the project, where it is started. */
  readonly folder: string;
}

export interface RunSources {
  readonly packages: Packages;
  /** A file of the project, by its root-relative path. */
  read(path: string): Text | undefined;
}

interface Surroundings {
  readonly folder: string;
  readonly assigned: Command;
  readonly depth: number;
}

const deepest = 6;

/** The programs that command lines start when they are run in a folder of the project. */
export function runsOf(commands: readonly Command[], folder: string, sources: RunSources): readonly Run[] {
  return runsIn(commands, { folder, assigned: [], depth: 0 }, sources);
}

function runsIn(commands: readonly Command[], { folder, assigned, depth }: Surroundings, sources: RunSources): readonly Run[] {
  if (depth > deepest) return [];
  let [at, before] = [folder, assigned];
  const here = () => ({ folder: at, assigned: before, depth: depth + 1 });
  return commands.flatMap((words): readonly Run[] => {
    const alone = assignmentsAlone(words);
    if (alone) {
      before = [...before, ...alone];
      return [];
    }
    const file = shellFile(words, at, sources);
    const inFile = file ? runsIn(commandsOf(file.text), here(), sources) : [];
    const started = invocationsIn(file ? words.slice(file.at + 1) : words, before).flatMap((each): readonly Run[] => {
      if (programName(each.program) === 'cd') at = joinPath(at, each.program[1]?.value ?? '') ?? at;
      return runsBehind(each, here(), sources);
    });
    return [...inFile, ...started];
  });
}

/** Those of a package's script, or the program itself. */
function runsBehind(invocation: Invocation, { folder, depth }: Surroundings, sources: RunSources): readonly Run[] {
  const { program, assigned } = invocation;
  const scripts = scriptsOf(program, folder, sources.packages);
  if (scripts) return scripts.flatMap((each) => runsIn(commandsOf(each.text), { folder: each.folder, assigned, depth }, sources));
  const own = withoutRunner(program);
  return own === program ? [{ ...invocation, folder }] : runsIn([own], { folder, assigned, depth }, sources);
}

/** `yarn prisma …`, `pnpm exec prisma …`, `npm exec -- prisma …` */
function withoutRunner(program: Command): Command {
  if (!/^(npm|yarn|pnpm|bun)$/.test(programName(program))) return program;
  const rest = program.slice(1);
  const first = rest.findIndex(({ value }) => !value.startsWith('-') && !/^(exec|dlx|x)$/.test(value));
  return first < 0 ? program : rest.slice(first);
}

interface ShellFile {
  readonly text: Text;
  /** Which word names it. */
  readonly at: number;
}

/** The shell script of the project that a command runs: `./migrate.sh`, `sh /app/docker/start.sh`. */
function shellFile(words: Command, folder: string, { read }: RunSources): ShellFile | undefined {
  const at = words.slice(0, 3).findIndex(({ value }) => value.endsWith('.sh'));
  const path = words[at]?.value;
  if (path === undefined) return undefined;
  const text = placesOf(path, folder).flatMap((each) => read(each) ?? [])[0];
  return text && { text, at };
}
