/** Functions that read outside data and throw on what they do not like. Other synchronous code is taken not to throw. */
export const throwingGlobals: ReadonlySet<string> = new Set([
  'JSON.parse',
  'decodeURIComponent',
  'decodeURI',
  'BigInt',
  'atob',
  'structuredClone',
]);

export const throwingConstructors: ReadonlySet<string> = new Set(['URL']);

/** Packages whose `parse`-like methods validate outside data. */
export const validators: ReadonlySet<string> = new Set([
  'zod',
  'zod/v4',
  'yup',
  'joi',
  'valibot',
  'superstruct',
  'ajv',
  'io-ts',
  'runtypes',
  'arktype',
]);

export const validatingMethods: ReadonlySet<string> = new Set(['parse', 'validateSync', 'attempt', 'assert', 'check']);

/** Calls that do not return. */
export const endsProcess: ReadonlySet<string> = new Set(['process.exit', 'process.abort', 'Deno.exit']);
