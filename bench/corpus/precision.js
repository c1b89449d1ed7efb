// How often the judged findings are right, and which findings to judge: functions of lists, so that they can be tested.
import { createHash } from 'node:crypto';

/** The 95 % Wilson interval of a share. */
export function wilson(right, n) {
  if (n === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const share = right / n;
  const centre = share + (z * z) / (2 * n);
  const half = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const whole = 1 + (z * z) / n;
  return { low: Math.max(0, (centre - half) / whole), high: Math.min(1, (centre + half) / whole) };
}

/** All errors, and up to 50 warnings of each rule, at most 10 of a repository; the same ones as long as they are found. */
export function sample(findings, seed = 'poolcheck') {
  const errors = findings.filter(({ severity }) => severity === 'error');
  const warnings = groupBy(
    findings.filter(({ severity }) => severity === 'warning'),
    ({ rule }) => rule,
  );
  return [...errors, ...[...warnings.values()].flatMap((group) => spread(group, seed).slice(0, 50))];
}

/** In an order of chance, at most 10 findings of a rule in a repository, so that one habit of one author does not decide. */
export function spread(findings, seed = 'poolcheck') {
  const taken = new Map();
  return shuffled(findings, seed).filter(({ repository, rule }) => {
    const key = `${repository}\t${rule}`;
    const count = (taken.get(key) ?? 0) + 1;
    taken.set(key, count);
    return count <= 10;
  });
}

/** Each finding has its own place in the order, so that those that come or go do not move the others. */
function shuffled(findings, seed) {
  return findings
    .map((finding) => ({ finding, rank: rankOf(finding, seed) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ finding }) => finding);
}

function rankOf(finding, seed) {
  return createHash('sha1')
    .update(`${seed}\t${placeOf(finding)}`)
    .digest('hex');
}

/** For each rule: how many of its findings were judged right and wrong, and how many were not judged. */
export function tally(findings, judged) {
  const verdicts = new Map(judged.map((row) => [placeOf(row), row.verdict]));
  const rules = [...groupBy(findings, ({ rule }) => rule)].sort(([a], [b]) => (a < b ? -1 : 1));
  return rules.map(([rule, found]) => ({ rule, ...count(found.map((finding) => verdicts.get(placeOf(finding)) ?? 'unjudged')) }));
}

function count(verdicts) {
  const of = (verdict) => verdicts.filter((other) => other === verdict).length;
  return { right: of('right'), wrong: of('wrong'), unsure: of('unsure'), unjudged: of('unjudged') };
}

/** The sum of the lines of a tally. */
export function total(lines, rule = 'all') {
  const sumOf = (verdict) => lines.reduce((sum, line) => sum + line[verdict], 0);
  return { rule, right: sumOf('right'), wrong: sumOf('wrong'), unsure: sumOf('unsure'), unjudged: sumOf('unjudged') };
}

/** The judged places that are not found any more. */
export function gone(findings, judged) {
  const places = new Set(findings.map(placeOf));
  return judged.filter((row) => !places.has(placeOf(row)));
}

/** What names a place, whether a finding's or a judged row's. */
export function placeOf({ repository, path, line, rule }) {
  return [repository, path, line, rule].join('\t');
}

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
