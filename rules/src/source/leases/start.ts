import type { Resource } from '../../knowledge/driver.ts';
import { bare, propertyName } from '../module.ts';
import type { Node, Variable } from '../module.ts';
import type { ResourceValue } from '../value.ts';
import type { Values } from '../values.ts';
import { boundProperty } from './consumer.ts';
import type { Start } from './exploration.ts';
import { ownMember } from './members.ts';
import { isWithin, type LeaseSite } from './sites.ts';

/** Where following a lease begins; `dropped` when nothing keeps it, undefined when somebody else has it from the start. */
export function startOf(site: LeaseSite, values: Values): Start | 'dropped' | undefined {
  const holding = holderOf(site) ?? keptIn(site, values);
  if (holding === 'dropped' || !holding) return holding;
  const { fn, lease, node, taken, callback } = site;
  return callback
    ? { fn, lease, taken: undefined, call: undefined, ...holding, error: callback.error, releaser: callback.release, isCallback: true }
    : { fn, lease, taken, call: taken.type === 'AwaitExpression' ? bare(taken.argument) : node, ...holding, isCallback: false };
}

type Holder = Pick<Start, 'holder' | 'releaser' | 'member'>;

function keptIn(site: LeaseSite, values: Values): Holder | undefined {
  const member = ownMember(site, values);
  return member && { holder: undefined, member };
}

/** What holds the lease in its function; undefined when somebody else has it. */
function holderOf({ consumer, lease, fn, module }: LeaseSite): Holder | 'dropped' | undefined {
  const methodOf = (name: string | undefined) => (name === undefined ? undefined : lease.resource.methods[name]);
  switch (consumer.kind) {
    case 'dropped':
      return 'dropped';
    case 'then':
      return consumer.parameter ? { holder: consumer.parameter } : 'dropped';
    case 'member':
      return isUsed(propertyName(consumer.member), lease) ? 'dropped' : undefined;
    case 'pattern': {
      const releaser = boundProperty(consumer.pattern, (name) => methodOf(name)?.does === 'release', module);
      return releaser && { holder: undefined, releaser };
    }
    case 'variable':
      return isLocal(consumer.variable, fn) && !isDisposed(consumer.variable) ? { holder: consumer.variable } : undefined;
    default:
      return undefined;
  }
}

/** Whether a member of a lease works with it without handing it on: what is taken for that alone, nobody can give back. */
function isUsed(name: string | undefined, { driver, resource: { methods, properties = {} } }: ResourceValue): boolean {
  if (name === undefined) return false;
  const part = Object.hasOwn(properties, name) ? driver.resources[properties[name] ?? ''] : undefined;
  return methods[name]?.does === 'query' || (part !== undefined && !canEnd(part));
}

function canEnd({ methods, properties }: Resource): boolean {
  return properties !== undefined || Object.values(methods).some(({ does }) => does === 'release' || does === 'close');
}

function isLocal(variable: Variable, fn: Node): boolean {
  const [declared] = variable.identifiers;
  return declared !== undefined && isWithin(declared, fn);
}

function isDisposed(variable: Variable): boolean {
  const declaration = variable.defs[0]?.node.parent;
  return declaration?.type === 'VariableDeclaration' && /using$/.test(declaration.kind);
}
