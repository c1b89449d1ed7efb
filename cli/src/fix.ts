import type { Edit, Finding, Fix } from '@poolcheck/rules/finding';
import { groupBy } from '@poolcheck/rules/group';
import { join } from 'node:path';
import { inView, type Linted, type View } from './lint.ts';
import { applyEdits } from './output/diff.ts';
import { touchesSecret } from './report.ts';

/** `safe`: what cannot change what right code does. */
export type FixKind = 'safe' | 'all';

/** Files as fixes leave them, by their absolute paths, and how many fixes that took. */
export interface Fixed {
  readonly contents: ReadonlyMap<string, string>;
  /** The same files as they were. */
  readonly before: ReadonlyMap<string, string>;
  readonly made: number;
  /** What is left to be found in them. */
  readonly roots: readonly Linted[];
}

type LintWith = (contents: ReadonlyMap<string, string>) => readonly Linted[];

/** Fixes make room for others: so often everything is looked at again. */
const mostRounds = 10;

/** Mends what can be mended, in memory; `lintWith` checks the roots with other contents of some files. */
export function fix(roots: readonly Linted[], kind: FixKind, view: View, lintWith: LintWith): Fixed {
  let fixed: Fixed = { contents: new Map(), before: new Map(), made: 0, roots };
  for (let round = 0; round < mostRounds; round++) {
    const next = nextRound(fixed, kind, view, lintWith);
    if (!next) break;
    fixed = next;
  }
  return fixed;
}

/** What can be mended at once; undefined when nothing can. A file that a fix would break is left alone. */
function nextRound(last: Fixed, kind: FixKind, view: View, lintWith: LintWith): Fixed | undefined {
  let planned = last.roots.map((root) => ({ root, fixes: withoutOverlaps(fixesOf(inView(root, view), kind)) }));
  for (;;) {
    const made = planned.reduce((sum, { fixes }) => sum + fixes.length, 0);
    if (made === 0) return undefined;
    const changes = planned.flatMap(({ root, fixes }) => changesIn(root, fixes));
    const contents = new Map([...last.contents, ...changes.map(({ path, after }) => [path, after] as const)]);
    const roots = lintWith(contents);
    const broken = brokenIn(last.roots, roots);
    if (broken.size === 0) {
      const before = new Map([...changes.map((each) => [each.path, each.before] as const), ...last.before]);
      return { contents, before, made: last.made + made, roots };
    }
    planned = planned.map(({ root, fixes }) => ({
      root,
      fixes: fixes.filter(({ edits }) => !edits.some(({ text }) => broken.has(join(root.target.root, text.path)))),
    }));
    if (planned.reduce((sum, { fixes }) => sum + fixes.length, 0) === made) return undefined;
  }
}

function fixesOf(findings: readonly Finding[], kind: FixKind): readonly Fix[] {
  return findings.flatMap(({ suppressed, fixes }) => {
    const first = fixes.find((each) => kind === 'all' || each.safe);
    return first && !suppressed && !touchesSecret(first) ? [first] : [];
  });
}

/** Of fixes that change the same piece of a file the first one is made; the others may be, in the next round. */
function withoutOverlaps(fixes: readonly Fix[]): readonly Fix[] {
  const chosen: Fix[] = [];
  for (const each of fixes) if (!chosen.some((other) => overlap(each, other))) chosen.push(each);
  return chosen;
}

function overlap(a: Fix, b: Fix): boolean {
  return a.edits.some((edit) =>
    b.edits.some(
      (other) => edit.text.path === other.text.path && edit.range.start <= other.range.end && other.range.start <= edit.range.end,
    ),
  );
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function changesIn({ target }: Linted, fixes: readonly Fix[]): readonly Change[] {
  const byFile = groupBy(
    fixes.flatMap(({ edits }) => edits),
    ({ text }) => text.path,
  );
  return [...byFile].flatMap(([path, edits]) => {
    const [first] = edits;
    const after = first && applyEdits(first.text, edits.map(withItsLineBreaks));
    return first && after !== undefined ? [{ path: join(target.root, path), before: first.text.content, after }] : [];
  });
}

function withItsLineBreaks(edit: Edit): Edit {
  const lineBreak = edit.text.content.includes('\r\n') ? '\r\n' : '\n';
  return { ...edit, insert: edit.insert.replace(/\r?\n/g, lineBreak) };
}

/** The files that cannot be read any more, or have more errors than before. */
function brokenIn(before: readonly Linted[], after: readonly Linted[]): ReadonlySet<string> {
  return new Set([problemsIn, errorsIn].flatMap((listed) => withMore(countsOf(before, listed), countsOf(after, listed))));
}

type Listed = (root: Linted) => readonly string[];

const problemsIn: Listed = ({ problems }) => problems.map(({ path }) => path);
const errorsIn: Listed = ({ findings }) => findings.filter(({ severity }) => severity === 'error').map(({ at }) => at.text.path);

function countsOf(roots: readonly Linted[], listed: Listed): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const root of roots)
    for (const path of listed(root).map((each) => join(root.target.root, each))) counts.set(path, (counts.get(path) ?? 0) + 1);
  return counts;
}

function withMore(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): readonly string[] {
  return [...after].flatMap(([path, count]) => (count > (before.get(path) ?? 0) ? [path] : []));
}
