import { isJavaScript } from '@poolcheck/parsers/javascript/parse';

/** A module's source, each character at the offset that it has in the file the host shows. */
export interface Script {
  readonly path: string;
  readonly content: string;
}

/** Its tag begins a line: elsewhere it may stand in a text. */
const scriptBlock = /(^[ \t]*<script\b(?:"[^"]*"|'[^']*'|[^'">])*>)([^]*?)<\/script\s*>/gim;

/** What there is to analyse in a file: all of it, or the `<script>` blocks of a Vue or Svelte component. */
export function scriptOf(path: string, content: string): Script {
  if (isJavaScript(path)) return { path, content };
  const blocks = [...content.matchAll(scriptBlock)];
  const [first] = blocks;
  if (!first) return { path: `${path}.tsx`, content };
  const language = /\blang\s*=\s*["']?([jt]sx?)\b/.exec(first[1] ?? '')?.[1] ?? 'js';
  return { path: `${path}.${language}`, content: withoutMarkup(content, blocks) };
}

/** Everything around the blocks is blanked, so that offsets stay what they are. */
function withoutMarkup(content: string, blocks: readonly RegExpExecArray[]): string {
  let script = '';
  for (const { index, 1: tag = '', 2: body = '' } of blocks) {
    script += blank(content.slice(script.length, index + tag.length)) + body;
  }
  return script + blank(content.slice(script.length));
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
