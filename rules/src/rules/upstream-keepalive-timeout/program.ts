import { slice } from '@poolcheck/parsers/text';
import type { RoutedProgram } from '../../deployment/model.ts';
import type { Fix } from '../../finding.ts';
import type { Keeper } from './keeper.ts';

/** A program that serves HTTP for the code of the repository. */
export function programKeeper({ program }: RoutedProgram): Keeper {
  const { name, place, setting, unit, keeps } = program;
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
    show: (milliseconds) => `${numberIn(unit, milliseconds)} ${unit}`,
    fixes: (milliseconds) => (isSet ? fixesFor(program, milliseconds) : []),
  };
}

function numberIn(unit: 's' | 'ms', milliseconds: number): number {
  return unit === 's' ? milliseconds / 1000 : milliseconds;
}

/** Where a number stands by itself. */
function fixesFor({ keeps, unit }: RoutedProgram['program'], milliseconds: number): readonly Fix[] {
  const place = keeps.evidence[0]?.place;
  const number = place && /\d+(?=\D*$)/.exec(slice(place.text, place.range));
  if (!place || !number || Number(number[0]) !== numberIn(unit, keeps.low)) return [];
  const start = place.range.start + number.index;
  const insert = String(numberIn(unit, milliseconds));
  const edits = [{ text: place.text, range: { start, end: start + number[0].length }, insert }];
  return [{ title: `Raise it to ${insert} ${unit}`, safe: false, edits }];
}
