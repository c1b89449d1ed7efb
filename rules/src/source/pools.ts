import type { Place } from '@poolcheck/parsers/text';
import { groupBy } from '../group.ts';
import type { Driver, PoolOptions, Resource } from '../knowledge/driver.ts';
import { type InstalledOptions, installedOptions } from '../knowledge/installed-options.ts';
import { keyName, placeOfNode, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { connectsByItself, givenOptions, madeInside, type Construction, type GivenOptions } from './pool-options.ts';
import { callsIn, ofCall, type Setting } from './setting.ts';
import type { ResourceValue, Sited } from './value.ts';
import type { Values } from './values.ts';

/** Where the source makes a pool, or a single connection of its own. */
export interface PoolSite {
  readonly driver: Driver;
  readonly role: 'pool' | 'connection';
  readonly resource: Resource;
  readonly module: Module;
  /** The construction: `new Pool({…})`. */
  readonly node: Construction;
  /** What is given the options: the construction, or one that it is given. */
  readonly configured: Sited<Construction>;
  readonly place: Place;
  /** The variable, field or property it is kept in, for messages. */
  readonly name: string | undefined;
  /** What its driver knows, in the versions that may be installed. */
  readonly options: InstalledOptions;
  /** undefined: not given, the driver's default holds; `unknown` when the options cannot be read. */
  readonly max: Setting | undefined;
  readonly acquireTimeout: Setting | undefined;
  /** The option object could be read whole: what is not in it is not set. */
  readonly complete: boolean;
  /** All that the options say. */
  readonly given: GivenOptions;
  readonly target: TargetSettings;
}

/** A pool as one call of the function that makes it has it. */
export interface MadePool {
  readonly site: PoolSite;
  /** The modules of the calls that make it; empty when no function makes it for others. */
  readonly calledIn: readonly string[];
}

/** The pools that a function makes, one for each of its calls that differs in what it says of the size and the target. */
export function madePools(site: PoolSite): readonly MadePool[] {
  return withoutRepeats(madeBy({ site, calledIn: [] }, 0));
}

/** Functions that call each other to make a pool are followed so far. */
const deepest = 4;

function madeBy(made: MadePool, depth: number): readonly MadePool[] {
  const { site } = made;
  const calls = new Map(
    settingsOf(site)
      .flatMap(callsIn)
      .map((call) => [call.node, call]),
  );
  if (calls.size === 0 || depth === deepest) return [made];
  return [...calls.values()].flatMap(({ node, path }) => madeBy({ site: siteOfCall(site, node), calledIn: [path] }, depth + 1));
}

function settingsOf({ max, target }: PoolSite): readonly Setting[] {
  return [max, target.url, target.host, target.port, target.database].filter((setting) => setting !== undefined);
}

function siteOfCall(site: PoolSite, call: object): PoolSite {
  const { max, target } = site;
  const of = (setting: Setting | undefined) => setting && ofCall(setting, call);
  return {
    ...site,
    max: of(max),
    target: { url: of(target.url), host: of(target.host), port: of(target.port), database: of(target.database) },
  };
}

/** Calls that say the same may get the same pool. */
function withoutRepeats(made: readonly MadePool[]): readonly MadePool[] {
  const name = ({ site }: MadePool) =>
    JSON.stringify(settingsOf(site), (key, value: unknown) => (key === 'place' || key === 'node' ? undefined : value));
  return [...groupBy(made, name).values()].flatMap(([first, ...others]) =>
    first ? [{ site: first.site, calledIn: [first, ...others].flatMap(({ calledIn }) => calledIn) }] : [],
  );
}

/** Where a pool connects, as the source says. */
export interface TargetSettings {
  readonly url: Setting | undefined;
  readonly host: Setting | undefined;
  readonly port: Setting | undefined;
  readonly database: Setting | undefined;
}

/** The pool or connection that a `new` or call makes, with its options. */
export function poolSiteOf(node: Node, module: Module, values: Values): PoolSite | undefined {
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const made = values.resourceOf(node, module) ?? pluginPool(node, module, values);
  if (!made || made.origin?.node !== node || !isMade(made)) return undefined;
  const { resource } = made;
  const ownOptions = installedOptions(resource.options, values.installedFor(module));
  const own = givenOptions(node, module, ownOptions, values);
  if (!connectsByItself(ownOptions, own, values)) return undefined;
  const inside = madeInside(ownOptions, own, values);
  const configured = inside ?? { node, module };
  const options = inside ? installedOptions(inside.options, values.installedFor(module)) : ownOptions;
  const reader = inside ? givenOptions(inside.node, inside.module, options, values) : own;
  const { max, acquireTimeout, target } = options;
  return {
    driver: made.driver,
    role: resource.role,
    resource,
    module,
    node,
    configured,
    place: placeOfNode(module, node),
    name: nameOfKeeper(node),
    options,
    max: max && reader.option(max.names),
    acquireTimeout: acquireTimeout && reader.option(acquireTimeout.names),
    complete: reader.complete,
    given: reader,
    target: {
      url: reader.url ?? reader.option(target.url),
      host: reader.option(target.host),
      port: reader.option(target.port),
      database: reader.option(target.database),
    },
  };
}

/** What a plugin of a web framework makes. */
function pluginPool(node: PoolSite['node'], module: Module, values: Values): ResourceValue | undefined {
  return node.type === 'CallExpression' ? values.hungByPlugin(node, module)?.value : undefined;
}

type Made = ResourceValue & { readonly resource: Resource & { readonly role: 'pool' | 'connection'; readonly options: PoolOptions } };

function isMade(value: ResourceValue): value is Made {
  return value.resource.role !== 'lease' && value.resource.options !== undefined;
}

/** `module.exports` is no name. */
function nameOfMember(member: TSESTree.MemberExpression): string | undefined {
  const name = propertyName(member);
  return name === 'exports' ? undefined : name;
}

/** What the made thing is kept in: a variable, a field, a property. */
function nameOfKeeper(node: Node): string | undefined {
  const { parent } = node;
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : undefined;
    case 'AssignmentExpression':
      if (parent.left.type === 'Identifier') return parent.left.name;
      return parent.left.type === 'MemberExpression' ? nameOfMember(parent.left) : undefined;
    case 'PropertyDefinition':
    case 'Property':
      return keyName(parent);
    case 'AwaitExpression':
    case 'LogicalExpression':
    case 'ConditionalExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return nameOfKeeper(parent);
    default:
      return undefined;
  }
}
