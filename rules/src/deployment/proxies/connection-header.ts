import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { mapOf, valuesOf } from '@poolcheck/parsers/nginx/variables';

/** What nginx tells the server of the connection with a plain request: to close it, or nothing that ends it. */
export type Connection = 'close' | 'open' | 'unknown';

/** The Connection header as the directives make it, and the one that decides; `default`: they leave it alone. */
export function connectionHeader(scope: Scope): { readonly says: Connection | 'default'; readonly by?: Directive } {
  const headers = effective(scope, 'proxy_set_header');
  if (!headers) return { says: 'unknown' };
  const said = headers.filter(isConnection).map((by) => ({ says: valueOf(by, scope), by }));
  // Each value that is not empty is sent.
  return said.find(({ says }) => says === 'close') ?? said.find(({ says }) => says === 'unknown') ?? said[0] ?? { says: 'default' };
}

function isConnection({ args }: Directive): boolean {
  return args[0]?.value.toLowerCase() === 'connection';
}

function valueOf({ args }: Directive, scope: Scope): Connection {
  const [, value] = args;
  if (!value || value.hole) return 'unknown';
  return isUpgrade(value.value) && isForWebSockets(scope) ? 'unknown' : meaning(value.value, scope);
}

function isUpgrade(value: string): boolean {
  return value.toLowerCase() === 'upgrade';
}

/** Where all requests become WebSockets no connection comes back; where most do not, "upgrade" is sent with them to no effect. */
function isForWebSockets({ directive, outer }: Scope): boolean {
  if (directive?.name.value === 'location')
    return /\b(wss?|web-?sockets?|socket\.io|sockjs|cable|hubs?)\b/i.test(directive.args.at(-1)?.value ?? '');
  return outer !== undefined && isForWebSockets(outer);
}

function meaning(value: string, scope: Scope): Connection {
  const [, braced, bare] = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value) ?? [];
  const variable = braced ?? bare;
  if (variable !== undefined) return ofVariable(variable, scope);
  if (value.includes('$')) return 'unknown';
  return /(^|[\s,])close($|[\s,])/i.test(value) ? 'close' : 'open';
}

/** What clients send — browsers and load balancers keep their connections — or the value that a map of `Upgrade` gives without one. */
function ofVariable(variable: string, scope: Scope): Connection {
  if (variable === 'http_connection') return 'open';
  const map = mapOf(scope, variable);
  const values = map ? withoutUpgrade(map) : valuesOf(scope, variable);
  const [value] = values ?? [];
  return value === undefined || values?.length !== 1 || value.includes('$') ? 'unknown' : meaning(value, scope);
}

function withoutUpgrade({ args, block }: Directive): readonly string[] | undefined {
  if (!block?.complete || args[0]?.value !== '$http_upgrade') return undefined;
  const pairs = block.directives.filter((pair) => pair.args.length === 1);
  const entry = pairs.find(({ name }) => name.value === '') ?? pairs.find(({ name }) => name.value === 'default');
  const value = entry ? entry.args[0] : undefined;
  return entry === undefined ? [''] : value && !value.hole ? [value.value] : undefined;
}
