import type { Output } from './io.ts';
import { grouped } from './output/words.ts';

export interface Progress {
  readonly onRead: () => void;
  readonly end: () => void;
}

const patience = 1_000;
const pace = 100;

/** Says on a terminal how far a long run is. */
export function progressOn(err: Output): Progress {
  let files = 0;
  let next = Date.now() + patience;
  let shown = false;
  return {
    onRead() {
      files++;
      if (!err.isTerminal || files % 50 !== 0 || Date.now() < next) return;
      next = Date.now() + pace;
      shown = true;
      err.write(`\r\x1b[2Kpoolcheck: ${grouped(files)} files read…`);
    },
    end() {
      if (shown) err.write('\r\x1b[2K');
    },
  };
}
