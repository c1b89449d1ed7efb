import { assumed, defaulted, type Known, written } from '../../known.ts';
import { type Command, programName } from '../command.ts';
import { placeOf, type Place } from '@poolcheck/parsers/text';

/** Operating-system processes in one instance, each with pools of its own. */
export function processesOf(programs: readonly Command[], owner: Place): Known {
  const pm2 = programs.find((program) => /^pm2(-runtime)?$/.test(programName(program)));
  if (pm2) return processesOfPm2(pm2, owner);
  const manager = programs.map(programName).find((name) => managers.has(name));
  return manager === undefined ? defaulted(1, 'one process', owner) : assumed(1, Infinity, `the workers of ${manager}`, owner);
}

/** Programs that start workers, as many as options, variables and files of their own say. */
const managers: ReadonlySet<string> = new Set(['gunicorn', 'uvicorn', 'hypercorn', 'puma', 'unicorn', 'uwsgi', 'celery']);

/** https://pm2.keymetrics.io/docs/usage/cluster-mode/: `-i` counts only when pm2 is given a script, not with a configuration file. */
function processesOfPm2(program: Command, owner: Place): Known {
  const configured = program.some(({ value }) => /\.config\.[cm]?js$|\.(json|ya?ml)$/.test(value));
  if (configured) return assumed(1, Infinity, 'the processes of a pm2 configuration', owner);
  const count = instancesIn(program);
  if (!count) return defaulted(1, 'one process', owner);
  return /^[1-9]\d*$/.test(count.value)
    ? written(Number(count.value), `${count.value} processes`, count.place)
    : assumed(1, Infinity, `pm2 -i ${count.value}: as many processes as the machine has CPUs`, count.place);
}

/** `-i 4`, `-i4`, `--instances 4`, `--instances=4` */
function instancesIn(program: Command): { readonly value: string; readonly place: Place } | undefined {
  for (const [index, word] of program.entries()) {
    const option = /^(?:-i|--instances(?:=|$))(.*)$/.exec(word.value);
    const at = option?.[1] === '' ? program[index + 1] : word;
    if (option && at) return { value: option[1] || at.value, place: placeOf(at.text, at.range) };
  }
  return undefined;
}
