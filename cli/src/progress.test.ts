import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { progressOn } from './progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What is written while 200 files are read in so many milliseconds. */
function written(isTerminal: boolean, milliseconds: number): string {
  let text = '';
  const progress = progressOn({ write: (piece) => void (text += piece), isTerminal, columns: 80 });
  for (let file = 0; file < 200; file++) {
    vi.advanceTimersByTime(milliseconds / 200);
    progress.onRead();
  }
  progress.end();
  return text;
}

describe('progress', () => {
  test('is shown on a terminal when a run is long, and taken away at the end', () => {
    expect(written(true, 4_000)).toBe(
      `${[50, 100, 150, 200].map((files) => `\r\x1b[2Kpoolcheck: ${files} files read…`).join('')}\r\x1b[2K`,
    );
  });

  test('is not shown when a run is short, nor where nobody looks', () => {
    expect(written(true, 900)).toBe('');
    expect(written(false, 4_000)).toBe('');
  });
});
