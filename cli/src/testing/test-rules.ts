import { placeOf, type Place, type Text } from '@poolcheck/parsers/text';
import { documentRule, moduleRule, type Rule } from '@poolcheck/rules/rule';

/** Rules that say nothing but what a test of the command needs said. */
export const testRules: readonly Rule[] = [
  moduleRule({
    id: 'no-pool',
    severity: 'error',
    summary: 'A pool is made.',
    messages: { made: 'A pool is made here.' },
    *check({ text }) {
      for (const at of placesOf(text, 'new Pool(')) yield { at, message: 'made' };
    },
  }),
  documentRule({
    id: 'no-pgbouncer',
    kind: 'pgbouncer',
    severity: 'warning',
    summary: 'PgBouncer is configured.',
    messages: { used: 'PgBouncer is used.' },
    *check({ text }) {
      for (const at of placesOf(text, '[pgbouncer]')) yield { at, message: 'used' };
    },
  }),
  moduleRule({
    id: 'no-client',
    severity: 'info',
    summary: 'A client is made.',
    messages: { made: 'A client is made here.' },
    *check({ text }) {
      for (const at of placesOf(text, 'new Client(')) yield { at, message: 'made' };
    },
  }),
];

function* placesOf(text: Text, words: string): Iterable<Place> {
  for (let start = text.content.indexOf(words); start >= 0; start = text.content.indexOf(words, start + 1)) {
    yield placeOf(text, { start, end: start + words.length });
  }
}
