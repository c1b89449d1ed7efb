// Writes the parts of the documentation that follow from the code; with --check only says whether they are up to date.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue, pageOf as pathOf } from '@poolcheck/rules/catalogue';
import { drivers } from '@poolcheck/rules/knowledge/drivers';
import { fixtureCases } from '@poolcheck/rules/testing/rule-fixtures';
import { main } from '../cli/src/main.ts';
import { driversPage } from './docs/drivers.ts';
import { pageOf } from './docs/page.ts';
import { pictureOf } from './docs/picture.ts';
import { indexOf, withRuleTable } from './docs/tables.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

const shown = ['fixtures/shop/services/orders/src/checkout.ts', 'fixtures/shop/k8s/catalog.yaml'];
const columns = 118;

const generated = new Map([
  ...pages(),
  ['docs/rules/README.md', indexOf(catalogue)],
  ['docs/drivers.md', driversPage(drivers)],
  ['README.md', withRuleTable(read('README.md'), catalogue, 'docs/rules/')],
  ['docs/terminal.svg', pictureOf(`$ npx poolcheck ${shown.join(' ')}\n\n${await printedOf(shown)}`, columns)],
]);

const stale = [...generated].filter(([path, content]) => read(path) !== content);
if (!process.argv.includes('--check')) stale.forEach(([path, content]) => write(path, content));
else if (stale.length > 0) {
  console.error(`Out of date: ${stale.map(([path]) => path).join(', ')}\n"npm run docs" writes what the code says.`);
  process.exitCode = 1;
}

function pages(): readonly (readonly [string, string])[] {
  const cases = fixtureCases();
  return catalogue.map((rule) => {
    const path = pathOf(rule.id);
    const own = cases.filter((each) => each.rule === rule.id);
    return [path, pageOf(rule, own, read(path))];
  });
}

/** What the command prints in a terminal. */
async function printedOf(paths: readonly string[]): Promise<string> {
  let printed = '';
  const terminal = { write: (text: string) => void (printed += text), isTerminal: true, columns };
  await main(paths, { cwd: repository, env: {}, runtime: '', out: terminal, err: { ...terminal, isTerminal: false } });
  return printed;
}

function read(path: string): string {
  return existsSync(join(repository, path)) ? readFileSync(join(repository, path), 'utf8') : '';
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), content);
}
