import type { Place } from '@poolcheck/parsers/text';
import type { Finding, Related } from '@poolcheck/rules/finding';
import { frame, type Mark } from './frame.ts';
import { prose } from './neutral.ts';
import type { Palette } from './palette.ts';
import { numbered, positionOf } from './words.ts';

/** Where a finding is and how it comes about: its own file first, each other file that the path goes through below. */
export function pathFrames({ severity, at, related }: Finding, palette: Palette, columns = Infinity): readonly string[] {
  return [...marksByFile(at, related)].flatMap(([path, { place, marks }]) => {
    const title = path === at.text.path ? undefined : positionOf(place);
    return frame(place.text, marks, { paint: palette[severity], palette, title, columns });
  });
}

interface FileMarks {
  readonly place: Place;
  readonly marks: readonly Mark[];
}

function marksByFile(at: Place, related: readonly Related[]): ReadonlyMap<string, FileMarks> {
  const files = new Map<string, FileMarks>();
  const steps = related.map((step, index) => ({ ...step, label: `${numbered(index, related.length)}${prose(step.message)}` }));
  const own = steps.find((step) => samePlace(step.at, at));
  const marks = [
    { at, label: own?.label ?? '', primary: true },
    ...steps.filter((step) => step !== own).map((step) => ({ ...step, primary: false })),
  ];
  for (const { at: place, label, primary } of marks) {
    const file = files.get(place.text.path) ?? { place, marks: [] };
    files.set(place.text.path, { ...file, marks: [...file.marks, { range: place.range, label, primary }] });
  }
  return files;
}

function samePlace(a: Place, b: Place): boolean {
  return a.text.path === b.text.path && a.range.start === b.range.start && a.range.end === b.range.end;
}
