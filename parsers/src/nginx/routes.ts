import { parseAddress, type Address } from './address.ts';
import type { Directive, NginxDocument } from './document.ts';
import { httpScopes, innerScopes, named, type Scope } from './resolve.ts';
import { upstreamsOf, type Upstream } from './upstreams.ts';
import { valuesOf } from './variables.ts';

/** A place that passes HTTP requests on: a location, or an `if` in one. */
export interface Route {
  readonly scope: Scope;
  readonly proxyPass: Directive;
  /** Everything it can reach; undefined when a variable or a template's hole decides. */
  readonly reaches: readonly Reached[] | undefined;
}

/** A declared group, or an address of its own. */
export type Reached = { readonly kind: 'upstream'; readonly upstream: Upstream } | { readonly kind: 'address'; readonly address: Address };

/** Every `proxy_pass` of HTTP, in order. */
export function routesOf(document: NginxDocument): readonly Route[] {
  const upstreams = upstreamsOf(document);
  return httpScopes(document)
    .flatMap(withInner)
    .flatMap((scope) =>
      named(scope.level, 'proxy_pass').map((proxyPass) => ({ scope, proxyPass, reaches: reachedBy(proxyPass, scope, upstreams) })),
    );
}

function withInner(scope: Scope): readonly Scope[] {
  return [scope, ...innerScopes(scope).flatMap(withInner)];
}

function reachedBy({ args }: Directive, scope: Scope, upstreams: ReadonlyMap<string, Upstream>): readonly Reached[] | undefined {
  const [url] = args;
  const urls = url && !url.hole ? expand(url.value, scope) : undefined;
  const reached = urls?.map((each) => reachedAt(each, upstreams));
  return reached?.every((each) => each !== undefined) ? reached : undefined;
}

function reachedAt(url: string, upstreams: ReadonlyMap<string, Upstream>): Reached | undefined {
  const authority = authorityOf(url);
  const upstream = upstreams.get(authority?.toLowerCase() ?? '');
  if (upstream) return { kind: 'upstream', upstream };
  const address = authority === undefined ? undefined : parseAddress(authority);
  return address && { kind: 'address', address };
}

function authorityOf(url: string): string | undefined {
  return /^https?:\/\/(unix:[^:]+|[^/?#]+)/i.exec(url)?.[1];
}

const mostValues = 16;
const variableInHost = /^((?:https?:\/\/)?[^$/?#]*)\$(?:\{(\w+)\}|(\w+))(.*)$/is;
/** They begin with a slash, so the host ends before them. */
const paths: ReadonlySet<string> = new Set(['request_uri', 'uri', 'document_uri']);

/** The URLs that a `proxy_pass` can have, as far as the host goes; undefined when they are not all written. */
function expand(url: string, scope: Scope, depth = 4): readonly string[] | undefined {
  const match = variableInHost.exec(url);
  if (!match) return [url];
  const [, before = '', braced, bare = '', after = ''] = match;
  const variable = braced ?? bare;
  if (paths.has(variable)) return [`${before}/`];
  const values = variable === 'scheme' ? ['http'] : valuesOf(scope, variable);
  if (!values || values.length > mostValues || depth === 0) return undefined;
  const urls = values.filter(Boolean).map((value) => expand(before + value + after, scope, depth - 1));
  return urls.every((each) => each !== undefined) ? urls.flat() : undefined;
}
