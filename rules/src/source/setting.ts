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
  /** One of several, by a condition that the source does not decide. */
  | { readonly kind: 'either'; readonly options: readonly Setting[]; readonly place: Place }
  | { readonly kind: 'unknown'; readonly place: Place };

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
    case 'either': {
      const options = setting.options.map((option) => evaluate(option, environment));
      return options.every((option) => option !== undefined) ? options.flat() : undefined;
    }
    case 'unknown':
      return undefined;
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
  switch (setting.kind) {
    case 'env':
      return [setting.name];
    case 'fallback':
      return [...variablesOf(setting.first), ...variablesOf(setting.second)];
    case 'number':
      return variablesOf(setting.of);
    case 'arithmetic':
      return [...variablesOf(setting.left), ...variablesOf(setting.right)];
    case 'text':
      return setting.parts.flatMap(variablesOf);
    case 'either':
      return setting.options.flatMap(variablesOf);
    case 'literal':
    case 'unknown':
      return [];
  }
}
