import type { Address } from '@poolcheck/parsers/nginx/address';
import type { Reached } from '@poolcheck/parsers/nginx/routes';
import type { HttpServer } from '../../source/servers.ts';
import { evaluate } from '../../source/setting.ts';
import type { RoutedServer, Service } from '../model.ts';
import type { Endpoint } from '../stack.ts';

/** The port of `proxy_pass http://host` and of `server host;`. */
const httpPort = 80;

/** What answers at a host and port, and the service of the repository that it is. */
export type FindService = (host: string, port: number) => { readonly service: Service; readonly endpoint: Endpoint } | undefined;

/** The HTTP servers of the repository that get the requests of a route. */
export function serversBehind(reached: Reached, find: FindService): readonly RoutedServer[] {
  return addressesOf(reached).flatMap((address) => serversAt(address, find));
}

function addressesOf(reached: Reached): readonly Address[] {
  if (reached.kind === 'variable') return [];
  if (reached.kind === 'address') return [reached.address];
  return reached.upstream.servers.flatMap(({ address, down }) => (address && !down ? [address] : []));
}

function serversAt(address: Address, find: FindService): readonly RoutedServer[] {
  if (address.kind === 'unix') return [];
  const port = address.port ?? httpPort;
  const found = find(address.host, port);
  return found ? listeners(found.service, port, found.endpoint).map((server) => ({ service: found.service, server })) : [];
}

/** The servers that listen on the port; one that is alone may listen on another, to which the port is mapped. */
export function listeners(service: Service, port: number, { container }: Endpoint): readonly HttpServer[] {
  const exact = service.servers.filter((server) => portsOf(server, service)?.includes(port));
  const [only] = service.servers;
  if (exact.length > 0 || !only || service.servers.length > 1) return exact;
  const ports = portsOf(only, service);
  return !ports || container.ports.some(({ number }) => ports.includes(number)) ? [only] : [];
}

function portsOf({ port }: HttpServer, { environment }: Service): readonly number[] | undefined {
  return port && evaluate(port, environment)?.map(({ value }) => Number(value));
}
