import { assumed, defaulted, type Known, written } from '../../known.ts';
import { type Command, programName } from '../command.ts';
import { placeOf, type Place } from '@poolcheck/parsers/text';

/** Operating-system processes in one instance, each with pools of its own. */
export function processesOf(programs: readonly Command[], owner: Place): Known {
  const pm2 = programs.find((program) => /^pm2(-runtime)?$/.test(programName(program)));
  return pm2 ? processesOfPm2(pm2, owner) : defaulted(1, 'one process', owner);
}

/** https://pm2.keymetrics.io/docs/usage/cluster-mode/: `-i` counts only when pm2 is given a script, not with a configuration file. */
function processesOfPm2(program: Command, owner: Place): Known {
  const configured = program.some(({ value }) => /\.config\.[cm]?js$|\.(json|ya?ml)$/.test(value));
  const option = program.findIndex(({ value }) => value === '-i' || value === '--instances');
  const count = option < 0 ? undefined : program[option + 1];
  if (configured) return assumed(1, Infinity, 'the processes of a pm2 configuration', owner);
  if (!count) return defaulted(1, 'one process', owner);
  const place = placeOf(count.text, count.range);
  return /^[1-9]\d*$/.test(count.value)
    ? written(Number(count.value), `${count.value} processes`, place)
    : assumed(1, Infinity, `pm2 -i ${count.value}: as many processes as the machine has CPUs`, place);
}
