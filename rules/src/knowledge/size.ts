import type { OddSize, SizeOption, SizeReading } from './driver.ts';

type Value = string | number | boolean | null | undefined;

/** The most connections that a driver makes of the size it is given, unless it throws an error; undefined when that is not known. */
export function sizeRead(value: Value, { default: byDefault, reads }: SizeOption): number | 'refused' | undefined {
  if (value === undefined || value === null) return byDefault;
  const odd = oddity(value);
  if (odd === undefined) return undefined;
  const reading = odd === 'whole' ? 'itself' : (reads?.[odd] ?? (odd === 'digits' ? 'itself' : undefined));
  return reading && counts(reading, Math.ceil(Number(value)), byDefault);
}

function counts(reading: SizeReading, itself: number, byDefault: number): number | 'refused' {
  return { itself, default: byDefault, one: 1, unlimited: Infinity, none: 0, refused: 'refused' as const }[reading];
}

function oddity(value: string | number | boolean): OddSize | 'whole' | undefined {
  if (typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return oddNumber(value);
  if (value.trim() === '') return 'empty';
  const size = Number(value);
  if (Number.isNaN(size)) return 'text';
  return size > 0 ? 'digits' : undefined;
}

function oddNumber(size: number): OddSize | 'whole' {
  if (Number.isNaN(size)) return 'nan';
  if (size <= 0) return size === 0 ? 'zero' : 'negative';
  if (size === Infinity) return 'infinite';
  return Number.isInteger(size) ? 'whole' : 'fraction';
}
