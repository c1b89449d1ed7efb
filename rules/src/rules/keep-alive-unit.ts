import type { Directive, Level } from '@poolcheck/parsers/nginx/document';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import { placeOf } from '@poolcheck/parsers/text';
import type { Fix, Report } from '../finding.ts';
import { levelsOf } from '../nginx/blocks.ts';
import { replaceWord } from '../nginx/edits.ts';
import { moduleRule } from '../rule.ts';
import type { HttpServer } from '../source/servers.ts';
import { anyEnvironment, evaluate } from '../source/setting.ts';

type MessageId = 'milliseconds' | 'seconds';

export default moduleRule({
  id: 'keep-alive-unit',
  severity: 'warning',
  summary: 'A keep-alive timeout is written in the wrong unit: it ends at once, or hardly ever.',
  messages: {
    milliseconds:
      'keepAliveTimeout is in milliseconds: idle connections are closed after {value} ms, while the proxy still counts on them. {value} s would be {meant}.',
    seconds: '{name} is in seconds: {value} are {hours} hours. {value} ms would be {meant}.',
  },
  *check({ text }, { servers }) {
    for (const server of servers) {
      if (server.keepAliveTimeout?.place.text === text) yield* aboutServer(server);
    }
  },
  *checkNginx({ config }) {
    for (const { level } of levelsOf(config)) yield* aboutLevel(level);
  },
});

/** 0 never closes; a thousand and more may be meant. */
function* aboutServer({ keepAliveTimeout }: HttpServer): Iterable<Report<MessageId>> {
  const outcomes = (keepAliveTimeout && evaluate(keepAliveTimeout, anyEnvironment)) ?? [];
  const values = outcomes.flatMap(({ value }) => (typeof value === 'number' && value > 0 && value < 1_000 ? [value] : []));
  const [value] = values;
  if (!keepAliveTimeout || value === undefined || values.length < outcomes.length) return;
  const meant = String(value * 1_000).replace(/\B(?=(?:\d{3})+$)/g, '_');
  const { place } = keepAliveTimeout;
  const fix: Fix = { title: `Write ${meant}`, safe: false, edits: [{ ...place, insert: meant }] };
  yield { at: place, message: 'milliseconds', data: { value, meant }, fixes: keepAliveTimeout.kind === 'literal' ? [fix] : [] };
}

const names: ReadonlySet<string> = new Set(['keepalive_timeout', 'keepalive_time']);
const hour = 3_600;

function* aboutLevel({ directives }: Level): Iterable<Report<MessageId>> {
  for (const directive of directives) {
    const [word] = names.has(directive.name.value) ? directive.args : [];
    const seconds = word && !word.hole && /^\d+s?$/.test(word.value) ? (parseTime(word.value) ?? 0) / 1_000 : 0;
    if (word && looksLikeMilliseconds(seconds)) yield aboutDirective(directive, word, seconds);
  }
}

/** 10,000 and more in whole thousands, that are no whole hours. */
function looksLikeMilliseconds(seconds: number): boolean {
  return seconds >= 10_000 && seconds % 1_000 === 0 && seconds % hour !== 0;
}

function aboutDirective(directive: Directive, word: Directive['args'][number], seconds: number): Report<MessageId> {
  const meant = `${seconds / 1_000}s`;
  return {
    at: placeOf(directive.text, directive.range),
    message: 'seconds',
    data: { name: directive.name.value, value: seconds, hours: Math.round(seconds / hour), meant },
    fixes: [{ title: `Write ${meant}`, safe: false, edits: [replaceWord(directive, word, meant)] }],
  };
}
