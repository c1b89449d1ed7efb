import type { PoolerEntry, PreparedFate, ServicePool, Target } from '../deployment/model.ts';
import { asRelated, type Related, type Severity } from '../finding.ts';
import { deploymentRule } from '../rule.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Prepared } from '../source/prepared.ts';
import { alwaysIs } from '../source/setting.ts';

export default deploymentRule({
  id: 'prepared-statements-in-transaction-mode',
  severity: 'error',
  summary: 'Statements are prepared through a pooler that runs each transaction on another connection, where they do not exist.',
  messages: {
    named:
      'This query has a name, so it is prepared on one server connection and later run by that name, but {pooler} in {mode} mode lends another one: "prepared statement … does not exist". {fix}',
    tagged:
      '{name} prepares every query on one server connection and later runs it by its name, but {pooler} in {mode} mode lends another one, where it does not exist: queries fail, or never settle. {fix}',
    unknown:
      '{subject} through {pooler} in {mode} mode, which only works from PgBouncer 1.24 on, unless max_prepared_statements is set: its version is not known.',
  },
  *check({ services }) {
    const seen = new Set<unknown>();
    for (const pool of services.flatMap(({ pools }) => pools)) {
      const { site, target } = pool;
      if (target?.kind !== 'pooler' || target.entry.mode.value === 'session') continue;
      const { prepared } = target.pooler.behaviour;
      if (prepared.carried === true || prepared.carried === undefined) continue;
      for (const { at, key, by } of preparationsOf(pool)) {
        if (seen.has(key)) continue;
        seen.add(key);
        yield {
          at,
          message: prepared.carried !== false ? 'unknown' : by === 'named' ? by : 'tagged',
          severity: severityOf(prepared, target.entry),
          data: {
            pooler: target.pooler.name,
            mode: target.entry.mode.value,
            name: site.name ?? 'this pool',
            subject: by === 'named' ? 'This query is prepared' : `${site.name ?? 'this pool'} prepares every query`,
            fix: fixFor(by, prepared),
          },
          related: wayOf(site, target),
        };
      }
    }
  },
});

function severityOf({ carried }: PreparedFate, { mode }: PoolerEntry): Severity {
  if (carried !== false) return 'info';
  return mode.source === 'assumed' ? 'warning' : 'error';
}

interface Preparation {
  readonly at: Prepared['place'];
  readonly key: unknown;
  /** `engine`: all that goes through the pool, by what it connects with. */
  readonly by: Prepared['by'] | 'engine';
}

/** Each named query; for all that a tag sends, the pool. */
function preparationsOf({ site, prepared, parameters }: ServicePool): readonly Preparation[] {
  if (preparesByEngine(site, parameters)) return [{ at: site.place, key: site.node, by: 'engine' }];
  const inProduction = prepared.filter(({ module }) => module.role === 'production');
  const named = inProduction.filter(({ by }) => by === 'named').map(({ place, by }) => ({ at: place, key: place, by }));
  const isTagged = inProduction.some(({ by }) => by === 'tagged') && preparesTagged(site);
  return isTagged ? [...named, { at: site.place, key: site.node, by: 'tagged' }] : named;
}

/** Unless its URL says that it does not, or it has a driver of its own. */
function preparesByEngine({ options: { engine }, given }: PoolSite, parameters: ServicePool['parameters']): boolean {
  if (!engine || !given.complete || given.at(engine.unless) !== undefined) return false;
  const [name, value] = engine.preparesUnless;
  return parameters.get(name) !== value;
}

/** Unless an option says that it does not. */
function preparesTagged({ options, given }: PoolSite): boolean {
  if (options.prepares === undefined) return false;
  const setting = given.option([options.prepares]);
  return setting ? alwaysIs(setting, [true]) : given.complete;
}

const fixes = { named: 'Leave out the name', tagged: 'Set prepare: false', engine: 'Add pgbouncer=true to its URL' } as const;

function fixFor(by: Preparation['by'], { remedy }: PreparedFate): string {
  const here = fixes[by];
  return remedy === undefined ? `${here}.` : `${here}, or ${remedy}.`;
}

/** The pool, what says where it connects, the mode, and what the pooler is told of prepared statements. */
function wayOf({ place, name, role }: PoolSite, { pooler, entry, evidence }: Extract<Target, { kind: 'pooler' }>): readonly Related[] {
  const { told } = pooler.behaviour.prepared;
  return [
    { at: place, message: `${name ?? `the ${role}`} is made here` },
    ...asRelated(evidence),
    ...(entry.mode.evidence.place ? [{ at: entry.mode.evidence.place, message: `${pooler.name}: ${entry.mode.evidence.says}` }] : []),
    ...(told?.place ? [{ at: told.place, message: `${pooler.name}: ${told.says}` }] : []),
  ];
}
