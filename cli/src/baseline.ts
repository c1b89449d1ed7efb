import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside, readFile } from '@poolcheck/rules/disk/read';
import type { CheckOptions } from './arguments.ts';
import { UserError } from './exit.ts';
import type { Io } from './io.ts';
import type { KnownFindings } from './known-findings.ts';
import type { Linted } from './lint.ts';
import { prose, safeJson } from './output/neutral.ts';
import { plural } from './output/words.ts';
import { writeFile } from './write-file.ts';

/** Findings that a team has agreed to live with for now. Lines are not in it: a fault that moves stays known. */
interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

interface BaselineEntry {
  readonly rule: string;
  /** Relative to the folder of the baseline, `/`-separated. */
  readonly file: string;
  readonly fingerprint: string;
}

/** What does not count, because a file says so. */
export function knownByBaseline(
  roots: readonly Linted[],
  { baseline: path, updateBaseline }: CheckOptions,
  io: Io,
): readonly KnownFindings[] {
  if (path === undefined) return [];
  if (updateBaseline) {
    const baseline = updated(existsSync(resolve(io.cwd, path)) ? readBaseline(path, io.cwd) : { entries: [] }, path, roots, io.cwd);
    writeFile(path, baselineText(baseline), io.cwd);
    io.err.write(`poolcheck: ${plural(baseline.entries.length, 'finding')} in ${prose(path)}\n`);
    return [knownIn(baseline)];
  }
  const baseline = readBaseline(path, io.cwd);
  const gone = goneFrom(baseline, path, roots, io.cwd).length;
  if (gone > 0)
    io.err.write(
      `poolcheck: ${plural(gone, 'finding')} of ${prose(path)} ${gone === 1 ? 'is' : 'are'} gone: --update-baseline takes them out\n`,
    );
  return [knownIn(baseline)];
}

/** Reads a baseline; throws a UserError when it is none. */
function readBaseline(path: string, cwd: string): Baseline {
  const { text, problem } = readFile(resolve(cwd, path));
  if (text === undefined) throw new UserError(`${path}: ${problem}; --update-baseline writes it`);
  const written = parse(text, path);
  const { schema, findings } = Object(written) as { readonly schema?: unknown; readonly findings?: unknown };
  if (schema !== 1) throw new UserError(`${path}: not a baseline of this poolcheck: "schema" must be 1`);
  if (!Array.isArray(findings) || !findings.every(isEntry))
    throw new UserError(`${path}: not a baseline: "findings" must be a list of {rule, file, fingerprint}`);
  return { entries: findings };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path}: not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

function isEntry(value: unknown): value is BaselineEntry {
  const entry = Object(value) as Readonly<Record<string, unknown>>;
  return ['rule', 'file', 'fingerprint'].every((key) => typeof entry[key] === 'string');
}

function baselineText({ entries }: Baseline): string {
  return `${safeJson({ schema: 1, findings: entries })}\n`;
}

function knownIn({ entries }: Baseline): KnownFindings {
  const fingerprints = new Set(entries.map(({ fingerprint }) => fingerprint));
  return { by: 'baseline', reason: 'in the baseline', has: (fingerprint) => fingerprints.has(fingerprint) };
}

/** The entries whose fault is gone. Of what was not analysed this time nothing is said. */
function goneFrom({ entries }: Baseline, path: string, roots: readonly Linted[], cwd: string): readonly BaselineEntry[] {
  const present = new Set(roots.flatMap(({ findings }) => findings.map(({ fingerprint }) => fingerprint)));
  return entries.filter((entry) => !present.has(entry.fingerprint) && isAnalysed(entry, path, roots, cwd));
}

/** The baseline with what is there now; entries of what was not analysed this time stay. */
function updated({ entries }: Baseline, path: string, roots: readonly Linted[], cwd: string): Baseline {
  const folder = dirname(resolve(cwd, path));
  const now = roots.flatMap(({ target, findings }) =>
    findings
      .filter(({ suppressed }) => !suppressed)
      .map(({ rule, fingerprint, at }) => ({
        rule,
        file: relative(folder, join(target.root, at.text.path)).replaceAll(sep, '/'),
        fingerprint,
      })),
  );
  const elsewhere = entries.filter((entry) => !isAnalysed(entry, path, roots, cwd));
  return { entries: [...elsewhere, ...now].sort((a, b) => compare(keyOf(a), keyOf(b))) };
}

function isAnalysed({ file }: BaselineEntry, path: string, roots: readonly Linted[], cwd: string): boolean {
  const absolute = resolve(cwd, dirname(path), file);
  return roots.some(({ target }) => isInside(target.root, absolute));
}

function keyOf({ file, rule, fingerprint }: BaselineEntry): string {
  return [file, rule, fingerprint].join('\0');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
