import { readInt } from '@poolcheck/parsers/pgbouncer/values';
import { takesValue } from '../../knowledge/pgbouncer.ts';
import type { PgbouncerSetting } from '../../knowledge/pgbouncer-settings.ts';
import { didYouMean } from '../../nearest.ts';

/** How PgBouncer takes a value that is written as if it meant something else. */
export interface Misread {
  readonly kind: 'refused' | 'misread';
  readonly reason: string;
}

/** What is wrong with the value of a setting of `[pgbouncer]`; undefined for nothing. */
export function misreadSetting(setting: PgbouncerSetting, value: string): Misread | undefined {
  if (!takesValue(setting, 'pgbouncer', value)) return { kind: 'refused', reason: reasonForRefusal(setting, value) };
  if (setting.name === 'listen_addr') return addressWithPort(value);
  const reason = isNumber(setting) ? oddNumber(setting, value) : oddText(setting, value);
  return reason === undefined ? undefined : { kind: 'misread', reason };
}

function isNumber({ type }: PgbouncerSetting): boolean {
  return type === 'int' || type === 'bytes' || type === 'milliseconds' || type === 'bool';
}

function reasonForRefusal({ type, values = [] }: PgbouncerSetting, value: string): string {
  if (/\s[;#]/.test(value)) return 'there are no comments behind a value: put it on a line of its own.';
  if (isQuoted(value)) return 'values are not unquoted: leave the quotes out.';
  switch (type) {
    case 'enum':
      return `it is one of ${values.join(', ')}.${didYouMean(value.toLowerCase().replaceAll('_', '-'), values)}`;
    case 'bool':
      return 'it is 0 or 1.';
    case 'seconds':
      return 'it is a number of seconds, without a unit.';
    case 'milliseconds':
      return 'it is a number of milliseconds, without a unit.';
    default:
      return 'it is a whole number, without a unit.';
  }
}

function isQuoted(value: string): boolean {
  return value.length > 1 && /^["']/.test(value) && value.endsWith(value.charAt(0));
}

/** A file mode is octal on purpose. */
function oddNumber({ name }: PgbouncerSetting, value: string): string | undefined {
  const number = readInt(value);
  if (name === 'unix_socket_mode') {
    return /^[1-7][0-7]{2}$/.test(value)
      ? `without a 0 in front it is decimal, the mode ${Number(number).toString(8).padStart(4, '0')}.`
      : undefined;
  }
  if (/^[+-]?0\d/.test(value)) return `with a 0 in front it is octal: ${number}.`;
  return /^[+-]?\d+$/.test(value) && number !== Number(value) ? `it does not fit, and comes out as ${number}.` : undefined;
}

function oddText({ type }: PgbouncerSetting, value: string): string | undefined {
  if (isQuoted(value)) return 'values are not unquoted, so that the quotes belong to it: leave them out.';
  const isSql = type === 'string';
  const hasComment = isSql ? /\s#\s/.test(value) : /\s[;#]/.test(value);
  return hasComment && type !== 'seconds' ? 'there are no comments behind a value: all of it is the value.' : undefined;
}

/** IPv6 addresses have more than one colon. */
function addressWithPort(value: string): Misread | undefined {
  const withPort = value.split(',').find((address) => /^[^:]+:\d+$/.test(address.trim()));
  return withPort === undefined ? undefined : { kind: 'refused', reason: 'an address has no port: that is listen_port.' };
}
