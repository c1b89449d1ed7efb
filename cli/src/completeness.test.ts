import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '@poolcheck/rules/catalogue';
import { fixtureCases, fixtureRules, repository } from '@poolcheck/rules/testing/rule-fixtures';
import { describe, expect, test } from 'vitest';

const ids = catalogue.map(({ id }) => id);

function namesIn(folder: string, ending: string): readonly string[] {
  const files = readdirSync(join(repository, folder)).filter(
    (file) => file.endsWith(ending) && !file.endsWith(`.test${ending}`) && file !== 'README.md',
  );
  return files.map((file) => file.slice(0, -ending.length)).sort();
}

test('the catalogue is in order', () => expect(ids).toEqual(ids.toSorted()));
test('every rule has its file, and no file is left over', () => expect(namesIn('rules/src/rules', '.ts')).toEqual(ids));
test('every rule has its page, and no page is left over', () => expect(namesIn('docs/rules', '.md')).toEqual(ids));
test('every rule has its fixtures, and no folder is left over', () => expect(fixtureRules().toSorted()).toEqual(ids));

describe.each(ids)('%s', (id) => {
  const kinds = fixtureCases()
    .filter(({ rule }) => rule === id)
    .map(({ kind }) => kind);
  test.each(['bad', 'good', 'near'])('has a case that is %s', (kind) => expect(kinds).toContain(kind));
  test('has no case of another kind', () => expect(kinds).not.toContain(undefined));
});
