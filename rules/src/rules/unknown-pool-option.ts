import { asRelated, type Fix } from '../finding.ts';
import type { UnknownOption } from '../knowledge/driver.ts';
import type { InstalledOptions } from '../knowledge/installed-options.ts';
import type { Meaning } from '../knowledge/options.ts';
import { showDefaultSize } from '../knowledge/size.ts';
import { moduleRule } from '../rule.ts';
import { placeOfNode } from '../source/module.ts';
import type { WrittenOption } from '../source/pool-options.ts';
import type { PoolSite } from '../source/pools.ts';
import { unknownOptions } from '../source/unknown-options.ts';

export default moduleRule({
  id: 'unknown-pool-option',
  severity: 'warning',
  summary: 'A pool is given an option that its driver does not know, so it never applies.',
  messages: {
    size: '{option} is no option of {driver}, {reaction}: {pool} has up to {size} connections, whatever its value. {hint}',
    wait: '{option} is no option of {driver}, {reaction}: once all connections are taken, callers wait for ever. {hint}',
    meant: '{option} is no option of {driver}, {reaction}. {hint}',
    unknown: '{option} is no option of {driver}, {reaction}.',
    later: '{option} came with {release}, but {installed} is installed, {reaction}.',
  },
  *check(module, program) {
    for (const site of program.poolsIn(module)) {
      for (const { written, object, meaning, later } of unknownOptions(site)) {
        yield {
          at: written.module === module ? placeOfNode(module, written.key) : site.place,
          message: later ? 'later' : messageFor(meaning, site),
          data: {
            option: object === '' ? written.name : `${object}.${written.name}`,
            driver: site.driver.name,
            reaction: reactionOf(site.options),
            release: later?.since.replace('@', ' ') ?? '',
            installed: later?.installed.name ?? '',
            pool: site.name ?? 'the pool',
            size: showDefaultSize(site.options.max),
            hint: meaning ? hintFor(meaning, site) : '',
          },
          fixes: rename(written, meaning),
          related: later ? asRelated([later.installed.evidence]) : [],
          symbol: site.name ?? '',
        };
      }
    }
  },
});

const reactions: Readonly<Record<UnknownOption, string>> = {
  ignored: 'ignores it',
  'ignored with a warning': 'prints a warning and ignores it',
  refused: 'throws an error because of it',
};

/** What it does in the versions that may be installed. */
function reactionOf({ unknownOption }: InstalledOptions): string {
  return `which ${unknownOption.map((each) => reactions[each]).join(' or, in later versions, ')}`;
}

function messageFor(meaning: Meaning | undefined, { max, acquireTimeout, options }: PoolSite): 'size' | 'wait' | 'meant' | 'unknown' {
  if (!meaning) return 'unknown';
  if (meaning.subject === 'max' && !max && options.max) return 'size';
  const waits = !options.acquireTimeout || options.acquireTimeout.default === null;
  return meaning.subject === 'acquireTimeout' && !acquireTimeout && waits ? 'wait' : 'meant';
}

function hintFor({ elsewhere, option }: Meaning, { driver }: PoolSite): string {
  if (!elsewhere) return `Did you mean ${option}?`;
  return `Other drivers have it; ${driver.name} ${option === undefined ? 'has no such option' : `calls it ${option}`}.`;
}

function rename({ module, key }: WrittenOption, meaning: Meaning | undefined): readonly Fix[] {
  if (!meaning?.renamable || meaning.option === undefined) return [];
  const range = { start: key.range[0], end: key.range[1] };
  return [{ title: `Rename it to ${meaning.option}`, safe: false, edits: [{ text: module.text, range, insert: meaning.option }] }];
}
