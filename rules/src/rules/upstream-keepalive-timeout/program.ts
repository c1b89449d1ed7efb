import { slice } from '@poolcheck/parsers/text';
import type { RoutedProgram } from '../../deployment/model.ts';
import type { Fix } from '../../finding.ts';
import type { Keeper } from './keeper.ts';

/** A program that serves HTTP for code in another language. */
export function programKeeper({ program }: RoutedProgram): Keeper {
  const { name, place, setting, keeps } = program;
  const isSet = keeps.source === 'written';
  return {
    is: program,
    at: (isSet ? keeps.evidence[0]?.place : undefined) ?? place,
    setting,
    owner: name,
    isSet,
    closes: keeps,
    buffer: 0,
    evidence: [...(isSet ? [{ place, says: `${name} is started here` }] : []), ...keeps.evidence],
    show: (milliseconds) => `${milliseconds / 1000} s`,
    fixes: (milliseconds) => (isSet ? fixesFor(program, milliseconds) : []),
  };
}

/** Where a number of seconds stands by itself. */
function fixesFor({ keeps }: RoutedProgram['program'], milliseconds: number): readonly Fix[] {
  const place = keeps.evidence[0]?.place;
  const number = place && /\d+(?=\D*$)/.exec(slice(place.text, place.range));
  if (!place || !number || Number(number[0]) * 1000 !== keeps.low) return [];
  const start = place.range.start + number.index;
  const seconds = String(milliseconds / 1000);
  const edits = [{ text: place.text, range: { start, end: start + number[0].length }, insert: seconds }];
  return [{ title: `Raise it to ${seconds} s`, safe: false, edits }];
}
