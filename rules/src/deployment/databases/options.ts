import { type Word, wordsOf } from '@poolcheck/parsers/shell/words';
import { placeOf, type Place } from '@poolcheck/parsers/text';
import { type Command, programsIn } from '../command.ts';
import type { Image } from '../images.ts';
import { type Container, unknownPart } from '../stack.ts';

/** A setting of a server as something says it; the value is undefined when what it says cannot be read. */
export interface Said {
  readonly value: string | undefined;
  readonly place: Place;
}

/** The words that the server of a container is started with. */
export function startWords({ entrypoint, command }: Container, { built }: Image): Command {
  const fromImage = entrypoint === undefined ? (built?.cmd?.commands.flat() ?? []) : [];
  return programsIn([...(entrypoint ?? []), ...(command ?? fromImage)]).flat();
}

/** `-c name=value`, `--name=value`, with dashes or underscores; the last one wins. */
export function optionIn(words: Command, name: string): Said | undefined {
  const found = words.flatMap((word, index) => {
    const previous = words[index - 1]?.value;
    const option = /^(?:-c|--)?([A-Za-z][\w.-]*)=([^]*)$/.exec(word.value);
    const isOption = word.value.startsWith('-') || previous === '-c';
    return isOption && option?.[1]?.replaceAll('-', '_') === name ? [said(word, option[2] ?? '')] : [];
  });
  return found.at(-1);
}

/** A short option with its value in the next word or its own: `-N 200`, `-N200`. */
export function shortOptionIn(words: Command, letter: string): Said | undefined {
  const found = words.flatMap((word, index) => {
    if (!word.value.startsWith(`-${letter}`)) return [];
    const next = word.value.length === 2 ? words[index + 1] : word;
    return next ? [said(next, next === word ? word.value.slice(2) : next.value)] : [];
  });
  return found.at(-1);
}

/** An option in the value of a variable (`POSTGRES_INITDB_ARGS`). */
export function optionInVariable({ environment }: Container, variable: string, name: string): Said | undefined {
  const args = environment(variable);
  if (args.state !== 'set') return undefined;
  const option = optionIn(wordsOf({ path: args.place.text.path, content: args.value }), name);
  return option && { value: option.value, place: args.place };
}

function said({ text, range, expands }: Word, value: string): Said {
  return { value: expands || value.includes(unknownPart) ? undefined : value, place: placeOf(text, range) };
}
