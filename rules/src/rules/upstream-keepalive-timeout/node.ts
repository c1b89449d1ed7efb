import { slice, type Place } from '@poolcheck/parsers/text';
import type { RoutedServer } from '../../deployment/model.ts';
import type { Fix } from '../../finding.ts';
import { httpServerDefault, keepAliveTimeoutBuffer } from '../../knowledge/node-http.ts';
import { keepAliveTimeoutOf } from '../../source/idle-timeout.ts';
import type { HttpServer } from '../../source/servers.ts';
import type { Keeper } from './keeper.ts';

/** A Node server; undefined when it cannot be told how long it keeps connections. */
export function nodeKeeper({ server, service }: RoutedServer): Keeper | undefined {
  const closes = keepAliveTimeoutOf(server, service.environment);
  const set = server.keepAliveTimeout;
  return (
    closes && {
      is: server,
      at: set?.place ?? server.place,
      setting: 'keepAliveTimeout',
      owner: httpServerDefault(server.framework)?.owner ?? server.framework,
      isSet: set !== undefined,
      closes,
      buffer: keepAliveTimeoutBuffer,
      evidence: [...(set ? [{ place: server.place, says: 'the server is made here' }] : []), ...closes.evidence],
      show: (milliseconds) => `${milliseconds} ms`,
      fixes: (milliseconds) => fixesFor(server, milliseconds),
    }
  );
}

function fixesFor({ keepAliveTimeout, variable }: HttpServer, milliseconds: number): readonly Fix[] {
  const number = String(milliseconds).replace(/\B(?=(?:\d{3})+$)/g, '_');
  if (keepAliveTimeout) {
    return keepAliveTimeout.kind === 'literal' ? [fix(`Raise it to ${number} ms`, keepAliveTimeout.place, number)] : [];
  }
  return variable ? [fix(`Set keepAliveTimeout to ${number} ms`, after(variable.declaration), assignment(variable, number))] : [];
}

function fix(title: string, { text, range }: Place, insert: string): Fix {
  return { title, safe: false, edits: [{ text, range, insert }] };
}

function after({ text, range }: Place): Place {
  return { text, range: { start: range.end, end: range.end } };
}

/** On a line of its own, as the declaration is indented and ended. */
function assignment({ name, declaration }: NonNullable<HttpServer['variable']>, number: string): string {
  const { text, range } = declaration;
  const line = text.content.slice(text.content.lastIndexOf('\n', range.start - 1) + 1, range.start);
  const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
  return `\n${indent}${name}.keepAliveTimeout = ${number}${slice(text, range).endsWith(';') ? ';' : ''}`;
}
