import { positionAt, type Text } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import { get, isAbsent, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { type DeclaredDatabase, readDatabases } from '@poolcheck/rules/declared';
import type { Wrappers } from '@poolcheck/rules/knowledge/wrappers';
import { type Mistake, mapEntries } from '@poolcheck/rules/mistake';
import { didYouMean } from '@poolcheck/rules/nearest';
import { noVersions, readVersions, type Versions } from '@poolcheck/rules/versions';
import { readWrappers } from '@poolcheck/rules/wrappers';
import { UserError } from './exit.ts';
import { levelOf, levels, type Level } from './levels.ts';

/** What a poolcheck.yaml says: data, never code. */
export interface Configuration {
  readonly rules: ReadonlyMap<string, Level>;
  /** What else holds in some files. */
  readonly overrides: readonly ConfiguredOverride[];
  /** Patterns as in a .gitignore. */
  readonly ignore: readonly string[];
  /** Whether a suppression comment has to say why. */
  readonly reasons: 'required' | 'optional';
  /** What wraps drivers outside the root. */
  readonly wrappers: Wrappers;
  /** Of what the files do not tell the version of. */
  readonly versions: Versions;
  /** Database servers outside of the root. */
  readonly databases: readonly DeclaredDatabase[];
}

export interface ConfiguredOverride {
  /** Patterns as in a .gitignore. */
  readonly files: readonly string[];
  readonly rules: ReadonlyMap<string, Level>;
}

export const noConfiguration: Configuration = {
  rules: new Map(),
  overrides: [],
  reasons: 'required',
  ignore: [],
  wrappers: { leases: [], borrows: [] },
  versions: noVersions,
  databases: [],
};

const keys = ['rules', 'overrides', 'ignore', 'suppressions', 'versions', 'databases', 'leases', 'borrows'];

/** Reads a configuration; throws a UserError that names every mistake in it. `shownAs` is how the user calls the file. */
export function parseConfiguration(text: Text, shownAs: string, ruleIds: readonly string[]): Configuration {
  const { document: documents, problems } = parseYaml(text);
  const mistakes: Mistake[] = problems.map(({ range, message }) => ({ at: range, message }));
  const [root, another] = documents.map((document) => document.root);
  if (another) mistakes.push({ at: another.range, message: 'one document is enough' });

  const rules = new Map<string, Level>();
  const ignore: string[] = [];
  const overrides: ConfiguredOverride[] = [];
  let reasons: Configuration['reasons'] = 'required';
  for (const { key, value } of mapEntries(root, 'the configuration', mistakes)) {
    if (key.value === 'rules') readRules(value, ruleIds, rules, mistakes);
    else if (key.value === 'ignore') ignore.push(...readPatterns(value, '"ignore"', mistakes));
    else if (key.value === 'overrides') overrides.push(...readOverrides(value, ruleIds, mistakes));
    else if (key.value === 'suppressions') reasons = readReasons(value, mistakes) ?? reasons;
    else if (!keys.includes(key.value))
      mistakes.push({ at: key.range, message: `unknown key "${key.value}".${didYouMean(key.value, keys)}` });
  }
  const versions = readVersions(get(root, 'versions'), mistakes);
  const databases = readDatabases(get(root, 'databases'), text, mistakes);
  const wrappers = readWrappers(get(root, 'leases'), get(root, 'borrows'), mistakes);
  if (mistakes.length > 0) throw new UserError(mistakes.map((mistake) => describe(text, shownAs, mistake)).join('\n'));
  return { rules, overrides, ignore, reasons, wrappers, versions, databases };
}

function describe(text: Text, shownAs: string, { at, message }: Mistake): string {
  const { line, column } = positionAt(text, at.start);
  return `${shownAs}:${line}:${column}: ${message}`;
}

function readRules(value: YamlValue, ruleIds: readonly string[], rules: Map<string, Level>, mistakes: Mistake[]): void {
  for (const { key, value: written } of mapEntries(value, '"rules"', mistakes)) {
    const level = levelOf(stringOf(written));
    if (!ruleIds.includes(key.value)) {
      mistakes.push({ at: key.range, message: `unknown rule "${key.value}".${didYouMean(key.value, ruleIds)}` });
    } else if (!level) {
      mistakes.push({ at: written.range, message: `"${key.value}" must be one of ${levels.join(', ')}` });
    } else {
      rules.set(key.value, level);
    }
  }
}

function readOverrides(value: YamlValue, ruleIds: readonly string[], mistakes: Mistake[]): readonly ConfiguredOverride[] {
  if (isAbsent(value)) return [];
  if (value.kind !== 'sequence') {
    mistakes.push({ at: value.range, message: '"overrides" must be a list of { files, rules }' });
    return [];
  }
  return value.items.map((item) => {
    const files: string[] = [];
    const rules = new Map<string, Level>();
    for (const { key, value: written } of mapEntries(item, 'an override', mistakes)) {
      if (key.value === 'files') files.push(...readPatterns(written, '"files"', mistakes));
      else if (key.value === 'rules') readRules(written, ruleIds, rules, mistakes);
      else mistakes.push({ at: key.range, message: `unknown key "${key.value}".${didYouMean(key.value, ['files', 'rules'])}` });
    }
    if (files.length === 0) mistakes.push({ at: item.range, message: 'an override needs "files", the patterns that it is for' });
    return { files, rules };
  });
}

function readReasons(value: YamlValue, mistakes: Mistake[]): Configuration['reasons'] | undefined {
  const entries = mapEntries(value, '"suppressions"', mistakes);
  for (const { key } of entries)
    if (key.value !== 'reason')
      mistakes.push({ at: key.range, message: `unknown key "${key.value}".${didYouMean(key.value, ['reason'])}` });
  const reason = entries.find(({ key }) => key.value === 'reason')?.value;
  const written = reason && stringOf(reason);
  if (reason && written !== 'required' && written !== 'optional')
    mistakes.push({ at: reason.range, message: '"reason" must be required or optional' });
  return written === 'optional' || written === 'required' ? written : undefined;
}

function readPatterns(value: YamlValue, name: string, mistakes: Mistake[]): readonly string[] {
  if (isAbsent(value)) return [];
  if (value.kind !== 'sequence') {
    mistakes.push({ at: value.range, message: `${name} must be a list of patterns` });
    return [];
  }
  for (const item of value.items) {
    const mistake = mistakeIn(stringOf(item));
    if (mistake !== undefined) mistakes.push({ at: item.range, message: mistake });
  }
  return value.items.map((item) => stringOf(item) ?? '');
}

function mistakeIn(pattern: string | undefined): string | undefined {
  if (pattern === undefined) return 'a pattern must be a text';
  if (pattern.trim() === '') return 'a pattern must not be empty';
  if (pattern.includes('{'))
    return 'patterns are written as in a .gitignore, where "{" means itself: write one pattern for each alternative';
  return undefined;
}
