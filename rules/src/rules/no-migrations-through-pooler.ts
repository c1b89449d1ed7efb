import { outermost } from '@poolcheck/parsers/text';
import type { Migration, Target } from '../deployment/model.ts';
import type { MigrationTool } from '../knowledge/migration-tools.ts';
import type { Related, Report, Severity } from '../finding.ts';
import { deploymentRule } from '../rule.ts';
import type { SessionState } from '../sql/session-state.ts';
import { type LostKept, lostKeptIn } from './no-session-state-in-transaction-mode/kept.ts';
import { statesInFile } from './no-migrations-through-pooler/files.ts';

export default deploymentRule({
  id: 'no-migrations-through-pooler',
  severity: 'error',
  summary: 'Migrations run through a pooler that gives every transaction another session, while they need one of their own.',
  messages: {
    lock: '{tool} runs through {pooler} in {mode} mode: the lock that it holds for its session ({function}) stays on whichever server connection was lent for it. Two runs can migrate at the same time, and unlocking may reach another connection: then the next run waits for a lock that nobody gives back. {fix}',
    unlocked:
      '{tool} runs through {pooler} in {mode} mode, which takes the lock that it holds for its session ({function}) away after each transaction: two runs can migrate at the same time. {fix}',
    file: '{tool} runs this through {pooler} in {mode} mode: {statement} stays on whichever server connection is lent for it, so that what follows may not have it, and other clients do. {fix}',
  },
  *check(deployment) {
    const seen = new Set<string>();
    for (const report of [...deployment.migrations.flatMap(reportsOf), ...lostKeptIn(deployment, 'lock').map(reportOfLibrary)]) {
      const { text, range } = outermost(report.at);
      const key = `${text.path}:${range.start}`;
      if (!seen.has(key)) yield report;
      seen.add(key);
    }
  },
});

type PoolerTarget = Extract<Target, { kind: 'pooler' }>;
type Message = 'lock' | 'unlocked' | 'file';

const sessionLock: SessionState = { kind: 'lock', statement: 'pg_advisory_lock', undoes: false, parameter: undefined };

function reportsOf(migration: Migration): readonly Report<Message>[] {
  const { target, lock } = migration;
  if (target?.kind !== 'pooler' || target.entry.mode.value === 'session') return [];
  return lock === undefined ? reportsOfFiles(migration, target) : reportsOfLock(migration, target);
}

/** The mode is only assumed where the customer of a provider may have chosen another. */
function severityFor({ entry }: PoolerTarget): Severity {
  return entry.mode.source === 'assumed' ? 'warning' : 'error';
}

function reportOfLibrary({ kept, site, target }: LostKept): Report<Message> {
  const { pooler, entry } = target;
  const isMadeThere = kept.place.range.start === site.place.range.start;
  return {
    at: kept.place,
    message: messageFor(target) ?? 'lock',
    severity: severityFor(target),
    data: {
      tool: kept.by,
      pooler: pooler.name,
      mode: entry.mode.value,
      function: kept.keeps.statement,
      fix: 'Give it a connection that goes to PostgreSQL directly, or through an entry in session mode.',
    },
    related: [...(isMadeThere ? [] : [{ at: site.place, message: `${site.name ?? 'its connection'} is made here` }]), ...wayOf(target)],
  };
}

function reportsOfLock({ tool, at, lock = '' }: Migration, target: PoolerTarget): readonly Report<Message>[] {
  const { pooler, entry } = target;
  const message = messageFor(target);
  if (!message) return [];
  return [
    {
      at,
      message,
      severity: severityFor(target),
      data: { tool: tool.name, pooler: pooler.name, mode: entry.mode.value, function: lock, fix: fixFor(tool) },
      related: wayOf(target),
    },
  ];
}

function messageFor({ pooler }: PoolerTarget): 'lock' | 'unlocked' | undefined {
  const fate = pooler.behaviour.lost(sessionLock);
  return fate && (fate === 'stays' ? 'lock' : 'unlocked');
}

function fixFor({ remedy }: MigrationTool): string {
  return `Let it connect to PostgreSQL directly, or through an entry in session mode: ${remedy}.`;
}

/** Once for each file, at the first of its statements. */
function reportsOfFiles({ tool, at, files }: Migration, target: PoolerTarget): readonly Report<Message>[] {
  const { pooler, entry } = target;
  return files.flatMap((file) => {
    const [first, ...others] = statesInFile(file, pooler.behaviour);
    if (!first) return [];
    const more = others.length === 0 ? '' : others.length === 1 ? ' (and one more)' : ` (and ${others.length} more)`;
    return [
      {
        at: first.place,
        message: 'file' as const,
        severity: severityFor(target),
        data: {
          tool: tool.name,
          pooler: pooler.name,
          mode: entry.mode.value,
          statement: `${first.state.statement}${more}`,
          fix: fixFor(tool),
        },
        related: [{ at, message: `${tool.name} is started here` }, ...wayOf(target)],
      },
    ];
  });
}

/** What says where it connects, and the mode. */
function wayOf({ pooler, entry, evidence }: PoolerTarget): readonly Related[] {
  return [...evidence, entry.mode.evidence].flatMap((each) =>
    each.place ? [{ at: each.place, message: each === entry.mode.evidence ? `${pooler.name}: ${each.says}` : each.says }] : [],
  );
}
