import type { Text } from '../text.ts';
import { lexSql, type SqlStatement } from './lexer.ts';
import type { SqlPiece } from './source.ts';
import { lineEnd, nextSpan, type SqlDialect, type SqlSpan } from './token.ts';

/** The statements of an SQL file, as psql or the mysql client sends them. */
export function parseSqlFile(text: Text, dialect: SqlDialect): readonly SqlStatement[] {
  const pieces: SqlPiece[] = [];
  let from = 0;
  for (const { start, end, instead } of clientCommands(text.content, dialect)) {
    pieces.push({ kind: 'sql', value: text.content.slice(from, start), range: { start: from, end: start } });
    pieces.push({ kind: 'sql', value: instead, range: { start, end: start + 1 } });
    from = end;
  }
  pieces.push({ kind: 'sql', value: text.content.slice(from), range: { start: from, end: text.content.length } });
  return lexSql({ text, pieces }, dialect);
}

/** What the client program does not send, and whether it ends the statement before it. */
interface ClientCommand {
  readonly start: number;
  readonly end: number;
  readonly instead: ';' | ' ';
}

function* clientCommands(content: string, dialect: SqlDialect): Generator<ClientCommand> {
  const read = dialect === 'mysql' ? mysqlCommands() : psqlCommands();
  for (let span = nextSpan(content, 0, dialect); span;) {
    const command = read(content, span);
    if (command) yield command;
    span = nextSpan(content, Math.max(command?.end ?? 0, span.end), dialect);
  }
}

type CommandReader = (content: string, span: SqlSpan) => ClientCommand | undefined;

const sends = /\\(?:;|g|gx|gdesc|gexec|gset|crosstabview|watch)(?!\w)/y;

/** Backslash commands, and the rows that follow `COPY … FROM STDIN`. */
function psqlCommands(): CommandReader {
  let first: string | undefined;
  let last: string | undefined;
  let copies = false;
  return (content, { kind, value, start, end }) => {
    if (kind === 'operator' && value === '\\') return backslashCommand(content, start);
    if (kind === 'operator' && value === ';') {
      const rows = copies ? rowsAfter(content, end) : undefined;
      first = last = undefined;
      copies = false;
      return rows;
    }
    first ??= value;
    copies ||= first === 'copy' && last === 'from' && value === 'stdin';
    last = value;
    return undefined;
  };
}

function backslashCommand(content: string, start: number): ClientCommand {
  sends.lastIndex = start;
  const sent = sends.exec(content)?.[0];
  return { start, end: sent === '\\;' ? start + 2 : lineEnd(content, start), instead: sent ? ';' : ' ' };
}

/** Up to the line `\.`. */
function rowsAfter(content: string, from: number): ClientCommand {
  const start = lineEnd(content, from);
  const stop = content.indexOf('\n\\.', start);
  return { start, end: stop < 0 ? content.length : lineEnd(content, stop + 1), instead: ' ' };
}

/** `DELIMITER //`, and the delimiters it makes: the client finds one even at the end of a word. */
function mysqlCommands(): CommandReader {
  let delimiter = ';';
  return (content, { kind, value, start, end }) => {
    if (kind === 'word' && value === 'delimiter' && startsLine(content, start)) {
      const line = { start, end: lineEnd(content, start) };
      delimiter = content.slice(end, line.end).trim() || ';';
      return { ...line, instead: ' ' };
    }
    if (delimiter === ';' || (kind !== 'word' && kind !== 'operator')) return undefined;
    const within = content.slice(start, end + delimiter.length - 1).indexOf(delimiter);
    return within < 0 ? undefined : { start: start + within, end: start + within + delimiter.length, instead: ';' };
  };
}

function startsLine(content: string, at: number): boolean {
  return content.slice(content.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}
