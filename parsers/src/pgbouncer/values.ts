import { hasHole } from './holes.ts';

/*
 * Values as PgBouncer's C code reads them: libusual's cfparser.c for [pgbouncer], atoi() in connection strings.
 * https://github.com/libusual/libusual/blob/master/usual/cfparser.c
 */

const integer = /^[ \t-\r]*([+-]?)(0x[0-9a-f]+|0[0-7]*|[1-9][0-9]*)$/i;
const leadingInteger = /^[ \t-\r]*([+-]?)([0-9]+)/;
const float = /^[ \t-\r]*([+-]?)(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|0x[0-9a-f]+)|inf(?:inity)?)$/i;

/** An integer setting: `0x10` is 16, `010` is 8, what does not fit wraps; undefined when PgBouncer refuses the value. */
export function readInt(value: string): number | undefined {
  const match = integer.exec(value);
  return match ? toInt(match[1] ?? '', match[2] ?? '') : undefined;
}

/** A switch, which is an integer too: `yes`, `true` and `on` are refused. */
export function readBool(value: string): boolean | undefined {
  const number = readInt(value);
  return number === undefined ? undefined : number !== 0;
}

/** A time setting in seconds, kept to the microsecond; undefined when PgBouncer refuses it. `inf` turns into 0. */
export function readSeconds(value: string): number | undefined {
  const match = float.exec(value);
  if (!match) return undefined;
  const [, sign, digits] = match;
  if (digits === undefined) return sign === '-' ? undefined : 0;
  const seconds = Number(digits);
  if (seconds === Infinity || (sign === '-' && seconds > 0)) return undefined;
  return Math.trunc(seconds * 1e6) / 1e6;
}

/** A number in a connection string: its leading digits, or 0. Nothing is refused; undefined only when a template makes the value. */
export function readAtoi(value: string): number | undefined {
  if (hasHole(value)) return undefined;
  const match = leadingInteger.exec(value);
  return match ? toInt(match[1] ?? '', (match[2] ?? '').replace(/^0+(?=.)/, '')) : 0;
}

const longest = 2n ** 63n;

/** strtol() ends at the limits of a long; the cast to int keeps the lower 32 bits. */
function toInt(sign: string, digits: string): number {
  const octal = /^0[0-7]+$/.test(digits);
  const size = digits.length > 1000 ? longest : BigInt(octal ? `0o${digits.slice(1)}` : digits);
  const long = sign === '-' ? (size > longest ? -longest : -size) : size >= longest ? longest - 1n : size;
  return Number(BigInt.asIntN(32, long));
}
