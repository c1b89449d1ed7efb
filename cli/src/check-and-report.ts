import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { catalogue } from '@poolcheck/rules/catalogue';
import { groupBy } from '@poolcheck/rules/group';
import type { CheckOptions } from './arguments.ts';
import { baselineText, goneFrom, knownIn, readBaseline, updated } from './baseline.ts';
import { fix } from './fix.ts';
import { patchesOf, writeFixed } from './fixed-files.ts';
import { hasColor } from './color.ts';
import { exit } from './exit.ts';
import type { Io } from './io.ts';
import type { KnownFindings } from './known-findings.ts';
import { Git } from './git.ts';
import { lint, reportOf, type Linted, type Request } from './lint.ts';
import { loadTypes } from './load-types.ts';
import { prose } from './output/neutral.ts';
import { reporters } from './output/reporters.ts';
import { plural } from './output/words.ts';
import { pageText } from './pages.ts';
import { repositoryOf, type PathsFrom } from './paths.ts';
import { progressOn } from './progress.ts';
import { countsOf, type Report } from './report.ts';
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

/** What does not count, because a file says so. */
function knownByBaseline(roots: readonly Linted[], { baseline: path, updateBaseline }: CheckOptions, io: Io): readonly KnownFindings[] {
  if (path === undefined) return [];
  if (updateBaseline) {
    const baseline = updated(existsSync(resolve(io.cwd, path)) ? readBaseline(path, io.cwd) : { entries: [] }, path, roots, io.cwd);
    writeFile(path, baselineText(baseline), io.cwd);
    io.err.write(`poolcheck: ${plural(baseline.entries.length, 'finding')} in ${prose(path)}\n`);
    return [knownIn(baseline)];
  }
  const baseline = readBaseline(path, io.cwd);
  const gone = goneFrom(baseline, path, roots, io.cwd).length;
  if (gone > 0)
    io.err.write(
      `poolcheck: ${plural(gone, 'finding')} of ${prose(path)} ${gone === 1 ? 'is' : 'are'} gone: --update-baseline takes them out\n`,
    );
  return [knownIn(baseline)];
}

/** What does not count, because it was there where the change branched off: the roots are checked as they were then. */
function knownSince(roots: readonly Linted[], since: string | undefined, request: Request): readonly KnownFindings[] {
  if (since === undefined) return [];
  return [...groupBy(roots, ({ target }) => repositoryOf(target.root, request.env)).keys()].map((top) => {
    const git = new Git(top);
    const commit = git.branchedFrom(since);
    const before = lint({ ...request, contents: git.before(commit) });
    const fingerprints = new Set(
      before.flatMap(({ findings }) => findings.filter(({ suppressed }) => !suppressed).map(({ fingerprint }) => fingerprint)),
    );
    return { by: 'since', reason: `there at ${commit.slice(0, 12)}`, has: (fingerprint) => fingerprints.has(fingerprint) };
  });
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
