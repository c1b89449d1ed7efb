import { commandsOf, type Word } from '@poolcheck/parsers/shell/words';
import type { Text } from '@poolcheck/parsers/text';

export type Command = readonly Word[];

/** A program as a command line starts it. */
export interface Invocation {
  readonly program: Command;
  /** What is assigned to variables for it: `NAME=value` words, the last one of a name holds. */
  readonly assigned: Command;
}

/** The programs that a command line starts: those of a `sh -c` script, without the wrappers that hand over to another program. */
export function programsIn(words: Command): readonly Command[] {
  return invocationsIn(words).map(({ program }) => program);
}

/** The same, with what is assigned for each of them, besides `assigned` around it. */
export function invocationsIn(words: Command, assigned: Command = []): readonly Invocation[] {
  const own = unwrapped(words, assigned);
  const script = scriptOf(own.program);
  if (script) return invocationsOfScript(script, own.assigned);
  return own.program.length > 0 ? [own] : [];
}

/** What a shell script starts; what it assigns or exports is there for what follows. */
function invocationsOfScript(script: Text, assigned: Command): readonly Invocation[] {
  let before = assigned;
  return commandsOf(script).flatMap((words) => {
    const alone = assignmentsAlone(words);
    before = [...before, ...(alone ?? [])];
    return alone ? [] : invocationsIn(words, before);
  });
}

/** The assignments of a command that starts nothing: `NAME=value`, `export NAME=value`. */
export function assignmentsAlone(words: Command): Command | undefined {
  return words[0]?.value === 'export' || words.every(isAssignment) ? words.filter(isAssignment) : undefined;
}

/** `/usr/local/bin/node` is `node`. */
export function programName(command: Command): string {
  const path = command[0]?.value ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
}

const shells = /^(ba|da|a|z)?sh$/;

/** What `sh -c` runs; every place in it is the word's. */
function scriptOf(command: Command): Text | undefined {
  if (!shells.test(programName(command))) return undefined;
  const option = command.findIndex(({ value }) => /^-[a-z]*c$/.test(value));
  const script = option < 0 ? undefined : command[option + 1];
  if (!script) return undefined;
  const pieces = [{ inner: 0, outer: script.range.start, length: 0 }];
  return { path: script.text.path, content: script.value, within: { outer: script.text, pieces } };
}

/** Programs that start the one whose command follows their own options. */
const wrappers = /^(exec|nohup|env|cross-env|time|command|then|do|else|npx|bunx|docker-entrypoint\.sh|entrypoint\.sh)$/;
/** The same, after a user's name. */
const userWrappers = /^(su-exec|gosu)$/;
/** The same, after `--`. */
const dashedWrappers = /^(tini|dumb-init|dotenv|dotenvx|doppler|infisical)$/;

function unwrapped(words: Command, assigned: Command): Invocation {
  const [first, ...rest] = words;
  const name = programName(words);
  if (first && isAssignment(first)) return unwrapped(rest, [...assigned, first]);
  if (dashedWrappers.test(name)) return unwrapped(rest.slice(rest.findIndex(({ value }) => value === '--') + 1), assigned);
  if (userWrappers.test(name)) return unwrapped(rest.slice(1), assigned);
  return wrappers.test(name) ? unwrapped(rest.slice(optionsAtStart(rest)), assigned) : { program: words, assigned };
}

function isAssignment({ value }: Word): boolean {
  return /^\w+=/.test(value);
}

function optionsAtStart(words: Command): number {
  const first = words.findIndex(({ value }) => !value.startsWith('-'));
  return first < 0 ? words.length : first;
}
