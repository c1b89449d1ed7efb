import { lineRange, positionAt, slice, type Place, type Text } from '@poolcheck/parsers/text';
import type { Finding, Fix, Severity } from '@poolcheck/rules/finding';
import packageJson from '../../package.json' with { type: 'json' };
import { open, type Report } from '../report.ts';
import { prose, safeJson } from './neutral.ts';
import { positionOf } from './words.ts';

const severities: Readonly<Record<Severity, string>> = { error: 'ERROR', warning: 'WARNING', info: 'INFO' };

/** Reviewdog's Diagnostic Format: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf */
export function rdjson(report: Report): string {
  return `${safeJson({ source: { name: 'poolcheck', url: packageJson.homepage }, diagnostics: open(report).map(diagnosticOf) })}\n`;
}

function diagnosticOf({ rule, severity, message, at, related, fixes }: Finding): object {
  const steps = related.map((step) => `${positionOf(step.at)} ${prose(step.message)}`);
  return {
    message: [prose(message), ...steps].join('\n'),
    location: locationOf(at),
    severity: severities[severity],
    code: { value: rule },
    suggestions: fixes.slice(0, 1).flatMap((fix) => suggestionOf(fix, at)),
  };
}

/** Suggestions stand in the file of the diagnostic, each for itself: only a fix that is one edit is one. */
function suggestionOf({ edits }: Fix, { text }: Place): readonly object[] {
  const [edit, ...others] = edits;
  return edit && others.length === 0 && edit.text === text ? [{ range: rangeOf(edit), text: edit.insert }] : [];
}

function locationOf(place: Place): object {
  return { path: place.text.path, range: rangeOf(place) };
}

function rangeOf({ text, range }: Place): object {
  return { start: bytePosition(text, range.start), end: bytePosition(text, range.end) };
}

/** Its columns count bytes of UTF-8. */
function bytePosition(text: Text, offset: number): object {
  const { line } = positionAt(text, offset);
  const before = slice(text, { start: lineRange(text, line).start, end: offset });
  return { line, column: Buffer.byteLength(before) + 1 };
}
