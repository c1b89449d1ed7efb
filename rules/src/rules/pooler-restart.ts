import type { Pooler } from '../deployment/model.ts';
import type { Report } from '../finding.ts';
import { deploymentRule } from '../rule.ts';
import { isBefore, showVersion, type Version } from '../version.ts';

export default deploymentRule({
  id: 'pooler-restart',
  severity: 'warning',
  summary: 'Restarting a pooler cuts off what runs through it, or does not work at all.',
  messages: {
    cutOff:
      'Kubernetes ends this PgBouncer {version} with SIGTERM, on which it exits at once: whatever runs through it is cut off with each rollout. A preStop hook that sends SIGINT (kill -INT 1) lets transactions end; since 1.23 SIGTERM waits, too.',
    takesOver:
      '-R is gone in PgBouncer 1.26: {version} does not start with it. Run several processes with so_reuseport, and restart one after the other.',
    takesOverSoon:
      '-R is deprecated since PgBouncer 1.20, and 1.26 does not start with it. Run several processes with so_reuseport, and restart one after the other.',
  },
  *check({ poolers }) {
    for (const pooler of poolers) {
      yield* aboutEnd(pooler);
      yield* aboutTakingOver(pooler);
    }
  },
});

/** https://www.pgbouncer.org/changelog.html#pgbouncer-123x */
const waitsOnSigterm: Version = [1, 23, 0];

function* aboutEnd({ name, at, run, version }: Pooler): Iterable<Report<'cutOff'>> {
  if (!run?.endsBySigterm || !version || !isBefore(version, waitsOnSigterm)) return;
  yield { at, message: 'cutOff', data: { version: showVersion(version) }, symbol: name };
}

/** https://www.pgbouncer.org/changelog.html#pgbouncer-120x, #pgbouncer-126x */
function* aboutTakingOver({ name, run, version }: Pooler): Iterable<Report<'takesOver' | 'takesOverSoon'>> {
  if (!run?.takesOver || (version && isBefore(version, [1, 20, 0]))) return;
  const isGone = version && !isBefore(version, [1, 26, 0]);
  yield {
    at: run.takesOver,
    ...(isGone
      ? { message: 'takesOver' as const, severity: 'error' as const, data: { version: showVersion(version) } }
      : { message: 'takesOverSoon' as const, severity: 'info' as const }),
    symbol: name,
  };
}
