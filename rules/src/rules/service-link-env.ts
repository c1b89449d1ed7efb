import type { Service, ServicePool } from '../deployment/model.ts';
import type { Report } from '../finding.ts';
import { deploymentRule } from '../rule.ts';
import { type Environment, evaluate, type Setting, type Variable, variablesOf } from '../source/setting.ts';

type MessageId = 'port' | 'url' | 'default';

const injected = 'Kubernetes sets {variable} to "tcp://IP:{port}" in every container, because there is a Service {service}';
const advice = 'Call the variable otherwise, or set it, or set enableServiceLinks: false.';

export default deploymentRule({
  id: 'service-link-env',
  severity: 'warning',
  summary: 'A Service makes Kubernetes set a variable that the application reads as something else.',
  messages: {
    port: `${injected}, and {pool} takes that for its port: its driver refuses it, or goes to its default port. ${advice}`,
    url: `${injected}, and {pool} puts that into its address, which cannot be read then. ${advice}`,
    default: `${injected}. As a number that is NaN, so that {pool} goes to the default port of its driver, whatever is meant. ${advice}`,
  },
  *check({ services }) {
    for (const service of services) for (const pool of service.pools) yield* aboutPool(pool, service);
  },
});

function* aboutPool({ site }: ServicePool, { environment, name }: Service): Iterable<Report<MessageId>> {
  const { port, url } = site.target;
  for (const setting of [port, url]) {
    const message = setting && consequence(setting, environment);
    if (!message) continue;
    for (const variable of variablesOf(setting)) {
      const found = injectedIn(variable, environment);
      if (!found) continue;
      yield {
        at: found.place,
        message,
        ...(message === 'default' && { severity: 'info' }),
        data: { variable, service: found.service ?? '', port: found.value.replace(/^.*:/, ''), pool: site.name ?? `the pool of ${name}` },
        related: [{ at: setting.place, message: `${name} reads ${variable} here` }],
        symbol: variable,
      };
    }
  }
}

/** What becomes of a variable that Kubernetes has set, in a setting that reads it; undefined when it reads none. */
function consequence(setting: Setting, environment: Environment): MessageId | undefined {
  switch (setting.kind) {
    case 'env':
      return injectedIn(setting.name, environment) ? 'port' : undefined;
    case 'number':
      return consequence(setting.of, environment) && 'default';
    case 'arithmetic':
      return (consequence(setting.left, environment) ?? consequence(setting.right, environment)) && 'default';
    case 'text':
      return setting.parts.some((part) => consequence(part, environment)) ? 'url' : undefined;
    case 'fallback':
      return (
        consequence(setting.first, environment) ??
        (isSet(setting.first, environment) ? undefined : consequence(setting.second, environment))
      );
    case 'parameter':
      return undefined;
    case 'check':
      return undefined;
    case 'either':
      return setting.options.map((option) => consequence(option, environment)).find((each) => each !== undefined);
    case 'literal':
    case 'unknown':
      return undefined;
  }
}

function isSet(setting: Setting, environment: Environment): boolean {
  return evaluate(setting, environment)?.every(({ value }) => Boolean(value)) ?? true;
}

type Injected = Extract<Variable, { readonly state: 'set' }>;

/** The variable, when it is one that stands for the address of a Service, which is neither a host nor a port. */
function injectedIn(name: string, environment: Environment): Injected | undefined {
  const variable = environment(name);
  return variable.state === 'set' && variable.service !== undefined && variable.value.startsWith('tcp://') ? variable : undefined;
}
