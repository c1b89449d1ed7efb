import { interpolate } from '../shell/interpolate.ts';
import { commandsOf, type Word, wordsOf } from '../shell/words.ts';
import { type Parsed, type Place, placeOf, type Text } from '../text.ts';
import { type InstructionLine, readLines } from './lines.ts';

/** A Dockerfile as far as it says what runs, with what in it. */
export interface Dockerfile {
  readonly stages: readonly Stage[];
}

/** One `FROM` and what follows it. */
export interface Stage {
  /** `AS name`. */
  readonly name: string | undefined;
  /** The image or an earlier stage, build arguments filled in with their defaults; undefined when they have none. */
  readonly base: (Place & { readonly value: string }) | undefined;
  readonly instructions: readonly Instruction[];
}

export type Instruction = EnvInstruction | WorkdirInstruction | CopyInstruction | RunInstruction | StartInstruction;

export interface EnvInstruction {
  readonly kind: 'env';
  readonly name: string;
  readonly value: Word;
}

export interface WorkdirInstruction {
  readonly kind: 'workdir';
  readonly path: Word;
}

/** `COPY` or `ADD`; `from` is the stage or image it takes the files from, undefined for the build's own folder. */
export interface CopyInstruction {
  readonly kind: 'copy';
  readonly from: string | undefined;
  readonly sources: readonly Word[];
  readonly destination: Word;
}

/** `RUN`; what stands in a heredoc is left out. */
export interface RunInstruction {
  readonly kind: 'run';
  readonly commands: readonly (readonly Word[])[];
}

/** `CMD` or `ENTRYPOINT`. The shell form is a script that `sh -c` runs: several commands. */
export interface StartInstruction extends Place {
  readonly kind: 'cmd' | 'entrypoint';
  readonly form: 'exec' | 'shell';
  readonly commands: readonly (readonly Word[])[];
}

/** Reads a Dockerfile. What says nothing of what is in the image or starts in it (EXPOSE, LABEL …) is left out. */
export function parseDockerfile(text: Text): Parsed<Dockerfile> {
  const { document: lines, problems } = readLines(text);
  const stages: (Stage & { readonly instructions: Instruction[] })[] = [];
  const args = new Map<string, string>();
  for (const line of lines) {
    if (line.keyword === 'FROM') stages.push({ ...readFrom(line.text, args), instructions: [] });
    else if (line.keyword === 'ARG' && stages.length === 0) for (const { name, value } of pairsOf(line.text)) args.set(name, value.value);
    else stages.at(-1)?.instructions.push(...readInstruction(line));
  }
  return { document: { stages }, problems };
}

function readFrom(text: Text, args: ReadonlyMap<string, string>): Pick<Stage, 'name' | 'base'> {
  const [image, as, name] = wordsOf(text).filter(({ value }) => !value.startsWith('--'));
  const base = image && interpolate(image.value, (arg) => args.get(arg));
  return {
    name: as?.value.toUpperCase() === 'AS' ? name?.value : undefined,
    base: image && base !== undefined ? { ...placeOf(image.text, image.range), value: base } : undefined,
  };
}

function readInstruction({ keyword, text }: InstructionLine): readonly Instruction[] {
  switch (keyword) {
    case 'ENV':
      return pairsOf(text).map((pair) => ({ kind: 'env', ...pair }));
    case 'WORKDIR':
      return wordsOf(text)
        .slice(0, 1)
        .map((path) => ({ kind: 'workdir', path }));
    case 'COPY':
    case 'ADD':
      return readCopy(text);
    case 'RUN':
      return [readRun(text)];
    case 'CMD':
    case 'ENTRYPOINT':
      return [readStart(keyword === 'CMD' ? 'cmd' : 'entrypoint', text)];
    default:
      return [];
  }
}

/** `NAME=value …`, or the old form `NAME the rest`. */
function pairsOf(text: Text): readonly { readonly name: string; readonly value: Word }[] {
  const words = wordsOf(text);
  const [first, second] = words;
  if (first && second && !first.value.includes('=')) {
    const range = { start: second.range.start, end: words.at(-1)?.range.end ?? second.range.end };
    const value = words.slice(1).map((word) => word.value);
    return [{ name: first.value, value: { text, range, value: value.join(' '), expands: words.some((word) => word.expands) } }];
  }
  return words.flatMap((word) => {
    const split = word.value.indexOf('=');
    return split < 0 ? [] : [{ name: word.value.slice(0, split), value: { ...word, value: word.value.slice(split + 1) } }];
  });
}

function readCopy(text: Text): readonly CopyInstruction[] {
  const words = wordsOf(text);
  const flags = words.filter(({ value }) => value.startsWith('--'));
  const paths = execForm(text) ?? words.slice(flags.length);
  const destination = paths.at(-1);
  const from = flags.find(({ value }) => value.startsWith('--from='))?.value.slice('--from='.length);
  return destination && paths.length > 1 ? [{ kind: 'copy', from, sources: paths.slice(0, -1), destination }] : [];
}

/** Flags such as `--mount=…` come before the command. */
function readRun(text: Text): RunInstruction {
  const words = execForm(text);
  if (words) return { kind: 'run', commands: [words] };
  const [first = [], ...others] = commandsOf(text);
  const command = first.findIndex(({ value }) => !value.startsWith('--'));
  return { kind: 'run', commands: [first.slice(Math.max(0, command)), ...others] };
}

function readStart(kind: 'cmd' | 'entrypoint', text: Text): StartInstruction {
  const place = placeOf(text, { start: 0, end: text.content.trimEnd().length });
  const words = execForm(text);
  return words ? { kind, ...place, form: 'exec', commands: [words] } : { kind, ...place, form: 'shell', commands: commandsOf(text) };
}

const jsonString = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const jsonArray = new RegExp(String.raw`(?:^|\s)\[\s*(?:${jsonString}\s*(?:,\s*${jsonString}\s*)*)?\]\s*$`);

/** The words of a JSON array of strings, after flags; undefined for anything else, which Docker takes for a shell form. */
function execForm(text: Text): readonly Word[] | undefined {
  const array = jsonArray.exec(text.content);
  if (!array || !/^(?:\s*--\S+(?=\s|$))*\s*$/.test(text.content.slice(0, array.index))) return undefined;
  return Array.from(array[0].matchAll(new RegExp(jsonString, 'g')), ({ 0: literal, index }) => {
    const start = array.index + index;
    return { text, range: { start, end: start + literal.length }, value: String(JSON.parse(literal)), expands: false };
  });
}
