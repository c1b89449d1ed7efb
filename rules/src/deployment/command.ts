import { commandsOf, type Word } from '@poolcheck/parsers/shell/words';
import type { Text } from '@poolcheck/parsers/text';

export type Command = readonly Word[];

/** The programs that a command line starts: those of a `sh -c` script, without the wrappers that hand over to another program. */
export function programsIn(words: Command): readonly Command[] {
  const program = unwrapped(words);
  const script = scriptOf(program);
  return script ? commandsOf(script).flatMap(programsIn) : program.length > 0 ? [program] : [];
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
const wrappers = /^(exec|nohup|env|time|command|then|do|else|npx|docker-entrypoint\.sh|entrypoint\.sh)$/;
/** The same, after a user's name. */
const userWrappers = /^(su-exec|gosu)$/;
/** The same, after `--`. */
const dashedWrappers = /^(tini|dumb-init|dotenv|dotenvx|doppler|infisical)$/;

function unwrapped(words: Command): Command {
  const [first, ...rest] = words;
  const name = programName(words);
  if (first && /^\w+=/.test(first.value)) return unwrapped(rest);
  if (dashedWrappers.test(name)) return unwrapped(rest.slice(rest.findIndex(({ value }) => value === '--') + 1));
  if (userWrappers.test(name)) return unwrapped(rest.slice(1));
  return wrappers.test(name) ? unwrapped(rest.slice(optionsAtStart(rest))) : words;
}

function optionsAtStart(words: Command): number {
  const first = words.findIndex(({ value }) => !value.startsWith('-'));
  return first < 0 ? words.length : first;
}
