// Runs the built command on the repositories of a list and says how often the judged findings are right.
//   node bench/corpus/score.js --corpus DIR [--list held-out.tsv] [--command FILE] [--sample]
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gone, placeOf, sample, spread, tally, total, wilson } from './precision.js';

const { values: options } = parseArgs({
  options: {
    corpus: { type: 'string' },
    list: { type: 'string', default: 'repositories.tsv' },
    command: { type: 'string' },
    sample: { type: 'boolean', default: false },
  },
});
if (options.corpus === undefined) throw new Error('--corpus DIR: a folder with one work tree a repository, named OWNER+NAME');
const command = options.command ?? fileURLToPath(new URL('../../cli/bin/poolcheck.js', import.meta.url));

const repositories = table(options.list).filter(isThere);
const findings = repositories.flatMap(findingsOf);
const present = new Set(repositories.map(({ repository }) => repository));
const judged = table('judged.tsv').filter(({ repository }) => present.has(repository));
if (options.sample) printSample();
else printScore();

function table(name) {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const [head, ...rows] = text.trimEnd().split('\n');
  const columns = head.split('\t');
  return rows.map((row) => Object.fromEntries(row.split('\t').map((cell, index) => [columns[index], cell])));
}

function folderOf(repository) {
  return join(options.corpus, repository.replace('/', '+'));
}

/** In a copy of another commit the lines are elsewhere. */
function isThere({ repository, commit }) {
  const mark = join(folderOf(repository), '.corpus-commit');
  return existsSync(mark) && readFileSync(mark, 'utf8').trim() === commit;
}

function findingsOf({ repository, commit }) {
  const cwd = realpathSync(folderOf(repository));
  const { stdout, stderr } = spawnSync(process.execPath, [command, '--format', 'json', '.'], { cwd, encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (stdout === '') console.error(`${repository}: ${stderr}`);
  const { findings } = JSON.parse(stdout || '{"findings": []}');
  return findings
    .filter(({ suppressed }) => suppressed === undefined)
    .map(({ file, range, ...rest }) => ({ repository, commit, path: file, line: String(range.start.line), ...rest }));
}

function printSample() {
  const places = new Set(judged.map(placeOf));
  for (const finding of sample(findings)) {
    const { repository, commit, path, line, rule, severity, message } = finding;
    const state = places.has(placeOf(finding)) ? 'judged' : 'to judge';
    console.log([state, repository, commit, path, line, rule, severity, message].join('\t'));
  }
}

function printScore() {
  const lines = tally(findings, judged);
  const places = new Set(judged.map(placeOf));
  const few = spread(findings.filter((finding) => places.has(placeOf(finding))));
  const sums = [
    totalOf('error', findings),
    totalOf('warning', findings),
    total(lines),
    total(tally(few, judged), 'at most 10 a rule and repository'),
    totalOf('error', few, 'errors, at most 10'),
    totalOf('warning', few, 'warnings, at most 10'),
  ];
  for (const line of [...lines, ...sums]) console.log(scoreOf(line));
  const lost = gone(findings, judged);
  for (const verdict of ['right', 'wrong']) {
    console.log(`${lost.filter((row) => row.verdict === verdict).length} places judged ${verdict} are not found any more`);
  }
  console.log(`${repositories.length} repositories, ${findings.length} findings`);
}

function totalOf(severity, findings, name = `all ${severity}s`) {
  return total(
    tally(
      findings.filter((finding) => finding.severity === severity),
      judged,
    ),
    name,
  );
}

function scoreOf({ rule, right, wrong, unsure, unjudged }) {
  const n = right + wrong;
  const { low, high } = wilson(right, n);
  const precision = n === 0 ? '' : `, precision ${percent(right / n)} (${percent(low)}–${percent(high)})`;
  return `${rule.padEnd(38)} n ${n}, right ${right}, wrong ${wrong}, unsure ${unsure}, not judged ${unjudged}${precision}`;
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
