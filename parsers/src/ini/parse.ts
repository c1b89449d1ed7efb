import { parse } from 'ini';
import type { Parsed, Text, Written } from '../text.ts';

/** A file of sections and names, as MySQL reads one. */
export interface IniDocument {
  /** By section, in lower case; the last one of a name holds, with dashes for underscores. */
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, Written<string>>>;
  /** No file is included: what is not in it is not set. */
  readonly complete: boolean;
}

/** https://dev.mysql.com/doc/refman/8.4/en/option-files.html; each line is read by itself, so that it is known where it stands. */
export function parseIni(text: Text): Parsed<IniDocument> {
  const sections = new Map<string, Map<string, Written<string>>>();
  let complete = true;
  let section = '';
  for (const { 0: line, index } of text.content.matchAll(/[^\r\n]+/g)) {
    if (/^\s*!include(dir)?\b/.test(line)) {
      complete = false;
      continue;
    }
    const header = /^\s*\[([^\]]*)\]/.exec(line)?.[1];
    if (header !== undefined) {
      section = header.trim().toLowerCase();
      continue;
    }
    for (const [key, value] of Object.entries(parse(line))) {
      const settings = sections.get(section) ?? new Map<string, Written<string>>();
      sections.set(section, settings);
      const start = index + Math.max(0, line.search(/\S/));
      settings.set(key.replaceAll('-', '_'), { value: String(value), range: { start, end: index + line.trimEnd().length } });
    }
  }
  return { document: { sections, complete }, problems: [] };
}
