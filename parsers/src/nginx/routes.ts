import { parseAddress, type Address } from './address.ts';
import type { Directive, NginxDocument } from './document.ts';
import { httpScopes, innerScopes, named, type Scope } from './resolve.ts';
import { upstreamsOf, type Upstream } from './upstreams.ts';
import { valuesOf } from './variables.ts';

/** What nginx speaks with what stands behind it. */
export type Protocol = 'http' | 'fastcgi' | 'uwsgi' | 'scgi' | 'grpc' | 'memcached';

/** A place that passes HTTP requests on: a location, or an `if` in one. */
export interface Route {
  readonly scope: Scope;
  readonly protocol: Protocol;
  /** `proxy_pass`, `fastcgi_pass` … */
  readonly pass: Directive;
  /** Everything it can reach; undefined when a variable or a template's hole decides. */
  readonly reaches: readonly Reached[] | undefined;
}

/** A declared group, an address of its own, or an address that is only known when it runs: it has a port, as no group has. */
export type Reached =
  | { readonly kind: 'upstream'; readonly upstream: Upstream }
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'variable' };

const passes: readonly (readonly [name: string, protocol: Protocol])[] = [
  ['proxy_pass', 'http'],
  ['fastcgi_pass', 'fastcgi'],
  ['uwsgi_pass', 'uwsgi'],
  ['scgi_pass', 'scgi'],
  ['grpc_pass', 'grpc'],
  ['memcached_pass', 'memcached'],
];

/** Every place of HTTP that passes requests on, in order. `elsewhere`: groups, in lower case, that files beside this one may declare. */
export function routesOf(document: NginxDocument, elsewhere: ReadonlySet<string> = new Set()): readonly Route[] {
  const scopes = httpScopes(document);
  const groups: Groups = { upstreams: upstreamsOf(document), elsewhere, complete: scopes.every(({ level }) => level.complete) };
  return scopes
    .flatMap(withInner)
    .flatMap((scope) =>
      passes.flatMap(([name, protocol]) => named(scope.level, name).map((pass) => routeOf(pass, protocol, scope, groups))),
    );
}

function withInner(scope: Scope): readonly Scope[] {
  return [scope, ...innerScopes(scope).flatMap(withInner)];
}

interface Groups {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly elsewhere: ReadonlySet<string>;
  /** No include that was not found declares others. */
  readonly complete: boolean;
}

function routeOf(pass: Directive, protocol: Protocol, scope: Scope, groups: Groups): Route {
  const [url] = pass.args;
  const urls = url && !url.hole ? expand(url.value, scope) : undefined;
  const reached = urls?.map((each) => reachedAt(each, protocol, groups));
  const all = reached?.every((each) => each !== undefined) ? reached : undefined;
  return { scope, protocol, pass, reaches: all ?? variableAddress(url?.value ?? '') };
}

function reachedAt(url: string, protocol: Protocol, groups: Groups): Reached | undefined {
  const authority = authorityOf(url, protocol);
  if (authority === undefined) return undefined;
  const upstream = groups.upstreams.get(authority.toLowerCase());
  if (upstream) return { kind: 'upstream', upstream };
  const address = mayBeGroup(authority, groups) ? undefined : parseAddress(authority);
  return address && { kind: 'address', address };
}

/** A group that is declared in another file; it has no port, and no number for a name. */
function mayBeGroup(authority: string, { elsewhere, complete }: Groups): boolean {
  return elsewhere.has(authority.toLowerCase()) || (!complete && !/[:[]|^[\d.]+$/.test(authority));
}

/** All but `proxy_pass` may leave the scheme out. */
function authorityOf(url: string, protocol: Protocol): string | undefined {
  const [, scheme, authority] = /^(\w+:\/\/)?(unix:[^:]+|[^/?#]+)/i.exec(url) ?? [];
  return protocol === 'http' && !/^https?:/i.test(scheme ?? '') ? undefined : authority;
}

const varying = /\$\w+|\$\{\w+\}|\{\{[^{}]*\}\}/g;

/** `http://$host:3000`, `http://${HOST}:${PORT}` */
function variableAddress(url: string): readonly Reached[] | undefined {
  const authority = /^(?:\w+:\/\/)?([^/?#]+)/.exec(url.replace(varying, '\0'))?.[1] ?? '';
  return authority.includes('\0') && /^[\w.\0-]+:[\d\0]+$/.test(authority) ? [{ kind: 'variable' }] : undefined;
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
