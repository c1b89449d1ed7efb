import type { Deployment, Service } from '../../deployment/model.ts';
import type { Related } from '../../finding.ts';
import { defaultSize, sizeRead } from '../../knowledge/size.ts';
import type { PoolSite } from '../../source/pools.ts';
import { anyEnvironment, evaluate, variablesOf, type Environment, type Literal, type Outcome, type Setting } from '../../source/setting.ts';
import { effectOf, servicesOf, type SizeFault } from './fault.ts';

/** The first size that a pool may be given and that its driver misreads: everywhere, whenever its variables are set, or in one service. */
export function misreadSize(site: PoolSite, deployments: readonly Deployment[]): SizeFault | undefined {
  const { max, options } = site;
  if (!max || !options.max) return undefined;
  for (const situation of situationsOf(site, max, deployments)) {
    for (const outcome of evaluate(max, situation.environment) ?? []) {
      const read = sizeRead(outcome.value, options.max);
      if (read === undefined || !isMisread(outcome.value, read) || (situation === byDefault && Number.isNaN(outcome.value))) continue;
      const effect = effectOf(read, defaultSize(options.max));
      if (effect === 'default' && situation.isUnset) continue;
      return {
        effect,
        // A limit that is written as 0 is most often meant to be none.
        severity: effect === 'default' || (effect === 'unlimited' && outcome.value === 0) ? 'warning' : 'error',
        written: situation.inWords(outcome.value),
        related: situation.related(outcome),
      };
    }
  }
  return undefined;
}

function isMisread(value: Literal, read: number | 'refused'): boolean {
  if (value === undefined || value === null) return false;
  return read === 0 || value === '' || read !== Math.ceil(Number(value));
}

/** In which environment a size is read. */
interface Situation {
  readonly environment: Environment;
  /** It leaves out a variable that the size is made of. */
  readonly isUnset: boolean;
  inWords(value: Literal): string;
  related(outcome: Outcome): readonly Related[];
}

function situationsOf(site: PoolSite, max: Setting, deployments: readonly Deployment[]): readonly Situation[] {
  const variables = variablesOf(max);
  return [
    { environment: anyEnvironment, isUnset: false, inWords, related: () => [] },
    wellMeant(site, variables),
    ...(hasDefault(max) ? [byDefault] : []),
    ...servicesOf(site, deployments).map((service) => inService(service, variables)),
  ];
}

function wellMeant({ place }: PoolSite, variables: readonly string[]): Situation {
  return {
    environment: () => ({ state: 'set', value: '20', place }),
    isUnset: false,
    inWords: (value) => (typeof value === 'string' ? `the text of ${variables.join(' or ')}` : inWords(value)),
    related: () => [],
  };
}

/** Without its variables, as far as the source says what holds then. */
const byDefault: Situation = {
  environment: () => ({ state: 'unset' }),
  isUnset: false,
  inWords: (value) => `${inWords(value)} by default`,
  related: () => [],
};

function hasDefault(setting: Setting): boolean {
  return setting.kind === 'fallback' || (setting.kind === 'number' && hasDefault(setting.of));
}

function inService({ environment, name }: Service, variables: readonly string[]): Situation {
  const unset = variables.filter((variable) => environment(variable).state === 'unset');
  const isUnset = unset.length > 0;
  return {
    environment,
    isUnset,
    inWords: (value) => (isUnset ? `${inWords(value)} (${name} does not set ${unset.join(' and ')})` : inWords(value)),
    related: ({ places: [first] }) => (first && !isUnset ? [{ at: first, message: `set here for ${name}` }] : []),
  };
}

function inWords(value: Literal): string {
  if (typeof value !== 'string') return String(value);
  return value.trim() === '' ? 'an empty text' : `the text '${value}'`;
}
