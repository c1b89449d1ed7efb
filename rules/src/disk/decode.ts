import { isUtf8 } from 'node:buffer';

/** The text of a file's bytes, or why it has none; `problem` beside a text says what was lost in it. */
export interface Decoded {
  readonly text?: string;
  readonly problem?: string;
}

/** Decodes UTF-8, and UTF-16 that says so in its byte-order mark. Bytes that are no text are not guessed at. */
export function decode(bytes: Buffer): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  if (bytes.includes(0)) return { problem: 'binary file, not text' };
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { text };
  return { text, problem: `not valid UTF-8 (line ${lineOf(text, '\uFFFD')}): the bytes that are not were read as \uFFFD` };
}

function lineOf(text: string, found: string): number {
  return text.slice(0, text.indexOf(found)).split('\n').length;
}
