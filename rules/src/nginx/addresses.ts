import type { Address } from '@poolcheck/parsers/nginx/address';
import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { connectionHeader } from '../deployment/proxies/connection-header.ts';
import { upstreamDefaultsOf } from '../knowledge/nginx.ts';
import type { NginxRoute } from '../deployment/model.ts';
import type { Version } from '../version.ts';

/** Whether a route leads to an address without upstream that is asked often enough to mind: not on other people's hosts, nor for the state alone. */
export function isWorthKeeping({ route, reached }: NginxRoute): boolean {
  if (route.protocol !== 'http' || isForOperators(route.scope)) return false;
  return reached.kind === 'variable' || (reached.kind === 'address' && isNear(reached.address));
}

/** `host:port`, or as it is written when variables stand in it. */
export function showAddress({ route, reached }: NginxRoute): string {
  if (reached.kind === 'address' && reached.address.kind === 'tcp') {
    const { host, port } = reached.address;
    return port === undefined ? host : `${host}:${port}`;
  }
  return (route.pass.args[0]?.value ?? '').replace(/^\w+:\/\//, '').replace(/\/.*/, '');
}

/** Asks for HTTP/1.1 and does not let the server close: then nginx does, without an upstream. */
export function closesItself({ route: { scope } }: NginxRoute, version: Version | undefined): boolean {
  const httpVersion = effective(scope, 'proxy_http_version');
  const connection = connectionHeader(scope).says;
  return upstreamDefaultsOf(version).every((defaults) => {
    const isNewer = (httpVersion?.at(-1)?.args[0]?.value ?? (httpVersion && defaults.httpVersion)) === '1.1';
    return isNewer && (connection === 'open' || (connection === 'default' && defaults.connection === undefined));
  });
}

const privateHost = /^[^.]+$|^\[|^[\d.]+$|\.(local|localhost|localdomain|internal|intranet|lan|corp|home|svc|test)$/i;

/** A socket takes no ports; a host with a public name is asked now and then. */
function isNear(address: Address): boolean {
  return address.kind === 'tcp' && privateHost.test(address.host);
}

const forOperators =
  /\b(health(z|check)?|livez?|readyz?|ping|status|(stub|nginx)_status|metrics|admin|docs|swagger|robots\.txt|favicon\.ico)\b/i;

function isForOperators({ directive, outer }: Scope): boolean {
  if (directive?.name.value === 'location' && forOperators.test(directive.args.at(-1)?.value ?? '')) return true;
  return outer !== undefined && isForOperators(outer);
}
