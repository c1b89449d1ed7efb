import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { textOf } from '@poolcheck/parsers/text';
import { check, type CheckResult } from '@poolcheck/rules/check';
import { openProject, type DiskProject, type Named } from '@poolcheck/rules/disk/disk-project';
import { ignoreRules } from '@poolcheck/rules/disk/ignore-file';
import { isInside, readFile } from '@poolcheck/rules/disk/read';
import { configName } from '@poolcheck/rules/disk/root';
import { isAtLeast, type Finding, type ProjectProblem, type Severity } from '@poolcheck/rules/finding';
import { noConfiguration, parseConfiguration, type Configuration } from './configuration.ts';
import { UserError } from './exit.ts';
import type { Level } from './levels.ts';
import type { TypesIn } from './load-types.ts';
import { levelIn, type Plan } from '@poolcheck/rules/judge';
import { markKnown, type KnownFindings } from './known-findings.ts';
import { pathsFrom, repositoryOf, type PathsFrom } from './paths.ts';
import { presentable, type Report } from './report.ts';
import { ruleIds, unknownRule } from './rule-ids.ts';
import { suppress, type ReadFiles } from './suppressions.ts';
import { targetsOf, type Target } from './targets.ts';

/** By absolute path; undefined: there is no such file. */
export type Contents = ReadonlyMap<string, string | undefined>;

export interface Request {
  readonly paths: readonly string[];
  readonly config: string | undefined;
  /** Set on the command line: these win over the configuration. */
  readonly rules: ReadonlyMap<string, Level>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onRead: () => void;
  /** Undefined when types are not asked for. */
  readonly typesIn: TypesIn | undefined;
  /** What some files are taken to hold, whatever is on disk. */
  readonly contents?: Contents;
}

/** What a root's analysis found, with what its comments suppress marked: of all its files, named or not. */
export interface Linted {
  readonly target: Target;
  readonly findings: readonly Finding[];
  readonly problems: readonly ProjectProblem[];
  readonly deployments: CheckResult['deployments'];
  readonly files: number;
  /** The named folders in which there was nothing to check. */
  readonly empty: readonly string[];
  readonly shownAs: Analysed['shownAs'];
}

/** Checks every root that the named paths belong to. Throws a UserError for what the user has to put right. */
export function lint(request: Request): readonly Linted[] {
  for (const id of request.rules.keys()) if (!ruleIds.includes(id)) throw unknownRule(id);
  return analyse(request).map(judge);
}

/** What of it is shown: milder findings are left out, and those that are known already are marked. */
export interface View {
  readonly minSeverity: Severity;
  readonly known: readonly KnownFindings[];
}

/** The findings of a root that are shown. */
export function inView({ target: { named }, findings }: Linted, { minSeverity, known }: View): readonly Finding[] {
  const shown = findings.filter(({ at, severity }) => isAtLeast(severity, minSeverity) && isNamed(at.text.path, named));
  return markKnown(shown, known);
}

/** Makes one report of what was named. */
export function reportOf(roots: readonly Linted[], from: PathsFrom, view: View): Report {
  const reports = roots.map((root) => presentable({ ...root, findings: inView(root, view) }, root.shownAs[from]));
  return {
    findings: reports.flatMap(({ findings }) => findings),
    problems: reports.flatMap(({ problems }) => problems),
    deployments: reports.flatMap(({ deployments }) => deployments),
    files: roots.reduce((sum, { files }) => sum + files, 0),
  };
}

/** What a root holds, before anything of it is shown or left out. */
export interface Analysed {
  readonly target: Target;
  readonly project: DiskProject;
  readonly plan: Plan;
  readonly reasons: Configuration['reasons'];
  readonly result: CheckResult;
  /** How its files are called in the output. */
  readonly shownAs: Readonly<Record<PathsFrom, (path: string) => string>>;
}

/** Analyses every root that the named paths belong to. */
export function analyse(request: Request): readonly Analysed[] {
  return targetsOf(request.paths, request.cwd).map((target) => analyseRoot(target, request));
}

function analyseRoot(target: Target, request: Request): Analysed {
  const { root, named } = target;
  const shownAs = { cwd: pathsFrom(realpathSync.native(request.cwd), root), repository: pathsFrom(repositoryOf(root, request.env), root) };
  const configuration = configurationOf(root, shownAs.cwd(configName), request);
  const project = openProject(root, {
    ignore: ignoreRules(configuration.ignore),
    named,
    instead: contentsIn(root, request.contents),
    onRead: request.onRead,
  });
  const plan = planOf(configuration, request.rules);
  const result = check(project, plan, request.typesIn?.(root, project));
  return { target, project, plan, reasons: configuration.reasons, result, shownAs };
}

/** What the command line says of a rule holds in all files. */
function planOf({ rules, overrides, wrappers, versions, databases }: Configuration, told: Request['rules']): Plan {
  return {
    severities: new Map([...rules, ...told]),
    overrides: overrides.map(({ files, rules: own }) => {
      const rulesOfFiles = ignoreRules(files);
      return {
        covers: (path) =>
          rulesOfFiles(path, false) === 'ignored' || foldersAbove(path).some((folder) => rulesOfFiles(folder, true) === 'ignored'),
        severities: new Map([...own].filter(([rule]) => !told.has(rule))),
      };
    }),
    wrappers,
    versions,
    databases,
  };
}

function foldersAbove(path: string): readonly string[] {
  return path
    .split('/')
    .slice(0, -1)
    .map((_, index, names) => names.slice(0, index + 1).join('/'));
}

function judge({ target, project, plan, reasons, result, shownAs }: Analysed): Linted {
  const { named } = target;
  const rules = { all: ruleIds, runs: (rule: string, path: string) => levelIn(plan, rule, path) !== 'off', reasons };
  const { findings, problems } = suppress(withoutRepeats(result.findings, project), readFiles(project), rules);
  const empty = named.filter(({ path, isFolder }) => isFolder && (result.files === 0 || !holdsRead(path, project)));
  return {
    target,
    findings,
    problems: [...project.problems(), ...result.problems, ...problems].filter(({ path }) => isNamed(path, named)).sort(byPlace),
    deployments: result.deployments,
    files: result.files,
    empty: empty.map(({ path }) => shownAs.cwd(path)),
    shownAs,
  };
}

function contentsIn(root: string, contents: Contents = new Map()): ReadonlyMap<string, string | undefined> {
  const inside = [...contents].filter(([path]) => isInside(root, path));
  return new Map(inside.map(([path, content]) => [relative(root, path).replaceAll(sep, '/'), content]));
}

function configurationOf(root: string, shownAs: string, { config, cwd }: Pick<Request, 'config' | 'cwd'>): Configuration {
  if (config !== undefined) return readConfiguration(resolve(cwd, config), config);
  const file = join(root, configName);
  if (!existsSync(file)) return noConfiguration;
  if (!isInside(root, realpathSync.native(file))) throw new UserError(`${shownAs}: link out of the root, which is not followed`);
  return readConfiguration(file, shownAs);
}

function readConfiguration(file: string, shownAs: string): Configuration {
  const { text, problem } = readFile(file);
  if (text === undefined || problem !== undefined) throw new UserError(`${shownAs}: ${problem}`);
  return parseConfiguration(textOf(configName, text), shownAs, ruleIds);
}

/** A file behind a link inside the root is analysed under both names; the fault is one. */
function withoutRepeats(findings: readonly Finding[], project: DiskProject): readonly Finding[] {
  const seen = new Set<string>();
  return findings.filter(({ rule, at: { text, range }, message }) => {
    const name = [project.realPath(text.path), rule, range.start, range.end, message].join('\0');
    return !seen.has(name) && seen.add(name);
  });
}

function readFiles({ texts, realPath }: DiskProject): ReadFiles {
  return { texts: new Map([...texts()].map(([path, content]) => [realPath(path), content])), realPath };
}

function isNamed(path: string, named: readonly Named[]): boolean {
  return named.some((each) => each.path === '' || path === each.path || path.startsWith(`${each.path}/`));
}

function holdsRead(folder: string, project: DiskProject): boolean {
  for (const [path] of project.texts()) if (isNamed(path, [{ path: folder, isFolder: true }])) return true;
  return false;
}

function byPlace(a: ProjectProblem, b: ProjectProblem): number {
  return compare(a.path, b.path) || (a.at?.range.start ?? 0) - (b.at?.range.start ?? 0);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
