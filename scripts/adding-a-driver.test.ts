import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '@poolcheck/rules/testing/rule-fixtures';
import { expect, test } from 'vitest';
import { copyOfRepository, runIn } from './testing/copy.ts';

const page = readFileSync(join(repository, 'docs/adding-a-driver.md'), 'utf8');
const list = 'rules/src/knowledge/drivers.ts';

/** The code of the page, by the file that it belongs to. */
function code(path: string): string {
  const block = new RegExp(`^\`\`\`ts ${path}\\n([^]*?)^\`\`\`$`, 'm').exec(page);
  expect(block, path).not.toBeNull();
  return block?.[1] ?? '';
}

function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

test('a driver that is added as the page says is known to the rules', { timeout: 60_000 }, () => {
  const copy = copyOfRepository();
  write(copy, 'rules/src/knowledge/drivers/shelf.ts', code('rules/src/knowledge/drivers/shelf.ts'));
  const drivers = readFileSync(join(copy, list), 'utf8');
  write(copy, list, code(list) + drivers.replace(/(drivers: readonly Driver\[\] = \[)/, '$1shelf, '));
  write(copy, 'project/src/loans.ts', code('src/loans.ts'));

  const { out } = runIn(copy, 'cli/src/bin.ts', '--format', 'json', '--fail-on', 'never', 'project');
  const { findings } = JSON.parse(out) as { findings: { rule: string; range: { start: { line: number } } }[] };
  expect(findings.map(({ rule, range }) => [rule, range.start.line])).toEqual([
    ['require-acquire-timeout', 3],
    ['release-in-finally', 6],
  ]);
});
