import type { Place } from '@poolcheck/parsers/text';

export type Literal = string | number | boolean | null | undefined;

/**
 * A configuration value as the source writes it, before it is known where the code runs: `Number(process.env.DB_POOL_MAX ?? 10)`
 * is a `number` of a `fallback` from an `env` to a `literal`. {@link evaluate} joins it with a workload's environment.
 */
export type Setting =
  | { readonly kind: 'literal'; readonly value: Literal; readonly place: Place }
  | { readonly kind: 'env'; readonly name: string; readonly place: Place }
  | { readonly kind: 'fallback'; readonly operator: '??' | '||'; readonly first: Setting; readonly second: Setting; readonly place: Place }
  | { readonly kind: 'number'; readonly by: 'Number' | 'parseInt' | 'parseFloat'; readonly of: Setting; readonly place: Place }
  | {
      readonly kind: 'arithmetic';
      readonly operator: '+' | '-' | '*' | '/';
      readonly left: Setting;
      readonly right: Setting;
      readonly place: Place;
    }
  /** A template literal or a concatenation of strings. */
  | { readonly kind: 'text'; readonly parts: readonly Setting[]; readonly place: Place }
  /** A boolean. */
  | { readonly kind: 'check'; readonly by: Check; readonly of: readonly Setting[]; readonly place: Place }
  /** The first when the test holds, else the second. */
  | { readonly kind: 'either'; readonly test: Setting; readonly options: readonly [Setting, Setting]; readonly place: Place }
  /** What the calls of a function give it: {@link ofCall} takes that of one. Without a call it is not known. */
  | { readonly kind: 'parameter'; readonly calls: readonly Call[]; readonly place: Place }
  | { readonly kind: 'unknown'; readonly place: Place };

export const comparisons = ['===', '!==', '==', '!=', '<', '<=', '>', '>='] as const;
export const numberChecks = ['isNaN', 'isFinite', 'isInteger', 'isSafeInteger'] as const;
type Check = '!' | (typeof comparisons)[number] | (typeof numberChecks)[number];

/** A call of the function that has the parameter. */
export interface Call {
  /** What tells it from the others, the same for all parameters. */
  readonly node: object;
  /** The module that it stands in, root-relative. */
  readonly path: string;
  readonly given: Setting;
}

/** What an environment says of a variable: its value, that it is not set, or that it is set to something unreadable (a Secret). */
export type Variable =
  | {
      readonly state: 'set';
      readonly value: string;
      readonly place: Place;
      /** Nobody wrote it: Kubernetes sets it for this Service. */
      readonly service?: string;
    }
  | { readonly state: 'unset' }
  | { readonly state: 'unknown'; readonly place?: Place };

/** The environment a process runs in. */
export type Environment = (name: string) => Variable;

/** No environment is known: every variable may hold anything. */
export const anyEnvironment: Environment = () => ({ state: 'unknown' });

/** One value a setting can have, and the places that made it so, the deciding one first. */
export interface Outcome {
  readonly value: Literal;
  readonly places: readonly Place[];
}

/** Every value a setting can have in an environment, or undefined when one of them cannot be told. */
export function evaluate(setting: Setting, environment: Environment): readonly Outcome[] | undefined {
  switch (setting.kind) {
    case 'literal':
      return [{ value: setting.value, places: [setting.place] }];
    case 'env': {
      const variable = environment(setting.name);
      if (variable.state === 'unknown') return undefined;
      return variable.state === 'unset'
        ? [{ value: undefined, places: [setting.place] }]
        : [{ value: variable.value, places: [variable.place, setting.place] }];
    }
    case 'fallback': {
      const first = evaluate(setting.first, environment);
      if (!first) return undefined;
      const passes = (value: Literal) => (setting.operator === '??' ? value != null : Boolean(value));
      const kept = first.filter((outcome) => passes(outcome.value));
      if (kept.length === first.length) return kept;
      const second = evaluate(setting.second, environment);
      return second && [...kept, ...second];
    }
    case 'number':
      return evaluate(setting.of, environment)?.map((outcome) => ({ ...outcome, value: toNumber(setting.by, outcome.value) }));
    case 'arithmetic':
      return pairs(evaluate(setting.left, environment), evaluate(setting.right, environment), (a, b) =>
        calculate(setting.operator, Number(a), Number(b)),
      );
    case 'text':
      return setting.parts.reduce<readonly Outcome[] | undefined>(
        (sofar, part) => pairs(sofar, evaluate(part, environment), (a, b) => String(a) + String(b)),
        [{ value: '', places: [] }],
      );
    case 'check': {
      const [first, second] = setting.of.map((part) => evaluate(part, environment));
      return pairs(first, setting.of.length === 1 ? [{ value: undefined, places: [] }] : second, (a, b) => holds(setting.by, a, b));
    }
    case 'either': {
      const tests = evaluate(setting.test, environment);
      const taken = setting.options.filter((_, index) => !tests || tests.some(({ value }) => Boolean(value) === (index === 0)));
      const options = taken.map((option) => evaluate(option, environment));
      return options.every((option) => option !== undefined) ? options.flat() : undefined;
    }
    case 'parameter':
    case 'unknown':
      return undefined;
  }
}

/** A setting as it is in one call of the function that makes it. */
export function ofCall(setting: Setting, call: object): Setting {
  const inner = (part: Setting) => ofCall(part, call);
  switch (setting.kind) {
    case 'parameter':
      return setting.calls.find(({ node }) => node === call)?.given ?? setting;
    case 'fallback':
      return { ...setting, first: inner(setting.first), second: inner(setting.second) };
    case 'number':
      return { ...setting, of: inner(setting.of) };
    case 'arithmetic':
      return { ...setting, left: inner(setting.left), right: inner(setting.right) };
    case 'text':
      return { ...setting, parts: setting.parts.map(inner) };
    case 'check':
      return { ...setting, of: setting.of.map(inner) };
    case 'either':
      return { ...setting, test: inner(setting.test), options: [inner(setting.options[0]), inner(setting.options[1])] };
    case 'literal':
    case 'env':
    case 'unknown':
      return setting;
  }
}

/** The calls that a setting depends on. */
export function callsIn(setting: Setting): readonly Call[] {
  return setting.kind === 'parameter' ? setting.calls : partsOf(setting).flatMap(callsIn);
}

function partsOf(setting: Setting): readonly Setting[] {
  switch (setting.kind) {
    case 'fallback':
      return [setting.first, setting.second];
    case 'number':
      return [setting.of];
    case 'arithmetic':
      return [setting.left, setting.right];
    case 'text':
      return setting.parts;
    case 'check':
      return setting.of;
    case 'either':
      return [setting.test, ...setting.options];
    case 'parameter':
      return setting.calls.map(({ given }) => given);
    case 'literal':
    case 'env':
    case 'unknown':
      return [];
  }
}

/** Whether a setting is the same in every environment: one of these values. */
export function alwaysIs(setting: Setting, values: readonly Literal[]): boolean {
  const outcomes = evaluate(setting, anyEnvironment);
  return outcomes !== undefined && outcomes.every(({ value }) => values.includes(value));
}

function toNumber(by: 'Number' | 'parseInt' | 'parseFloat', value: Literal): number {
  if (by === 'Number') return Number(value);
  return by === 'parseInt' ? Number.parseInt(String(value), 10) : Number.parseFloat(String(value));
}

function calculate(operator: '+' | '-' | '*' | '/', a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
  }
}

function holds(by: Check, a: Literal, b: Literal): boolean {
  switch (by) {
    case '!':
      return !a;
    case 'isNaN':
      return Number.isNaN(a);
    case 'isFinite':
      return Number.isFinite(a);
    case 'isInteger':
      return Number.isInteger(a);
    case 'isSafeInteger':
      return Number.isSafeInteger(a);
    case '===':
      return a === b;
    case '!==':
      return a !== b;
    case '==':
      return a == null ? b == null : String(a) === String(b);
    case '!=':
      return !(a == null ? b == null : String(a) === String(b));
    case '<':
      return Number(a) < Number(b);
    case '<=':
      return Number(a) <= Number(b);
    case '>':
      return Number(a) > Number(b);
    case '>=':
      return Number(a) >= Number(b);
  }
}

function pairs(
  left: readonly Outcome[] | undefined,
  right: readonly Outcome[] | undefined,
  join: (a: Literal, b: Literal) => Literal,
): readonly Outcome[] | undefined {
  if (!left || !right || left.length * right.length > 64) return undefined;
  return left.flatMap((a) => right.map((b) => ({ value: join(a.value, b.value), places: [...a.places, ...b.places] })));
}

/** The environment variables a setting reads, in order. */
export function variablesOf(setting: Setting): readonly string[] {
  return setting.kind === 'env' ? [setting.name] : partsOf(setting).flatMap(variablesOf);
}
