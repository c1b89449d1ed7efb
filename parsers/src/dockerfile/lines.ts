import { partOf } from '../part.ts';
import type { Parsed, Problem, Range, Text } from '../text.ts';

/** An instruction with its continuation lines joined. `text` is what follows the keyword, as a text of its own. */
export interface InstructionLine {
  /** In upper case. */
  readonly keyword: string;
  readonly text: Text;
}

/** Splits a Dockerfile into instructions; comments, also between continuation lines, and heredocs are left out. */
export function readLines(text: Text): Parsed<readonly InstructionLine[]> {
  const instructions: InstructionLine[] = [];
  const problems: Problem[] = [];
  const continuation = /^#[ \t]*escape[ \t]*=[ \t]*`/im.test(text.content) ? /`[ \t]*$/ : /\\[ \t]*$/;
  let fragments: Range[] = [];
  let heredoc: string | undefined;
  for (const { 0: line, index: start } of text.content.matchAll(/[^\r\n]+/g)) {
    if (heredoc !== undefined) {
      if (line.trim() === heredoc) heredoc = undefined;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    const goesOn = continuation.exec(line);
    fragments.push({ start, end: start + (goesOn?.index ?? line.length) });
    if (goesOn) continue;
    const instruction = instructionOf(text, fragments);
    if (instruction) instructions.push(instruction);
    else if (problems.length === 0) problems.push({ range: { start, end: start + line.length }, message: 'not an instruction' });
    heredoc = instruction && heredocOf(instruction);
    fragments = [];
  }
  const last = instructionOf(text, fragments);
  return { document: last ? [...instructions, last] : instructions, problems };
}

const keywordPattern = /^\s*([A-Za-z]+)(?:\s+|$)/;

function instructionOf(text: Text, fragments: readonly Range[]): InstructionLine | undefined {
  const line = joined(text, fragments);
  const keyword = keywordPattern.exec(line.content);
  if (!keyword) return undefined;
  const rest = { start: keyword[0].length, end: line.content.length };
  return { keyword: (keyword[1] ?? '').toUpperCase(), text: partOf(line, rest) };
}

function joined(text: Text, fragments: readonly Range[]): Text {
  let content = '';
  const pieces = fragments.map(({ start, end }) => {
    const piece = { inner: content.length, outer: start, length: end - start };
    content += text.content.slice(start, end);
    return piece;
  });
  return { path: text.path, content, within: { outer: text, pieces } };
}

/** Only these take heredocs; elsewhere `<<` is text. */
function heredocOf({ keyword, text }: InstructionLine): string | undefined {
  return /^(RUN|COPY|ADD)$/.test(keyword) ? /<<-?(["']?)(\w+)\1/.exec(text.content)?.[2] : undefined;
}
