import { catalogue } from '@poolcheck/rules/catalogue';
import type { CheckOptions } from './arguments.ts';
import { knownByBaseline } from './baseline.ts';
import { fix } from './fix.ts';
import { patchesOf, writeFixed } from './fixed-files.ts';
import { hasColor } from './color.ts';
import { exit } from './exit.ts';
import type { Io } from './io.ts';
import { lint, reportOf } from './lint.ts';
import { loadTypes } from './load-types.ts';
import { reporters } from './output/reporters.ts';
import { pageText } from './pages.ts';
import type { PathsFrom } from './paths.ts';
import { progressOn } from './progress.ts';
import { countsOf, type Report } from './report.ts';
import { knownSince } from './since.ts';
import { writeFile } from './write-file.ts';

/** The command's main work: checks the named paths, prints the report, and gives the exit status. */
export async function checkAndReport(options: CheckOptions, io: Io): Promise<number> {
  const typesIn = options.types ? await loadTypes() : undefined;
  const progress = progressOn(io.err);
  const request = { ...options, cwd: io.cwd, env: io.env, onRead: progress.onRead, typesIn };
  const found = lint(request);
  progress.end();
  const view = {
    minSeverity: options.minSeverity,
    known: [...knownByBaseline(found, options, io), ...knownSince(found, options.since, request)],
  };
  const fixed = options.fix && fix(found, options.fix.kind, view, (contents) => lint({ ...request, contents }));
  if (options.fix?.dryRun && fixed) {
    io.out.write(patchesOf(fixed, io.cwd));
    return fixed.made > 0 ? exit.found : exit.clean;
  }
  if (fixed) io.err.write(writeFixed(fixed, io.cwd));
  const roots = fixed?.roots ?? found;
  const reportFrom = (from: PathsFrom) => reportOf(roots, from, view);
  writeReports(reportFrom, options, io);
  const empty = roots.flatMap((root) => root.empty);
  for (const folder of empty) io.err.write(`poolcheck: nothing to check was found in ${folder}\n`);
  if (fails(reportFrom('cwd'), options)) return exit.found;
  return empty.length > 0 ? exit.nothingToCheck : exit.clean;
}

function writeReports(reportFrom: (from: PathsFrom) => Report, options: CheckOptions, io: Io): void {
  const about = { rules: catalogue, page: pageText };
  for (const { format, file } of options.outputs) {
    const { pathsFrom, render } = reporters[format];
    const report = reportFrom(pathsFrom);
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
