import type { Parsed, Problem, Text, Written } from '../text.ts';

/** A postgresql.conf. */
export interface PostgresqlConf {
  /** By lower-case name; of equal names the last one holds. The range covers the value as written. */
  readonly settings: ReadonlyMap<string, Written<string>>;
  /** No file is included: what is not in it is not set. */
  readonly complete: boolean;
}

/** https://www.postgresql.org/docs/current/config-setting.html#CONFIG-SETTING-CONFIGURATION-FILE */
const setting = /^[ \t]*([A-Za-z_][\w.]*)[ \t]*(?:=|[ \t])[ \t]*('(?:[^'\\]|''|\\.)*'|[^\s#']+)[ \t]*(?:#.*)?$/d;

export function parsePostgresqlConf(text: Text): Parsed<PostgresqlConf> {
  const settings = new Map<string, Written<string>>();
  const problems: Problem[] = [];
  let complete = true;
  for (const { 0: line, index } of text.content.matchAll(/[^\r\n]+/g)) {
    if (/^\s*(#|$)/.test(line)) continue;
    const match = setting.exec(line);
    const name = match?.[1]?.toLowerCase() ?? '';
    const [start, end] = match?.indices?.[2] ?? [0, line.length];
    const range = { start: index + start, end: index + end };
    if (!match) problems.push({ range, message: 'not name = value: PostgreSQL refuses to start', fatal: true });
    else if (/^include(_if_exists|_dir)?$/.test(name)) complete = false;
    else settings.set(name, { value: unquoted(match[2] ?? ''), range });
  }
  return { document: { settings, complete }, problems };
}

function unquoted(value: string): string {
  return value.startsWith("'") ? value.slice(1, -1).replace(/''|\\(.)/g, (_, escaped: string | undefined) => escaped ?? "'") : value;
}
