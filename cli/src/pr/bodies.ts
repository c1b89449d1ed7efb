import { markdownBlock, markdownCode, markdownProse, visible } from '../output/neutral.ts';
import { redact } from '../output/redact.ts';
import { symbols } from '../output/words.ts';
import type { Fault, Suggestion } from './change.ts';

/** What a comment on a line says of itself, unseen by readers. */
export interface Mark {
  readonly fingerprint: string;
  readonly isGone: boolean;
}

export type Gone = { readonly fixedIn: string } | { readonly suppressed: string };

const mark = /^<!-- poolcheck fault ([\da-f]{16})( gone)? -->/;

/** Undefined when a comment is about no fault. */
export function readMark(body: string): Mark | undefined {
  const [, fingerprint, gone] = mark.exec(body) ?? [];
  return fingerprint === undefined ? undefined : { fingerprint, isGone: gone !== undefined };
}

/** What is said of a fault on its line. */
export function faultBody({ rule, severity, message, fingerprint }: Fault, suggestion?: Suggestion): string {
  const text = `${symbols[severity]} **${markdownProse(rule)}**: ${markdownProse(redact(message.slice(0, longestMessage)))}`;
  return [`<!-- poolcheck fault ${fingerprint} -->`, text, ...(suggestion ? suggestionBlock(suggestion) : [])].join('\n\n');
}

/** The longest message of a rule takes some hundred characters. */
const longestMessage = 4000;

/** What takes the place of a comment when its fault is gone. */
export function goneBody(fingerprint: string, why: Gone): string {
  const text =
    'fixedIn' in why ? `✅ Fixed in ${why.fixedIn}.` : `Suppressed: ${markdownProse(redact(why.suppressed.slice(0, longestMessage)))}`;
  return `<!-- poolcheck fault ${fingerprint} gone -->\n\n${text}`;
}

/** Nothing when a reader would not see what is committed. */
function suggestionBlock({ title, replacement }: Suggestion): readonly string[] {
  const isPlain = replacement.every((line) => visible(line.replaceAll('\t', ' ')) === line.replaceAll('\t', ' ') && redact(line) === line);
  return isPlain ? [`Possible fix: ${markdownProse(redact(title))}`, markdownBlock(replacement, 'suggestion')] : [];
}

/** A place in a file. */
export function placeOfFault({ file, lines }: Fault): string {
  return markdownCode(`${file}:${lines.first}`);
}
