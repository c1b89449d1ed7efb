import { bare, propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { isProcessEnv, type MemberRead, memberReadBy } from './process-env.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** A variable of the environment that a schema has looked at. */
export interface Validated {
  readonly type: 'text' | 'number';
  /** What it is when it is not set. */
  readonly otherwise: Sited | undefined;
  /** An empty one counts as not set. */
  readonly emptyIsUnset: boolean;
}

/**
 * What Zod makes of a variable: `z.object({ DATABASE_URL: z.url() }).parse(process.env).DATABASE_URL`, alone or in T3 Env; undefined for
 * anything else, and for a schema that may make something else of it. https://zod.dev/api, https://env.t3.gg/docs/core
 */
export function validatedVariable({ object, name }: MemberRead, module: Module, values: Values): Validated | undefined {
  const at = values.follow(object, module);
  if (at.node.type !== 'CallExpression') return undefined;
  const call = { node: at.node, module: at.module };
  const schema = parsedBy(call, values) ?? createdBy(call, name, values);
  const field = schema && values.property(schema.fields, name);
  return field && field !== 'unknown' ? fieldOf(stepsOf(field.node, field.module, values), schema.emptyIsUnset) : undefined;
}

interface Schema {
  readonly fields: Sited<TSESTree.ObjectExpression>;
  readonly emptyIsUnset: boolean;
}

/** `z.object({ … }).parse(process.env)` */
function parsedBy({ node, module }: Sited<TSESTree.CallExpression>, values: Values): Schema | undefined {
  if (node.callee.type !== 'MemberExpression' || propertyName(node.callee) !== 'parse') return undefined;
  const [input] = node.arguments;
  if (!input || !isProcessEnv(input, module, values)) return undefined;
  const [made, ...refined] = stepsOf(node.callee.object, module, values) ?? [];
  const fields = made?.given && /^(strict|loose)?object$/i.test(made.name) ? objectAt(made.given, values) : undefined;
  return fields && refined.every((step) => keepsFields.has(step.name)) ? { fields, emptyIsUnset: false } : undefined;
}

/** `createEnv({ server: { … }, runtimeEnv: process.env })` */
function createdBy({ node, module }: Sited<TSESTree.CallExpression>, name: string, values: Values): Schema | undefined {
  const exported = values.exportOf(node.callee, module);
  const [given] = node.arguments;
  if (!given || exported?.path !== 'createEnv' || !/^@t3-oss\/env-(core|nextjs)$/.test(exported.package)) return undefined;
  const options = objectAt({ node: given, module }, values);
  const option = (key: string) => {
    const found = options && values.property(options, key);
    return found === 'unknown' ? undefined : found;
  };
  const server = option('server');
  const fields = server && objectAt(server, values);
  const runtime = option('runtimeEnv');
  const isFromEnvironment = runtime ? gives(runtime, name, values) : option('experimental__runtimeEnv') !== undefined;
  return fields && isFromEnvironment ? { fields, emptyIsUnset: option('emptyStringAsUndefined') !== undefined } : undefined;
}

/** `process.env`, or an object that has the variable by its own name. */
function gives({ node, module }: Sited, name: string, values: Values): boolean {
  if (isProcessEnv(node, module, values)) return true;
  const object = objectAt({ node, module }, values);
  const value = object && values.property(object, name);
  if (!value || value === 'unknown') return false;
  const at = values.follow(value.node, value.module);
  const read = memberReadBy(at);
  return read?.name === name && isProcessEnv(read.object, at.module, values);
}

function objectAt(at: Sited, values: Values): Sited<TSESTree.ObjectExpression> | undefined {
  const { node, module } = values.follow(at.node, at.module);
  return node.type === 'ObjectExpression' ? { node, module } : undefined;
}

function fieldOf(steps: readonly Step[] | undefined, emptyIsUnset: boolean): Validated | undefined {
  const names = (steps ?? []).filter(({ name }) => !checks.has(name)).map(({ name }) => name);
  const type = types.get(names.join('.'));
  return type && { type, otherwise: steps?.find(({ name }) => name === 'default')?.given, emptyIsUnset };
}

/** By what is called one after the other, besides {@link checks}. */
const types: ReadonlyMap<string, Validated['type']> = new Map([
  ['string', 'text'],
  ['url', 'text'],
  ['string.url', 'text'],
  ['coerce.string', 'text'],
  ['coerce.number', 'number'],
]);

/** What lets a value pass as it is, or not at all. */
const checks: ReadonlySet<string> = new Set(
  `default optional nullish nullable describe meta brand readonly min max length nonempty regex includes startsWith endsWith
  int positive nonnegative gt gte lt lte finite safe multipleOf`.split(/\s+/),
);

const keepsFields: ReadonlySet<string> = new Set(['passthrough', 'strict', 'loose', 'strip', 'readonly', 'describe']);

/** One name in a schema's chain, with the first argument when it is called. */
interface Step {
  readonly name: string;
  readonly given: Sited | undefined;
}

/** `z.coerce.number().min(1)` is `coerce`, `number`, `min`; undefined when it does not begin with Zod. */
function stepsOf(node: Node, module: Module, values: Values): readonly Step[] | undefined {
  const at = values.follow(node, module);
  const call = at.node.type === 'CallExpression' ? at.node : undefined;
  const callee = call && bare(call.callee);
  if (callee?.type !== 'MemberExpression') return undefined;
  const [first] = call?.arguments ?? [];
  const given = first && { node: first, module: at.module };
  const exported = values.exportOf(callee, at.module);
  if (exported) return /^zod(\/v\d)?$/.test(exported.package) ? withArgument(namesIn(exported.path), given) : undefined;
  const name = propertyName(callee);
  const before = stepsOf(callee.object, at.module, values);
  return before && name !== undefined ? [...before, { name, given }] : undefined;
}

/** The names behind `z` itself. */
function namesIn(path: string): readonly string[] {
  return path.split('.').filter((name) => name !== 'z' && name !== 'default');
}

function withArgument(names: readonly string[], given: Sited | undefined): readonly Step[] {
  return names.map((name, at) => ({ name, given: at === names.length - 1 ? given : undefined }));
}
