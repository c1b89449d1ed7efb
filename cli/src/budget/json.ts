import { positionAt } from '@poolcheck/parsers/text';
import type { Evidence, Known } from '@poolcheck/rules/known';
import { safeJson } from '../output/neutral.ts';
import type { BudgetReport, Columns, DatabaseSheet } from './sheet.ts';

/** For other tools: fields may be added within schema 1, none changes. A `most` that is null has no bound, an `accepts` that is null is not known. */
export function json({ sheets, problems }: BudgetReport): string {
  return `${safeJson({
    schema: 1,
    deployments: sheets.map(({ name, databases, outside }) => ({
      name,
      databases: databases.map(databaseOf),
      outside: outside.map(evidenceOf),
    })),
    problems: problems.length,
  })}\n`;
}

function databaseOf({ name, software, accepts, evidence, rows, totals, verdicts, knobs }: DatabaseSheet): object {
  return {
    name,
    software,
    accepts: Number.isFinite(accepts) ? accepts : null,
    evidence: evidence.map(evidenceOf),
    rows: rows.map((row) => ({ name: row.name, ...columnsOf(row.columns), terms: row.terms, evidence: row.evidence.map(evidenceOf) })),
    total: columnsOf(totals),
    verdicts,
    knobs: knobs.map((knob) => ({ name: knob.name, now: knob.now, safe: knob.safe ?? null })),
  };
}

function columnsOf({ steady, scaled, rollout }: Columns): object {
  return { steady: numberOf(steady), scaled: numberOf(scaled), rollout: numberOf(rollout) };
}

function numberOf({ low, high, source }: Known): object {
  return { least: low, most: Number.isFinite(high) ? high : null, source };
}

function evidenceOf({ place, says }: Evidence): object {
  return place
    ? {
        says,
        file: place.text.path,
        range: { start: positionAt(place.text, place.range.start), end: positionAt(place.text, place.range.end) },
      }
    : { says };
}
