import { hostOf, type LeaseSite } from '../../source/leases/sites.ts';
import type { Module } from '../../source/module.ts';
import { connectionsBehind } from '../../source/pool-behind.ts';
import type { Program } from '../../source/program.ts';
import type { Sending } from '../../source/statements.ts';
import { localSettingOf } from '../../sql/session-state.ts';
import { statesAfter } from './after.ts';
import { controlsTransaction } from './shared.ts';

interface LocalSetting {
  readonly sending: Sending;
  readonly setting: string;
}

/** The settings for a transaction that are sent without one. */
export function localSettingsIn(module: Module, sendings: readonly Sending[], program: Program): readonly LocalSetting[] {
  if (program.hasAmbientTransactions) return [];
  const settings = sendings.flatMap((sending) => {
    const setting = settingAlone(sending);
    return setting === undefined ? [] : [{ sending, setting }];
  });
  if (settings.length === 0) return [];
  const sites = program.leases.in(module);
  const begun = new Set(
    sendings.filter((sending) => sending.through === 'pool' && controlsTransaction(sending)).map(({ call }) => hostOf(call)),
  );
  return settings.filter(({ sending }) =>
    sending.through === 'pool'
      ? connectionsBehind(sending.receiver, program.values) !== 1 && !begun.has(hostOf(sending.call))
      : sites.some((site) => isOutsideTransaction(sending, site, program)),
  );
}

/** A string of several statements is a transaction of its own. */
function settingAlone({ statements, dialect }: Sending): string | undefined {
  const [statement, ...others] = statements;
  return statement && others.length === 0 ? localSettingOf(statement, dialect) : undefined;
}

/** Whether a lease has no transaction whenever it is sent, and nothing before it could have begun one unseen. */
function isOutsideTransaction(sending: Sending, site: LeaseSite, program: Program): boolean {
  if (site.fn !== hostOf(sending.call) || isTransaction(site)) return false;
  const exploration = program.leases.exploration(site);
  if (!exploration || exploration === 'dropped') return false;
  const at = statesAfter(sending.call, exploration);
  return at.length > 0 && at.every(({ transaction }) => transaction === undefined) && !mayHaveBegun(sending, site);
}

/** What is given back by COMMIT or ROLLBACK. */
function isTransaction({ lease: { resource } }: LeaseSite): boolean {
  return Object.values(resource.methods).some((method) => method.does === 'release' && method.settles !== undefined);
}

function mayHaveBegun({ call }: Sending, { node, module }: LeaseSite): boolean {
  return /\b(begin|transaction)/i.test(module.text.content.slice(node.range[1], call.range[0]));
}
