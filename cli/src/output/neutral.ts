/**
 * File contents, file names and messages made of them are other people's text. Before it goes out, what would act on a terminal, a CI log
 * or a comment is taken from it, here and nowhere else.
 */

/** Controls (C0, DEL, C1), invisible and bidirectional formatting, line separators, lone surrogates. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text that only shows itself: each unprintable character becomes one visible one. */
export function visible(text: string): string {
  return text.replace(unprintable, pictureOf).replaceAll(logCommand, '#\u266F$1');
}

/** GitHub's and Azure's runners take `##[command]` for a command wherever in a line it stands. */
const logCommand = /##(\[|vso\[)/gi;

function pictureOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\uFFFD';
}

/** One line of prose; a `::` that a runner could take for a command at the start of a line becomes one character. */
export function prose(text: string): string {
  return visible(text.replace(/\s+/g, ' ').trim()).replace(/(?<=^| )::/g, '\u2237');
}

/** JSON whose strings hold no character that would act on a terminal or in a log. */
export function safeJson(value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  return json.replace(/[\p{Cf}\p{Zl}\p{Zp}\x7f-\x9f]/gu, escapeUnits).replaceAll(logCommand, '\\u0023#$1');
}

function escapeUnits(characters: string): string {
  return characters
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** The data of a workflow command: https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts */
export function commandData(text: string): string {
  const lines = text.split('\n').map(visible).join('\n');
  return lines.replaceAll('%', '%25').replaceAll('\n', '%0A');
}

/** A property of a workflow command. */
export function commandProperty(text: string): string {
  return commandData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** A line of prose in Markdown. What stands between backticks becomes code; all else is only text: no markup, link, mention or reference. */
export function markdownProse(text: string): string {
  return prose(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? markdownCode(part.slice(1, -1)) : markdownText(part)))
    .join('');
}

/** Literal text in Markdown: escaped, and with a break in what would notify or link. */
export function markdownText(text: string): string {
  return visible(text)
    .replace(/[&<>]/g, (character) => entities[character] ?? character)
    .replace(/[\\`*_[\]~$]/g, '\\$&')
    .replace(/(?:[@#!~%$]|:(?=\/\/)|\bwww(?=\.)|\bGH-)(?=[\w/.])/gi, '$&&#8203;');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Literal text in HTML inside Markdown, where only `<code>` keeps mentions from notifying. */
export function htmlCode(text: string): string {
  return `<code>${htmlText(text)}</code>`;
}

/** Literal text in HTML, also in an attribute. */
export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** Text in XML, also in an attribute; line breaks stay. */
export function xmlText(text: string): string {
  return text
    .split('\n')
    .map(htmlText)
    .join('\n')
    .replace(/[\uFFFE\uFFFF]/g, '\uFFFD');
}

/** Text in a code span. */
export function markdownCode(text: string): string {
  const content = visible(text);
  if (content.trim() === '') return '';
  const fence = '`'.repeat(longestRun(content) + 1);
  const padding = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return fence + padding + content + padding + fence;
}

/** A row of a table, of cells that are Markdown. */
export function markdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** A fenced block; its lines must be visible already. */
export function markdownBlock(lines: readonly string[], language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1));
  return [fence + language, ...lines, fence].join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
}

/** A label of a Mermaid graph: anything but letters, numbers and harmless signs goes. */
export function mermaidLabel(text: string): string {
  return visible(text)
    .replace(/[^\p{L}\p{N}._:/,=×+–-]+/gu, ' ')
    .slice(0, 60)
    .trim();
}
