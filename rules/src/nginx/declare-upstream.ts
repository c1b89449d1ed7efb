import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { upstreamsOf } from '@poolcheck/parsers/nginx/upstreams';
import type { Nginx, NginxRoute } from '../deployment/model.ts';
import { connectionHeader } from '../deployment/proxies/connection-header.ts';
import type { Edit, Fix } from '../finding.ts';
import { addAfter, addBefore, distinct, replaceWord } from './edits.ts';
import { showAddress } from './addresses.ts';

/**
 * Puts addresses that routes of one file share, those of each together, into upstream blocks that keep connections before the server block of
 * the first; nothing where that takes thought.
 */
export function declareUpstreams(groups: readonly (readonly NginxRoute[])[], { config }: Nginx): readonly Fix[] {
  const server = serverAround(groups[0]?.[0]?.route.scope);
  if (!server || !groups.flat().every((route) => isPlain(route, server))) return [];
  const declared = groups.flatMap((routes) => declarationOf(routes));
  const names = new Set([...upstreamsOf(config).keys(), ...declared.map(({ name }) => name.toLowerCase())]);
  if (names.size < upstreamsOf(config).size + declared.length) return [];
  const blocks = declared.flatMap(({ block }) => block);
  const edits = [addBefore(server, blocks), ...declared.flatMap((each) => each.edits)];
  const [only, ...others] = declared.map(({ name }) => name);
  const what = others.length > 0 ? 'upstreams that keep' : `an upstream ${only} that keeps`;
  return [{ title: `Declare ${what} connections`, safe: false, edits: distinct(edits) }];
}

interface Declared {
  readonly name: string;
  readonly block: readonly string[];
  readonly edits: readonly Edit[];
}

function declarationOf(routes: readonly NginxRoute[]): readonly Declared[] {
  const [first] = routes;
  if (!first) return [];
  const address = showAddress(first);
  const name = address.replace(/\W+/g, '_').replace(/^_?(?=\d)/, 'app_');
  const block = [`upstream ${name} {`, `    server ${address};`, '    keepalive 32;', '}', ''];
  return [{ name, block, edits: routes.flatMap((route) => editsFor(route, address, name)) }];
}

/** The server block that something stands in. */
export function serverAround(scope: Scope | undefined): Directive | undefined {
  return scope?.directive?.name.value === 'server' ? scope.directive : scope && serverAround(scope.outer);
}

/** `http://host:port/path` as it stands, in the file of the server block and not in an `if`. */
function isPlain({ route, reached }: NginxRoute, server: Directive): boolean {
  const { pass, scope } = route;
  const isWritten = reached.kind === 'address' && /^http:\/\/[^$]*$/.test(pass.args[0]?.value ?? '');
  return isWritten && pass.text === server.text && scope.directive?.name.value === 'location' && !saysClose(scope);
}

function saysClose(scope: Scope): boolean {
  const { says } = connectionHeader(scope);
  return says === 'close' || says === 'unknown';
}

/** Without a Host header of its own, the upstream's name would be sent as one. */
function editsFor({ route: { scope, pass } }: NginxRoute, address: string, name: string): readonly Edit[] {
  const [url] = pass.args;
  const headers = effective(scope, 'proxy_set_header') ?? [];
  const has = (header: string) => headers.some(({ args }) => args[0]?.value.toLowerCase() === header);
  const added = [
    ...(has('host') ? [] : [`proxy_set_header Host ${address};`]),
    ...(has('connection') ? [] : ['proxy_set_header Connection "";']),
  ];
  const version = (effective(scope, 'proxy_http_version') ?? []).length > 0 ? [] : ['proxy_http_version 1.1;'];
  const last = headers.at(-1);
  const atPass = last ? version : [...version, ...added];
  return [
    ...(url ? [replaceWord(pass, url, url.value.replace(`//${address}`, `//${name}`))] : []),
    ...(atPass.length > 0 ? [addAfter(pass, atPass)] : []),
    ...(last && added.length > 0 ? [addAfter(last, added)] : []),
  ];
}
