import { catalogue } from '@poolcheck/rules/catalogue';
import type { CheckOptions, FailOn } from './arguments.ts';
import { hasColor } from './color.ts';
import { exit } from './exit.ts';
import type { Io } from './io.ts';
import { lint } from './lint.ts';
import { reporters } from './output/reporters.ts';
import { pageText } from './pages.ts';
import { progressOn } from './progress.ts';
import { countsOf, type Report } from './report.ts';
import { loadTypes } from './load-types.ts';

/** The command's main work: checks the named paths, prints the report, and gives the exit status. */
export async function checkAndReport(options: CheckOptions, io: Io): Promise<number> {
  const reporter = reporters[options.format];
  const typesIn = options.types ? await loadTypes() : undefined;
  const progress = progressOn(io.err);
  const { pathsFrom } = reporter;
  const { report, empty } = lint({ ...options, cwd: io.cwd, env: io.env, pathsFrom, onRead: progress.onRead, typesIn });
  progress.end();
  io.out.write(reporter.render(report, { color: hasColor(options, io), columns: io.out.columns, rules: catalogue, page: pageText }));
  for (const folder of empty) io.err.write(`poolcheck: nothing to check was found in ${folder}\n`);
  if (fails(report, options.failOn)) return exit.found;
  return empty.length > 0 ? exit.nothingToCheck : exit.clean;
}

function fails(report: Report, failOn: FailOn): boolean {
  const { error, warning, info } = countsOf(report);
  switch (failOn) {
    case 'never':
      return false;
    case 'error':
      return error > 0;
    case 'warning':
      return error + warning > 0;
    case 'info':
      return error + warning + info > 0;
    case 'problem':
      return error + report.problems.length > 0;
  }
}
