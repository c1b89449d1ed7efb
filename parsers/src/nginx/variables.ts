import type { Directive, Level } from './document.ts';
import { named, type Scope } from './resolve.ts';

/** The values that `set` and `map` write for a variable where a scope sees it; undefined when it comes from elsewhere. */
export function valuesOf(scope: Scope, variable: string): readonly string[] | undefined {
  const sets = setsOf(scope, variable);
  if (sets.length > 0) return valuesIn(sets.map(({ args }) => args[1]));
  const map = mapOf(scope, variable);
  return map?.block?.complete ? valuesIn(map.block.directives.filter(isPair).map(({ args }) => args[0])) : undefined;
}

/** The `map` block that makes a variable. */
export function mapOf(scope: Scope, variable: string): Directive | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    const map = named(at.level, 'map').find(({ args }) => isVariable(args[1]?.value, variable));
    if (map) return map;
  }
  return undefined;
}

/** Those of the scope, of the scopes around it, and of the `if` blocks in them. */
function setsOf(scope: Scope, variable: string): readonly Directive[] {
  const here = setsIn(scope.level, variable);
  return scope.outer ? [...here, ...setsOf(scope.outer, variable)] : here;
}

function setsIn(level: Level, variable: string): readonly Directive[] {
  const conditional = named(level, 'if').flatMap(({ block }) => (block ? setsIn(block, variable) : []));
  return [...named(level, 'set').filter(({ args }) => isVariable(args[0]?.value, variable)), ...conditional];
}

function isVariable(written: string | undefined, name: string): boolean {
  return written === `$${name}` || written === `\${${name}}`;
}

/** `hostnames` and `volatile` stand alone; an `include` is no pair. */
function isPair({ name, args }: Directive): boolean {
  return args.length === 1 && name.value !== 'include';
}

function valuesIn(words: readonly (Directive['args'][number] | undefined)[]): readonly string[] | undefined {
  const values = new Set<string>();
  for (const word of words) {
    if (!word || word.hole) return undefined;
    values.add(word.value);
  }
  return [...values];
}
