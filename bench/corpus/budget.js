// What the budgets of the repositories in budget.tsv say, and how much of it was judged right: `node bench/corpus/budget.js --corpus DIR`.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { termsIn } from './budget-terms.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const { values } = parseArgs({ options: { corpus: { type: 'string', default: 'corpus' }, print: { type: 'boolean', default: false } } });

const [, ...lines] = readFileSync(join(here, 'budget.tsv'), 'utf8').trimEnd().split('\n');
const judged = lines.map((line) => {
  const [repository, commit, environment, term, said, verdict] = line.split('\t');
  return { repository, commit, environment, term, said, verdict };
});

const counts = { right: 0, wrong: 0, changed: 0 };
for (const [repository, commit] of new Map(judged.map((row) => [row.repository, row.commit]))) {
  const folder = join(values.corpus, repository.replace('/', '+'));
  if (!isAt(folder, commit)) continue;
  const said = new Map(termsIn(budgetOf(folder)).map((term) => [keyOf(term), term.said]));
  for (const row of judged.filter((each) => each.repository === repository)) {
    const now = said.get(keyOf(row));
    said.delete(keyOf(row));
    if (now === row.said) counts[row.verdict]++;
    else {
      counts.changed++;
      console.log([repository, row.environment, row.term, `${row.said} → ${now ?? 'nothing'}`].join('\t'));
    }
  }
  if (values.print) for (const [key, text] of said) console.log([repository, commit, key, text].join('\t'));
}
console.log(`${counts.right} of ${counts.right + counts.wrong} terms right; ${counts.changed} changed since they were judged`);

function isAt(folder, commit) {
  const mark = join(folder, '.corpus-commit');
  return existsSync(mark) && readFileSync(mark, 'utf8').trim() === commit;
}

function budgetOf(folder) {
  const command = join(here, '../../cli/dist/main.js');
  const { stdout } = spawnSync(process.execPath, [command, 'budget', '.', '--format', 'json'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(stdout);
}

function keyOf({ environment, term }) {
  return `${environment}\t${term}`;
}
