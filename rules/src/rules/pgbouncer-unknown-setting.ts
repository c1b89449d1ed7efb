import type { PgbouncerItem } from '@poolcheck/parsers/pgbouncer/document';
import { hasHole } from '@poolcheck/parsers/pgbouncer/holes';
import { placeOf, type Text, type Written } from '@poolcheck/parsers/text';
import type { Report } from '../finding.ts';
import { isKnownTo, pgbouncerSetting } from '../knowledge/pgbouncer.ts';
import { pgbouncerSettings, type PgbouncerSection } from '../knowledge/pgbouncer-settings.ts';
import { versionThatReads } from '../pgbouncer/read.ts';
import { documentRule } from '../rule.ts';
import { isBefore, showVersion, type Version } from '../version.ts';
import { meantBy, namesIn } from './pgbouncer-unknown-setting/meant.ts';

type MessageId = 'setting' | 'parameter' | 'fallback' | 'section' | 'newer' | 'removed';

export default documentRule({
  id: 'pgbouncer-unknown-setting',
  severity: 'error',
  summary: 'PgBouncer does not know a key or a section, and refuses to start.',
  kind: 'pgbouncer',
  messages: {
    setting: 'PgBouncer knows no setting {name} in [pgbouncer], and refuses to start.{meant}',
    parameter: 'PgBouncer knows no {name} in an entry of [{section}], and refuses to start.{meant}',
    fallback: 'PgBouncer knows no {name} in an entry of [databases]: it starts, but refuses the clients that need this fallback.{meant}',
    section: 'PgBouncer knows no section [{name}], and refuses to start.{meant}',
    newer: 'PgBouncer {version} does not know {name} yet, which came with {since}, and refuses to start.',
    removed: 'PgBouncer {version} does not know {name} any more, which went with {until}, and refuses to start.',
  },
  *check({ document }, deployments, versions) {
    const version = versionThatReads(document, deployments, versions);
    for (const item of document.items) yield* reportsOf(item, version);
  },
});

function reportsOf(item: PgbouncerItem, version: Version | undefined): readonly Report<MessageId>[] {
  switch (item.kind) {
    case 'header':
      return aboutSection(item.text, item.name, version);
    case 'setting':
      return aboutKey(item.text, item.key, 'pgbouncer', 'setting', version);
    case 'connection': {
      const message = item.section === 'databases' && item.key.value === '*' ? 'fallback' : 'parameter';
      return item.parameters.flatMap(({ key }) => aboutKey(item.text, key, item.section, message, version));
    }
  }
}

function aboutSection(text: Text, name: Written<string>, version: Version | undefined): readonly Report<MessageId>[] {
  if (hasHole(name.value)) return [];
  const at = placeOf(text, name.range);
  if (!Object.hasOwn(pgbouncerSettings, name.value)) {
    return [
      {
        at,
        message: 'section',
        data: { name: name.value, meant: meantBy(name.value.trim().toLowerCase(), Object.keys(pgbouncerSettings)) },
      },
    ];
  }
  if (name.value !== 'peers' || !hasNoPeers(version)) return [];
  return [{ at, message: 'newer', data: { name: '[peers]', version: showVersion(version), since: '1.19.0' } }];
}

function hasNoPeers(version: Version | undefined): version is Version {
  return version !== undefined && isBefore(version, [1, 19, 0]);
}

/** What stands in quotes or has an address in it is no name: another rule tells. */
const isNoName = /^["']|:\/\//;

function aboutKey(
  text: Text,
  { value: name, range }: Written<string>,
  section: PgbouncerSection,
  message: 'setting' | 'parameter' | 'fallback',
  version: Version | undefined,
): readonly Report<MessageId>[] {
  if (hasHole(name) || isNoName.test(name) || (section === 'peers' && hasNoPeers(version))) return [];
  const at = placeOf(text, range);
  const setting = pgbouncerSetting(section, name);
  if (!setting) return [{ at, message, data: { name, section, meant: meantBy(name, namesIn(section, version), section) } }];
  if (!version || isKnownTo(setting, version)) return [];
  const data = {
    name,
    version: showVersion(version),
    since: showVersion(setting.since),
    until: showVersion(setting.until ?? setting.since),
  };
  return [{ at, message: isBefore(version, setting.since) ? 'newer' : 'removed', data }];
}
