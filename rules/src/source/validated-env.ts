import { bare, propertyName } from './module.ts';
import type { Module, Node } from './module.ts';
import { isProcessEnv, type MemberRead } from './process-env.ts';
import type { Sited } from './value.ts';
import type { Values } from './values.ts';

/** A variable of the environment that a schema has looked at. */
export interface Validated {
  readonly type: 'text' | 'number';
  /** What it is when it is not set. */
  readonly otherwise: Sited | undefined;
}

/**
 * What Zod makes of a variable: `z.object({ DATABASE_URL: z.url() }).parse(process.env).DATABASE_URL`; undefined for anything else, and for
 * a schema that may make something else of it. https://zod.dev/api
 */
export function validatedVariable({ object, name }: MemberRead, module: Module, values: Values): Validated | undefined {
  const { node, module: parsedIn } = values.follow(object, module);
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || propertyName(node.callee) !== 'parse') return undefined;
  const [input] = node.arguments;
  if (!input || !isProcessEnv(input, parsedIn, values)) return undefined;
  const [made, ...refined] = stepsOf(node.callee.object, parsedIn, values) ?? [];
  const fields = made?.given && /^(strict|loose)?object$/i.test(made.name) ? values.follow(made.given.node, made.given.module) : undefined;
  if (fields?.node.type !== 'ObjectExpression' || !refined.every((step) => keepsFields.has(step.name))) return undefined;
  const field = values.property({ node: fields.node, module: fields.module }, name);
  return field && field !== 'unknown' ? fieldOf(stepsOf(field.node, field.module, values)) : undefined;
}

function fieldOf(steps: readonly Step[] | undefined): Validated | undefined {
  const names = (steps ?? []).filter(({ name }) => !checks.has(name)).map(({ name }) => name);
  const type = types.get(names.join('.'));
  return type && { type, otherwise: steps?.find(({ name }) => name === 'default')?.given };
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
