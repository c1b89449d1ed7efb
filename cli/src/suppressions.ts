import { lineRange, placeOf, positionAt, slice, textOf, type Place, type Range, type Text } from '@poolcheck/parsers/text';
import type { Finding, ProjectProblem } from '@poolcheck/rules/finding';
import { didYouMean } from '@poolcheck/rules/nearest';

/** What suppression comments did: every finding, some of them marked, and what is wrong with the comments. */
export interface Suppressed {
  readonly findings: readonly Finding[];
  readonly problems: readonly ProjectProblem[];
}

/** Which rules there are, and whether one runs: a comment for a rule that is off is not unused. */
export interface RuleNames {
  readonly all: readonly string[];
  readonly runs: (rule: string, path: string) => boolean;
  /** Whether a comment has to say why. */
  readonly reasons: 'required' | 'optional';
}

/** `// poolcheck-disable-next-line RULE, RULE -- reason`, in any kind of comment. */
interface Suppression {
  readonly at: Place;
  readonly rules: readonly string[];
  readonly reason: string;
  /** The line whose findings it takes; undefined: the whole file's. */
  readonly line: number | undefined;
}

/** The files that were read, each once, though links may give it several paths. */
export interface ReadFiles {
  readonly texts: Iterable<readonly [path: string, content: string]>;
  /** The path by which a file is in `texts`. */
  readonly realPath: (path: string) => string;
}

/** Marks the findings that a comment in their file suppresses. */
export function suppress(findings: readonly Finding[], { texts, realPath }: ReadFiles, rules: RuleNames): Suppressed {
  const suppressions: Suppression[] = [];
  const problems: ProjectProblem[] = [];
  for (const [path, content] of texts) {
    for (const comment of commentsIn(textOf(path, content), rules)) {
      if ('rules' in comment) suppressions.push(comment);
      else problems.push(comment);
    }
  }
  const used = new Map(suppressions.map((suppression) => [suppression, new Set<string>()]));
  const marked = findings.map((finding) => {
    const suppression = suppressions.find((candidate) => covers(candidate, finding, realPath(finding.at.text.path)));
    if (!suppression) return finding;
    used.get(suppression)?.add(finding.rule);
    return { ...finding, suppressed: { by: 'comment' as const, reason: suppression.reason } };
  });
  return { findings: marked, problems: [...problems, ...unused(used, rules)] };
}

function covers({ at, rules, line }: Suppression, finding: Finding, path: string): boolean {
  if (at.text.path !== path || !rules.includes(finding.rule)) return false;
  return line === undefined || line === positionAt(finding.at.text, finding.at.range.start).line;
}

function unused(used: ReadonlyMap<Suppression, ReadonlySet<string>>, { runs }: RuleNames): readonly ProjectProblem[] {
  return [...used].flatMap(([{ at, rules }, hits]) =>
    rules
      .filter((rule) => !hits.has(rule) && runs(rule, at.text.path))
      .map((rule) => problemAt(at, `suppresses nothing: ${rule} has no finding here`)),
  );
}

function problemAt(at: Place, message: string): ProjectProblem {
  return { path: at.text.path, at, message: `this comment ${message}` };
}

const marker = 'poolcheck-disable';

function* commentsIn(text: Text, rules: RuleNames): Iterable<Suppression | ProjectProblem> {
  const { content } = text;
  for (let at = content.indexOf(marker); at >= 0; at = content.indexOf(marker, at + marker.length)) {
    const line = positionAt(text, at).line;
    const lead = content.slice(lineRange(text, line).start, at);
    if (opensComment.test(lead.slice(-10))) yield* suppressionsAt(text, at, line, rules);
  }
}

/** The marks that open a comment in the languages of the files that are checked, as far as a look at one line can tell. */
const opensComment = /(?:\/\/|\/\*|#|;|--|<!--)\s*$/;

function suppressionsAt(
  text: Text,
  start: number,
  line: number,
  { all: known, reasons: asked }: RuleNames,
): readonly (Suppression | ProjectProblem)[] {
  const range: Range = { start, end: Math.min(lineRange(text, line).end, start + 1000) };
  const written = slice(text, range).replace(/\s*(?:\*\/\s*\}?|-->)\s*$/, '');
  const at = placeOf(text, { start, end: start + written.length });
  const [head = '', ...reasons] = written.split(/\s--(?=\s|$)/);
  const [keyword = '', ...names] = head.split(/[\s,]+/).filter((word) => word !== '');
  const scope = scopes[keyword];
  const reason = reasons.join(' --').trim();

  if (!scope) return [problemAt(at, `is not known: write ${Object.keys(scopes).join(', ')}`)];
  if (names.length === 0) return [problemAt(at, 'has to name the rules that it suppresses')];
  if (reason === '' && asked === 'required') return [problemAt(at, 'suppresses nothing without a reason: write one behind " -- "')];
  const unknown = names.filter((name) => !known.includes(name));
  return [
    ...unknown.map((name) => problemAt(at, `names an unknown rule, "${name}".${didYouMean(name, known)}`)),
    {
      at,
      rules: names.filter((name) => known.includes(name)),
      reason: reason === '' ? 'no reason given' : reason,
      line: scope(text, line),
    },
  ];
}

const scopes: Readonly<Record<string, (text: Text, line: number) => number | undefined>> = {
  'poolcheck-disable-next-line': nextLine,
  'poolcheck-disable-line': (_, line) => line,
  'poolcheck-disable-file': () => undefined,
};

/** The line below, past a few more comments of the same kind. */
function nextLine(text: Text, line: number): number {
  let next = line + 1;
  while (next < line + 10 && slice(text, lineRange(text, next)).includes('poolcheck-disable-next-line')) next++;
  return next;
}
