const minutesOfDay = 1440;

/** Whole-day schedules that have a name. https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#schedule-syntax */
const named: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** The most starts of a cron schedule within some seconds from one of them, that one included; undefined when it cannot be read. */
export function startsWithin(schedule: string, seconds: number): number | undefined {
  const [minute = '', hour = '', ...days] = (named[schedule.trim()] ?? schedule).trim().split(/\s+/);
  const minutes = fieldOf(minute, 59);
  const hours = fieldOf(hour, 23);
  if (!minutes || !hours || days.length !== 3 || seconds > 7 * 86_400) return undefined;
  // Fields of days leave starts out: with every day there are the most.
  const starts = hours.flatMap((each) => minutes.map((at) => each * 60 + at));
  const length = seconds / 60;
  const whole = Math.floor(length / minutesOfDay);
  const rest = length - whole * minutesOfDay;
  const within = (from: number) => starts.filter((at) => (at - from + minutesOfDay) % minutesOfDay < rest).length;
  return whole * starts.length + Math.max(...starts.map(within));
}

/** `*`, `5`, `1-5`, a step after each, and lists of them. */
function fieldOf(field: string, last: number): readonly number[] | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const [, all, from, to, step] = /^(?:([*?])|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (all === undefined && from === undefined) return undefined;
    const first = Number(from ?? 0);
    const end = to === undefined ? (all !== undefined || step !== undefined ? last : first) : Number(to);
    const every = Number(step ?? 1);
    if (first > last || end > last || every === 0) return undefined;
    for (let value = first; value <= end; value += every) values.add(value);
  }
  return values.size > 0 ? [...values].sort((a, b) => a - b) : undefined;
}
