import type { Severity } from '@poolcheck/rules/finding';
import picocolors from 'picocolors';

type Paint = (text: string) => string;

/** The colours of the terminal output; without colour each is the text itself. */
export interface Palette extends Readonly<Record<Severity, Paint>> {
  readonly strong: Paint;
  readonly faint: Paint;
  /** A step on the way of a failure. */
  readonly step: Paint;
  readonly removed: Paint;
  readonly added: Paint;
}

export function paletteOf(color: boolean): Palette {
  const { bold, dim, red, yellow, blue, cyan, green } = picocolors.createColors(color);
  return {
    error: (text) => bold(red(text)),
    warning: (text) => bold(yellow(text)),
    info: (text) => bold(blue(text)),
    strong: bold,
    faint: dim,
    step: cyan,
    removed: red,
    added: green,
  };
}
