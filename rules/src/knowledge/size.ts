import type { OddSize, SizeReading } from './driver.ts';
import type { InstalledSize } from './installed-options.ts';

type Value = string | number | boolean | null | undefined;

/** The most connections that a driver makes of the size it is given, unless it throws an error; undefined when that is not known. */
export function sizeRead(value: Value, size: InstalledSize): number | 'refused' | undefined {
  if (value === undefined || value === null) return defaultSize(size);
  const odd = oddity(value);
  if (odd === undefined) return undefined;
  const reading = odd === 'whole' ? 'itself' : (size.reads?.[odd] ?? (odd === 'digits' ? 'itself' : undefined));
  return reading && counts(reading, Math.ceil(Number(value)), defaultSize(size));
}

/** The size when none is given; undefined when that depends on the machine or on a version that is not known. */
export function defaultSize(size: InstalledSize | undefined): number | undefined {
  return size?.default && size.default.low === size.default.high ? size.default.low : undefined;
}

/** "10", "5–100", or nothing when it is not known. */
export function showDefaultSize(size: InstalledSize | undefined): string {
  return size?.default ? [...new Set([size.default.low, size.default.high])].join('–') : '';
}

function counts(reading: SizeReading, itself: number, byDefault: number | undefined): number | 'refused' | undefined {
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
