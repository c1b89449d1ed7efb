import { commandsOf, type Word } from '@poolcheck/parsers/shell/words';
import { placeOf, textOf, type Place, type Range } from '@poolcheck/parsers/text';
import { languageRunners } from '../../knowledge/app-servers.ts';
import type { Project } from '../../project.ts';
import type { Environment } from '../../source/setting.ts';
import { type Command, programName } from '../command.ts';
import { joinPath } from '../paths.ts';

/** `bundle exec puma`, `poetry run gunicorn`, `python -m uvicorn` */
export function withoutLanguageRunner(program: Command): Command {
  const name = programName(program);
  const subcommand = Object.entries(languageRunners).find(([runner]) => runner === name)?.[1];
  if (subcommand !== undefined && program[1]?.value === subcommand) return withoutLanguageRunner(program.slice(2));
  return /^python[\d.]*$/.test(name) && program[1]?.value === '-m' ? program.slice(2) : program;
}

/** The options in a variable that a program reads besides those of its command line. */
export function optionsInVariable(name: string | undefined, environment: Environment): Command {
  const variable = name === undefined ? undefined : environment(name);
  if (variable?.state !== 'set') return [];
  const words = commandsOf(textOf(variable.place.text.path, variable.value)).flat();
  return words.map((word) => ({ ...word, ...variable.place }));
}

/** What a program is told; `unknown`: something, but not what. */
export type Given = { readonly name: string; readonly value: string; readonly place: Place } | 'unknown';

/** `--keep-alive 75`, `--keep-alive=75`, `-w4`, `-Dserver.tomcat.keep-alive-timeout=75s` */
export function optionsGiven(names: readonly string[], words: readonly Word[]): readonly Given[] {
  return names.flatMap((name): readonly Given[] => {
    const at = words.findLastIndex(({ value }) => value.replace(/^(-D|--)(?=server\.)/, '').split('=')[0] === name);
    const word = words[at];
    if (!word) return shortGiven(name, words);
    const inline = word.value.includes('=');
    const holder = inline ? word : words[at + 1];
    if (!holder || holder.expands) return ['unknown'];
    const value = inline ? holder.value.slice(holder.value.indexOf('=') + 1) : holder.value;
    return [{ name, value, place: placeOf(holder.text, holder.range) }];
  });
}

function shortGiven(name: string, words: readonly Word[]): readonly Given[] {
  if (!/^-[a-z]$/i.test(name)) return [];
  const word = words.findLast(({ value }) => value.startsWith(name) && /^\d+$/.test(value.slice(2)));
  return word ? [{ name, value: word.value.slice(2), place: placeOf(word.text, word.range) }] : [];
}

export function variablesGiven(names: readonly string[], environment: Environment): readonly Given[] {
  return names.flatMap((name): readonly Given[] => {
    const variable = environment(name);
    if (variable.state === 'set') return [{ name, value: variable.value, place: variable.place }];
    return variable.state === 'unknown' && variable.place ? ['unknown'] : [];
  });
}

/** What a line of a file in a folder of the project sets, and the file itself. */
export function lineGiven(
  line: RegExp | undefined,
  { file, folder, project }: { readonly file: string; readonly folder: string; readonly project: Project },
): { readonly content: string; readonly groups: readonly string[]; readonly place: Place } | { readonly content: string } | undefined {
  const path = joinPath(folder, file) ?? file;
  const content = project.readText(path);
  const match = content === undefined ? undefined : line?.exec(content);
  if (content === undefined) return undefined;
  return match ? { content, groups: match.slice(1), place: placeOf(textOf(path, content), rangeOf(match)) } : { content };
}

function rangeOf({ 0: line, index }: RegExpExecArray): Range {
  return { start: index, end: index + line.length };
}
