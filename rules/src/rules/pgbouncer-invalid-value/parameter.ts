import type { Connection, Parameter } from '@poolcheck/parsers/pgbouncer/document';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { readAtoi } from '@poolcheck/parsers/pgbouncer/values';
import type { Range } from '@poolcheck/parsers/text';
import { pgbouncerSetting, takesValue } from '../../knowledge/pgbouncer.ts';
import type { Misread } from './setting.ts';

/** A part of a connection string that PgBouncer takes otherwise than it is meant. */
export interface MisreadParameter extends Misread {
  readonly name: string;
  readonly value: string;
  readonly range: Range;
}

/** What is wrong with an entry of another section than `[pgbouncer]`. */
export function misreadParameters(connection: Connection): readonly MisreadParameter[] {
  const whole = misreadWhole(connection);
  return whole ? [whole] : connection.parameters.flatMap((parameter) => misread(connection, parameter) ?? []);
}

/** The whole string in quotes, a URL, or a line that is to continue the one before. */
function misreadWhole({ section, key, value, parameters }: Connection): MisreadParameter | undefined {
  const whole = { name: key.value, value: value.value, range: value.range, kind: 'refused' } as const;
  if (/^["']/.test(value.value)) return { ...whole, value: '"…"', reason: 'the string as a whole has no quotes: single values may have.' };
  if (/^\w+:\/\//.test(value.value)) {
    return { ...whole, value: value.value.slice(0, value.value.indexOf(':')), reason: 'it is no URL: write host=… port=… dbname=….' };
  }
  if (pgbouncerSetting(section, key.value) && parameters.length === 0 && value.value !== '' && !hasHole(value.value)) {
    return { ...whole, reason: `no line goes on where the one before ends, so this is an entry named ${key.value}.` };
  }
  return undefined;
}

function misread({ section }: Connection, { key, value }: Parameter): MisreadParameter | undefined {
  const setting = pgbouncerSetting(section, key.value);
  if (!setting || hasHole(value.value)) return undefined;
  const here = { name: key.value, value: value.value, range: value.range };
  if (!takesValue(setting, section, value.value)) {
    const reason = setting.values ? `it is one of ${setting.values.join(', ')}.` : 'it is the number of a port.';
    return { ...here, kind: 'refused', reason };
  }
  if (setting.type === 'int' || setting.type === 'seconds') return oddNumber(here);
  return key.value === 'host' ? oddHost(here) : undefined;
}

type Here = Pick<MisreadParameter, 'name' | 'value' | 'range'>;

/** Nothing is refused here: the leading digits count. */
function oddNumber(here: Here): MisreadParameter | undefined {
  if (/^[+-]?\d+$/.test(here.value.trim())) return undefined;
  return { ...here, kind: 'misread', reason: `in an entry only the leading digits count, so it is ${readAtoi(here.value)}.` };
}

function oddHost(here: Here): MisreadParameter | undefined {
  const reason = reasonOf(here.value);
  return reason === undefined ? undefined : { ...here, kind: 'misread', reason };
}

function reasonOf(host: string): string | undefined {
  if (host.includes('\t')) return 'only spaces separate, not a tab: all of it is the name of the host.';
  if (/[,;]$/.test(host)) return `spaces separate, nothing else: the ${host.slice(-1)} belongs to the name of the host.`;
  return host.includes('=') ? 'the host is empty, so the next pair is taken for it.' : undefined;
}
