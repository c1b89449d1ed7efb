const name = /(^|\/)[^/]*pgbouncer[^/]*\.(ini|conf|cfg)[^/]*$/i;
const pgbouncerHeader = /^[ \t]*\[[ \t]*pgbouncer[ \t]*\]/im;
const databasesHeader = /^[ \t]*\[[ \t]*databases[ \t]*\]/im;
const startsLikeIni = /^(?:\s*[;#].*\n)*\s*(?:\[[\w ]+\][ \t\r]*(?:\n|$)|%include|\{\{|\{%|<%)/;

/** Whether a file is a whole pgbouncer.ini: it has a `[pgbouncer]` section, and the name or another section to prove it. A fragment is none. */
export function looksLikePgbouncer(path: string, content: string): boolean {
  if (!pgbouncerHeader.test(content)) return false;
  return name.test(path) || (databasesHeader.test(content) && startsLikeIni.test(content));
}
