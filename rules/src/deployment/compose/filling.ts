import { interpolate } from '@poolcheck/parsers/shell/interpolate';
import { type Word, wordsOf } from '@poolcheck/parsers/shell/words';
import { embed } from '@poolcheck/parsers/yaml/embed';
import { isAbsent, itemsOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { unknownPart } from '../stack.ts';

/** The variables that a compose file is filled with: those of the .env file beside it. */
export type Filling = (name: string) => string | undefined;

/** The text of a scalar with its variables filled in; {@link unknownPart} stands for those that nothing sets. */
export function filled(value: YamlValue | undefined, filling: Filling): string | undefined {
  const text = stringOf(value);
  return text === undefined ? undefined : interpolate(text, filling, unknownPart);
}

/** The same as a value at the same place. */
export function fill(value: YamlValue | undefined, filling: Filling): YamlValue | undefined {
  return value?.kind === 'scalar' && !isAbsent(value) ? { ...value, value: filled(value, filling) ?? '' } : value;
}

/** A command: a list of words, or a line that is split as a shell does it. */
export function filledWords(value: YamlValue | undefined, filling: Filling): readonly Word[] | undefined {
  if (value === undefined || isAbsent(value)) return undefined;
  const words = value.kind === 'scalar' ? wordsOf(embed(value)) : itemsOf(value).map(wordOf);
  return words.map((word) => {
    const filledWord = interpolate(word.value, filling, unknownPart) ?? unknownPart;
    return { ...word, value: filledWord, expands: filledWord.includes(unknownPart) };
  });
}

function wordOf(item: YamlValue): Word {
  return { text: item.text, range: item.range, value: stringOf(item) ?? unknownPart, expands: false };
}
