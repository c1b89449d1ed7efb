import { createHash } from 'node:crypto';
import { slice } from '@poolcheck/parsers/text';
import type { Finding } from './finding.ts';

type Nameable = Pick<Finding, 'rule' | 'at'> & { readonly symbol: string | undefined };

/**
 * Names findings without their lines: rule, path, symbol and the statement with its blanks squeezed, so that a fault keeps its name
 * when code moves. Equals are counted in the order they come.
 */
export function fingerprinter(): (finding: Nameable) => string {
  const counts = new Map<string, number>();
  return ({ rule, at, symbol }) => {
    const statement = slice(at.text, at.range).replace(/\s+/g, ' ');
    const name = [rule, at.text.path, symbol ?? '', statement].join('\0');
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return createHash('sha256').update(`${name}\0${count}`).digest('hex').slice(0, 16);
  };
}
