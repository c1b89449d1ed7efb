import { groupBy } from '../group.ts';
import { carrierOf, frameworks, type Carrier } from '../knowledge/frameworks.ts';
import type { Origins } from './handlers/origins.ts';
import { propertyName } from './module.ts';
import type { Module, Node, TSESTree } from './module.ts';
import { agreed } from './value.ts';
import type { Value } from './value.ts';
import type { Values } from './values.ts';

interface Sources {
  readonly modules: readonly Module[];
  readonly values: Values;
  readonly origins: Origins;
  /** Finds out where functions are used, which tells where their parameters come from. */
  readonly findUses: () => unknown;
}

/** A value that code hangs on a kind of object of a framework. */
interface Hung {
  readonly carrier: Carrier;
  readonly name: string;
  readonly value: Value;
}

const methodsOf = (kind: 'put' | 'get') => new Set(frameworks.flatMap(({ carries }) => carries?.[kind] ?? []));
const putters = methodsOf('put');
const getters = methodsOf('get');
const takers = new Set(frameworks.flatMap(({ carries }) => carries?.plugin ?? []));

/**
 * The values that code hangs on the objects of a framework for other code to read there: `app.decorate('db', pool)`,
 * `req.app.locals.db`, `c.set('db', pool)`. What tests put in its place does not count.
 */
export class Carried {
  readonly #sources: Sources;
  #byName: ReadonlyMap<string, readonly Hung[]> = new Map();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Finds out what is carried; until then nothing is. */
  collect(): void {
    const { modules, values, findUses } = this.#sources;
    const hung = values.tentatively(() => {
      findUses();
      return modules.flatMap((module) => (module.role === 'test' ? [] : this.#hungIn(module)));
    });
    this.#byName = groupBy(hung, ({ name }) => name);
  }

  /** What stands under a name on an object. */
  under(name: string, object: Node, module: Module): Value | undefined {
    const named = this.#byName.get(name);
    if (!named) return undefined;
    const at = this.#carrier(object, module);
    const here = named.filter(({ carrier }) => carrier.framework === at?.framework && carrier.kind === at.kind);
    return agreed(here.map(({ value }) => value));
  }

  /** What a call such as `c.get('db')` reads. */
  readBy({ callee, arguments: [name] }: TSESTree.CallExpression, module: Module): Value | undefined {
    if (callee.type !== 'MemberExpression' || name?.type !== 'Literal' || typeof name.value !== 'string') return undefined;
    const method = propertyName(callee) ?? '';
    const value = getters.has(method) ? this.under(name.value, callee.object, module) : undefined;
    const reads = value && this.#carrier(callee.object, module)?.carries.get?.includes(method);
    return reads ? value : undefined;
  }

  #carrier(object: Node, module: Module): Carrier | undefined {
    const origin = this.#sources.origins.of(object, module);
    return origin && carrierOf(origin.package, origin.path);
  }

  #hungIn(module: Module): readonly Hung[] {
    return [
      ...module.nodes('AssignmentExpression').flatMap((node) => this.#assigned(node, module) ?? []),
      ...module.nodes('CallExpression').flatMap((node) => this.#put(node, module) ?? []),
    ];
  }

  /** `app.locals.db = pool` */
  #assigned({ left, right }: TSESTree.AssignmentExpression, module: Module): Hung | undefined {
    const name = left.type === 'MemberExpression' ? propertyName(left) : undefined;
    if (left.type !== 'MemberExpression' || name === undefined) return undefined;
    const value = this.#sources.values.valueOf(right, module);
    const carrier = value && this.#carrier(left.object, module);
    return carrier && { carrier, name, value };
  }

  /** `app.decorate('db', pool)`, `app.register(fastifyPostgres, options)` */
  #put(call: TSESTree.CallExpression, module: Module): Hung | undefined {
    const { callee } = call;
    if (callee.type !== 'MemberExpression') return undefined;
    const method = propertyName(callee) ?? '';
    if (!putters.has(method) && !takers.has(method)) return undefined;
    const carrier = this.#carrier(callee.object, module);
    if (carrier?.carries.plugin === method) {
      const hung = this.#sources.values.hungByPlugin(call, module);
      return hung && { carrier, ...hung };
    }
    return carrier?.carries.put?.includes(method) ? this.#putUnderName(call, carrier, module) : undefined;
  }

  #putUnderName({ arguments: [name, hung] }: TSESTree.CallExpression, carrier: Carrier, module: Module): Hung | undefined {
    const value = hung && this.#sources.values.valueOf(hung, module);
    return value && name?.type === 'Literal' && typeof name.value === 'string' ? { carrier, name: name.value, value } : undefined;
  }
}
