import { catalogue } from '@poolcheck/rules/catalogue';
import type { CheckOptions } from './arguments.ts';
import { hasColor } from './color.ts';
import { exit } from './exit.ts';
import type { Io } from './io.ts';
import { lint, type Linted } from './lint.ts';
import { loadTypes } from './load-types.ts';
import { reporters } from './output/reporters.ts';
import { pageText } from './pages.ts';
import { progressOn } from './progress.ts';
import { countsOf, type Report } from './report.ts';
import { writeFile } from './write-file.ts';

/** The command's main work: checks the named paths, prints the report, and gives the exit status. */
export async function checkAndReport(options: CheckOptions, io: Io): Promise<number> {
  const typesIn = options.types ? await loadTypes() : undefined;
  const progress = progressOn(io.err);
  const linted = lint({ ...options, cwd: io.cwd, env: io.env, onRead: progress.onRead, typesIn });
  progress.end();
  writeReports(linted, options, io);
  for (const folder of linted.empty) io.err.write(`poolcheck: nothing to check was found in ${folder}\n`);
  if (fails(linted.report('cwd'), options)) return exit.found;
  return linted.empty.length > 0 ? exit.nothingToCheck : exit.clean;
}

function writeReports(linted: Linted, options: CheckOptions, io: Io): void {
  const about = { rules: catalogue, page: pageText };
  for (const { format, file } of options.outputs) {
    const { pathsFrom, render } = reporters[format];
    const report = linted.report(pathsFrom);
    if (file === undefined) io.out.write(render(report, { ...about, color: hasColor(options, io), columns: io.out.columns }));
    else writeFile(file, render(report, { ...about, color: false, columns: undefined }), io.cwd);
  }
}

function fails(report: Report, { failOn, maxWarnings }: Pick<CheckOptions, 'failOn' | 'maxWarnings'>): boolean {
  const { error, warning, info } = countsOf(report);
  if (warning > maxWarnings) return true;
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
