import type { Address } from '@poolcheck/parsers/nginx/address';
import type { Reached } from '@poolcheck/parsers/nginx/routes';
import type { HttpServer } from '../../source/servers.ts';
import { evaluate } from '../../source/setting.ts';
import type { ProxyRoute, RoutedProgram, Service } from '../model.ts';
import type { Endpoint } from '../stack.ts';

/** The port of `proxy_pass http://host` and of `server host;`. */
const httpPort = 80;

/** What answers at a host and port, and the service of the repository that it is. */
export type FindService = (host: string, port: number) => { readonly service: Service; readonly endpoint: Endpoint } | undefined;

/** What of the repository answers at a port. */
export interface Answering {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly port: number;
}

/** What of the repository gets the requests of a route. */
export function answeringAt(reached: Reached, find: FindService): readonly Answering[] {
  return addressesOf(reached).flatMap((address) => {
    if (address.kind === 'unix') return [];
    const port = address.port ?? httpPort;
    const found = find(address.host, port);
    return found ? [{ ...found, port }] : [];
  });
}

/** The servers that answer there. */
export function serversOf(answering: readonly Answering[]): Pick<ProxyRoute, 'servers' | 'programs'> {
  return {
    servers: answering.flatMap(({ service, endpoint, port }) => listeners(service, port, endpoint).map((server) => ({ service, server }))),
    programs: answering.flatMap(({ service }) => onlyProgram(service)),
  };
}

function onlyProgram(service: Service): readonly RoutedProgram[] {
  const [program, ...others] = service.programs;
  return program && others.length === 0 && service.servers.length === 0 ? [{ service, program }] : [];
}

function addressesOf(reached: Reached): readonly Address[] {
  if (reached.kind === 'variable') return [];
  if (reached.kind === 'address') return [reached.address];
  return reached.upstream.servers.flatMap(({ address, down }) => (address && !down ? [address] : []));
}

/** The servers that listen on the port; one that is alone may listen on another, to which the port is mapped. */
function listeners(service: Service, port: number, { container }: Endpoint): readonly HttpServer[] {
  const exact = service.servers.filter((server) => portsOf(server, service)?.includes(port));
  const [only] = service.servers;
  if (exact.length > 0 || !only || service.servers.length > 1) return exact;
  const ports = portsOf(only, service);
  return !ports || container.ports.some(({ number }) => ports.includes(number)) ? [only] : [];
}

function portsOf({ port }: HttpServer, { environment }: Service): readonly number[] | undefined {
  return port && evaluate(port, environment)?.map(({ value }) => Number(value));
}
