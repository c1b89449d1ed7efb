import type { ForeignPool, Target } from '../deployment/model.ts';
import { startupParametersOf, type StartupParameter } from '../deployment/services/startup-parameters.ts';
import { asRelated, type Related, type Report } from '../finding.ts';
import type { StartupFate } from '../knowledge/pgbouncer.ts';
import { deploymentRule } from '../rule.ts';

export default deploymentRule({
  id: 'unsupported-startup-parameter',
  severity: 'error',
  summary: 'A driver sends the pooler a startup parameter that it refuses, or drops without a word.',
  messages: {
    refused:
      '{subject} {parameter} when it connects, which {pooler} refuses: every connection fails with "unsupported startup parameter". {fix}',
    refusedByItself:
      '{driver} behind {pool} sends {parameter} when it connects, which {pooler} refuses: every connection fails with "unsupported startup parameter". Add {parameter} to ignore_startup_parameters: nothing is lost with it.',
    dropped: '{subject} {parameter} when it connects, which {pooler} drops without a word: it is never in effect. {fix}',
  },
  *check({ services }) {
    const seen = new Set<string>();
    for (const { environment, pools, foreignPools } of services) {
      for (const pool of foreignPools) yield* aboutForeign(pool);
      for (const { site, target } of pools) {
        if (target?.kind !== 'pooler') continue;
        for (const parameter of startupParametersOf(site, environment)) {
          const fate = target.pooler.behaviour.startup(parameter.name, parameter.value);
          const key = `${parameter.place.text.path}:${parameter.place.range.start}:${parameter.name}`;
          if ((fate !== 'refused' && fate !== 'dropped') || seen.has(key)) continue;
          seen.add(key);
          yield {
            at: parameter.place,
            message: fate,
            ...(fate === 'dropped' && { severity: 'warning' }),
            data: {
              subject: parameter.byDefault ? `${site.driver.name} by itself sends` : `${site.name ?? 'This pool'} sends`,
              parameter: parameter.name,
              pooler: target.pooler.name,
              fix: fixFor(parameter, fate),
            },
            related: wayOf(target),
          };
        }
      }
    }
  },
});

/** The version of its driver is not seen. */
function* aboutForeign({ name, place, driver, target }: ForeignPool): Iterable<Report<'refusedByItself'>> {
  if (target?.kind !== 'pooler') return;
  const refused = driver?.sends.find((parameter) => target.pooler.behaviour.startup(parameter, undefined) === 'refused');
  if (!driver || refused === undefined) return;
  yield {
    at: place,
    message: 'refusedByItself',
    severity: 'warning',
    data: { driver: driver.name, pool: name, parameter: refused, pooler: target.pooler.name },
    related: wayOf(target),
  };
}

function fixFor({ name, byDefault }: StartupParameter, fate: StartupFate): string {
  const forAll = name === 'options' ? 'Set what it holds with ALTER ROLE … SET' : `Set it with ALTER ROLE … SET ${name} = …`;
  const instead = byDefault ? `${forAll}, and turn it off here.` : `${forAll}, and leave it out here.`;
  return fate === 'refused' ? `${instead} In ignore_startup_parameters, it would be dropped instead.` : instead;
}

/** What says where it connects, and what the pooler is told of startup parameters. */
function wayOf({ pooler, evidence }: Extract<Target, { kind: 'pooler' }>): readonly Related[] {
  const told = pooler.behaviour.startupTold;
  return [...asRelated(evidence), ...(told ? [{ at: told, message: `${pooler.name}: the parameters that it drops` }] : [])];
}
