/** The offset after white space and comments; the offset itself where there are none. */
export function endOfBlank(content: string, start: number): number {
  let at = start;
  for (;;) {
    const char = content.charCodeAt(at);
    if (char <= 32 || char >= 160) {
      const end = endOf(/\s+/y, content, at);
      if (end === at) return at;
      at = end;
    } else if (content.startsWith('//', at)) at = endOf(/.*/y, content, at);
    else if (content.startsWith('/*', at)) at = after(content, '*/', at + 2);
    else return at;
  }
}

/** The offset after a string that begins here: after its quote, or at the end of a line. */
export function endOfString(content: string, start: number): number {
  const stop = content[start] === '"' ? /["\\\r\n]/g : /['\\\r\n]/g;
  stop.lastIndex = start + 1;
  for (let found = stop.exec(content); found; found = stop.exec(content)) {
    if (found[0] === '\r' || found[0] === '\n') return found.index;
    if (found[0] !== '\\') return stop.lastIndex;
    stop.lastIndex += content.startsWith('\r\n', stop.lastIndex) ? 2 : 1;
  }
  return content.length;
}

/** The offset after a regular expression that begins here; undefined when its line ends before. */
export function endOfRegex(content: string, start: number): number | undefined {
  const stop = /[/\\[\]\r\n\u2028\u2029]/g;
  stop.lastIndex = start + 1;
  let inClass = false;
  for (let found = stop.exec(content); found; found = stop.exec(content)) {
    const [char] = found;
    if (char === '\\') stop.lastIndex++;
    else if (char === '[' || char === ']') inClass = char === '[';
    else if (char !== '/') return undefined;
    else if (!inClass) return endOf(/\w*/y, content, stop.lastIndex);
  }
  return undefined;
}

/** The offset of the hole or the end of a template. */
export function endOfTemplateText(content: string, start: number): number {
  const stop = /`|\$\{|\\/g;
  stop.lastIndex = start;
  for (let found = stop.exec(content); found; found = stop.exec(content)) {
    if (found[0] !== '\\') return found.index;
    stop.lastIndex++;
  }
  return content.length;
}

/** The offset of what a global expression finds first; the end when it finds nothing. */
export function find(global: RegExp, content: string, start: number): number {
  global.lastIndex = start;
  return global.exec(content)?.index ?? content.length;
}

/** The offset after the next occurrence of a string. */
export function after(content: string, sought: string, start: number): number {
  const found = content.indexOf(sought, start);
  return found < 0 ? content.length : found + sought.length;
}

/** The offset after what a sticky expression matches; the offset itself when it does not match. */
export function endOf(sticky: RegExp, content: string, start: number): number {
  sticky.lastIndex = start;
  return sticky.test(content) ? sticky.lastIndex : start;
}
