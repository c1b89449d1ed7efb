import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import type { Connection, PgbouncerDocument, PgbouncerItem, Setting } from '@poolcheck/parsers/pgbouncer/document';
import { placeOf, type Problem, type Text } from '@poolcheck/parsers/text';
import type { Report } from '../finding.ts';
import { pgbouncerSetting } from '../knowledge/pgbouncer.ts';
import { placeOfValue, versionThatReads } from '../pgbouncer/read.ts';
import { documentRule } from '../rule.ts';
import { isBefore, type Version } from '../version.ts';
import { misreadParameters } from './pgbouncer-invalid-value/parameter.ts';
import { misreadSetting } from './pgbouncer-invalid-value/setting.ts';

type MessageId = 'syntax' | 'refused' | 'empty' | 'misread' | 'reset' | 'quotedKey' | 'nowhere';

export default documentRule({
  id: 'pgbouncer-invalid-value',
  severity: 'error',
  summary: 'PgBouncer refuses a line of its file, or reads it otherwise than it is meant.',
  kind: 'pgbouncer',
  messages: {
    syntax: '{problem}',
    refused: 'PgBouncer refuses {name} = {value}, and does not start: {reason}',
    empty: 'PgBouncer refuses {name} without a value, and does not start.',
    misread: '{name} = {value} is not read as it is meant: {reason}',
    reset:
      'This second [pgbouncer] sets every setting of the section back to its default: {names} {are} lost. Put all settings under one header.',
    quotedKey: 'A key in quotes is refused before PgBouncer 1.25.',
    nowhere: 'Neither listen_addr nor unix_socket_dir says where to listen: PgBouncer does not start.',
  },
  *check({ text, document, problems }, deployments, versions) {
    const version = versionThatReads(document, deployments, versions);
    yield* syntaxErrors(text, document, problems);
    yield* resets(document);
    yield* nowhereToListen(document);
    for (const item of document.items) {
      if (item.kind === 'setting') yield* aboutSetting(item);
      if (item.kind === 'connection') yield* aboutConnection(item);
      if (item.kind !== 'header') yield* aboutKey(item, version);
    }
  },
});

/** An unknown section is the matter of another rule. */
function syntaxErrors(text: Text, { items }: PgbouncerDocument, problems: readonly Problem[]): readonly Report<MessageId>[] {
  const headers = items.flatMap((item) => (item.kind === 'header' ? [item.name.range.start] : []));
  const values = items.flatMap((item) => (item.kind === 'connection' && misreadParameters(item).length > 0 ? [item.value.range] : []));
  return problems
    .filter(({ fatal, range }) => fatal === true && !headers.includes(range.start))
    .filter(({ range }) => !values.some(({ start, end }) => start <= range.start && range.end <= end))
    .map((problem) => ({ at: placeOf(problem.text ?? text, problem.range), message: 'syntax', data: { problem: problem.message } }));
}

/** The settings before a further header of the section, which go back to their defaults with it. */
function resets({ items, settings }: PgbouncerDocument): readonly Report<MessageId>[] {
  return items.flatMap((item, index) => {
    if (item.kind !== 'header' || item.name.value !== 'pgbouncer') return [];
    const before = items.slice(0, index).filter((each): each is Setting => each.kind === 'setting');
    const lost = before.filter((setting) => !hasHole(setting.key.value) && ![...settings.values()].includes(setting));
    const again = new Set(items.slice(index).flatMap((each) => (each.kind === 'setting' ? [each.key.value] : [])));
    const names = [...new Set(lost.map(({ key }) => key.value))].filter((name) => !again.has(name));
    if (names.length === 0) return [];
    const related = lost.filter(({ key }) => names.includes(key.value)).map((setting) => ({ at: placeOfValue(setting), message: 'lost' }));
    return [
      {
        at: placeOf(item.text, item.name.range),
        message: 'reset',
        data: { names: names.join(', '), are: names.length > 1 ? 'are' : 'is' },
        related,
      },
    ];
  });
}

function nowhereToListen({ settings, complete }: PgbouncerDocument): readonly Report<MessageId>[] {
  const sockets = settings.get('unix_socket_dir');
  const address = settings.get('listen_addr');
  const isNowhere = complete && sockets?.value.value === '' && (address?.value.value ?? '') === '';
  return isNowhere ? [{ at: placeOf(sockets.text, sockets.key.range), message: 'nowhere' }] : [];
}

function aboutSetting(item: Setting): readonly Report<MessageId>[] {
  const { key, value } = item;
  const setting = pgbouncerSetting('pgbouncer', key.value);
  const misread = setting && !hasHole(value.value) ? misreadSetting(setting, value.value) : undefined;
  if (!misread) return [];
  if (value.value === '') return [{ at: placeOf(item.text, key.range), message: 'empty', data: { name: key.value } }];
  return [{ at: placeOfValue(item), message: misread.kind, data: { name: key.value, value: value.value, reason: misread.reason } }];
}

function aboutConnection(item: Connection): readonly Report<MessageId>[] {
  return misreadParameters(item).map(({ name, value, range, kind, reason }) => ({
    at: placeOf(item.text, range),
    message: kind,
    data: { name, value, reason },
  }));
}

function aboutKey({ text, key }: Exclude<PgbouncerItem, { kind: 'header' }>, version: Version | undefined): readonly Report<MessageId>[] {
  return key.quoted && version && isBefore(version, [1, 25, 0]) ? [{ at: placeOf(text, key.range), message: 'quotedKey' }] : [];
}
