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

/** A Connection header of an outer block that is not sent because a block further in has headers of its own, and what goes with it. */
export function lostConnection(scope: Scope): { readonly header: Directive; readonly names: readonly string[] } | undefined {
  const [own] = effective(scope, 'proxy_set_header') ?? [];
  const outer = own && effective(outside(scope, own), 'proxy_set_header');
  const header = outer?.find(isConnection);
  if (!header || valueOf(header, scope) !== 'open') return undefined;
  const kept = effective(scope, 'proxy_set_header')?.map(nameOf);
  return { header, names: outer?.map(nameOf).filter((name) => !kept?.includes(name)) ?? [] };
}

/** The scope around the block that a directive stands in. */
function outside({ level, directive, outer }: Scope, inside: Directive): Scope {
  const around = outer ?? { level: { directives: [], complete: true }, directive, outer };
  return level.directives.includes(inside) || !outer ? around : outside(around, inside);
}

/** A header's name, as nginx compares it. */
function nameOf({ args }: Directive): string {
  return args[0]?.value.toLowerCase() ?? '';
}

function isConnection(header: Directive): boolean {
  return nameOf(header) === 'connection';
}

/** The pair of a map that says `close` for requests without `Upgrade`, when that is where a header's value comes from. */
export function closingPair({ args }: Directive, scope: Scope): Directive | undefined {
  const variable = variableIn(args[1]?.value ?? '');
  const map = variable === undefined ? undefined : mapOf(scope, variable);
  return map && pairWithoutUpgrade(map);
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
export function isForWebSockets({ directive, outer }: Scope): boolean {
  if (!outer) return false;
  if (directive?.name.value !== 'location') return isForWebSockets(outer);
  const name = directive.args.at(-1)?.value ?? '';
  if (!name.startsWith('@')) return webSocketPaths.test(name);
  const leading = outer.level.directives.filter((other) => leadsTo(other, name));
  return leading.length > 0 && leading.every((other) => webSocketPaths.test(other.args.at(-1)?.value ?? ''));
}

const webSocketPaths = /\b(wss?|web-?sockets?|socket\.io|sockjs|cable|hubs?)\b/i;

/** Whether a location hands requests over to a named one. */
function leadsTo({ name, block }: Directive, named: string): boolean {
  const own = name.value === 'location' ? (block?.directives ?? []) : [];
  return own.some((each) => /^(try_files|error_page)$/.test(each.name.value) && each.args.at(-1)?.value === named);
}

function meaning(value: string, scope: Scope): Connection {
  const variable = variableIn(value);
  if (variable !== undefined) return ofVariable(variable, scope);
  if (value.includes('$')) return 'unknown';
  return /(^|[\s,])close($|[\s,])/i.test(value) ? 'close' : 'open';
}

function variableIn(value: string): string | undefined {
  const [, braced, bare] = /^\$(?:\{(\w+)\}|(\w+))$/.exec(value) ?? [];
  return braced ?? bare;
}

/** What clients send — browsers and load balancers keep their connections — or the value that a map of `Upgrade` gives without one. */
function ofVariable(variable: string, scope: Scope): Connection {
  if (variable === 'http_connection') return 'open';
  const map = mapOf(scope, variable);
  const values = map ? withoutUpgrade(map) : valuesOf(scope, variable);
  const [value] = values ?? [];
  return value === undefined || values?.length !== 1 || value.includes('$') ? 'unknown' : meaning(value, scope);
}

function withoutUpgrade(map: Directive): readonly string[] | undefined {
  const { args, block } = map;
  if (!block?.complete || args[0]?.value !== '$http_upgrade') return undefined;
  const pair = pairWithoutUpgrade(map);
  const value = pair?.args[0];
  return pair === undefined ? [''] : value && !value.hole ? [value.value] : undefined;
}

function pairWithoutUpgrade({ block }: Directive): Directive | undefined {
  const pairs = block?.directives.filter((pair) => pair.args.length === 1) ?? [];
  return pairs.find(({ name }) => name.value === '') ?? pairs.find(({ name }) => name.value === 'default');
}
