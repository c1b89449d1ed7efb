import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

const fixtures = join(repository, 'rules/fixtures');
const expectation = 'expected.txt';

/** What a case shows: the rule speaks; it is silent on the right form; it is silent on something that only looks wrong. */
export type Kind = 'bad' | 'good' | 'near';

/** One folder `rules/fixtures/<rule>/<kind>-<name>`. */
export interface FixtureCase {
  readonly rule: string;
  readonly name: string;
  readonly kind: Kind | undefined;
  readonly files: Readonly<Record<string, string>>;
  /** Where what the command prints is kept. */
  readonly expected: string;
  readonly hasExpected: boolean;
}

export function fixtureRules(): readonly string[] {
  return existsSync(fixtures) ? foldersIn(fixtures) : [];
}

export function fixtureCases(): readonly FixtureCase[] {
  return fixtureRules().flatMap((rule) => foldersIn(join(fixtures, rule)).map((name) => caseIn(rule, name)));
}

function caseIn(rule: string, name: string): FixtureCase {
  const folder = join(fixtures, rule, name);
  const expected = join(folder, expectation);
  const kind = (['bad', 'good', 'near'] as const).find((each) => name.startsWith(`${each}-`));
  return { rule, name, kind, files: filesIn(folder), expected, hasExpected: existsSync(expected) };
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function filesIn(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const named = paths.map((path) => [relative(folder, path).replaceAll(sep, '/'), readFileSync(path, 'utf8')] as const);
  return Object.fromEntries(named.filter(([path]) => path !== expectation));
}
