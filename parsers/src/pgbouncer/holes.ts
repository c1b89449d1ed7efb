/** Template engines, envsubst, and the marks that sed scripts fill (`__NAME__`, `@NAME@`). */
const holePattern =
  /\{\{[^]{0,500}?\}\}|\{%[^]{0,500}?%\}|<%[^]{0,500}?%>|\$\{[^}\n]{0,500}\}|\$[A-Z][A-Z0-9_]*|__[A-Z0-9][A-Z0-9_]{0,80}__|@[A-Z][A-Z0-9_]*@/g;

/** The text is made by a template or filled from the environment before PgBouncer reads it: what is written is not the value. */
export function hasHole(text: string): boolean {
  return text.search(holePattern) >= 0;
}

/** The text with each hole made one word of the same length, so that a blank inside it does not separate. */
export function fillHoles(text: string): string {
  return text.replace(holePattern, (hole) => 'x'.repeat(hole.length));
}
