import type { Deployment, ServicePool } from '@poolcheck/rules/deployment/model';
import { product, show, type Known } from '@poolcheck/rules/known';
import { mermaidLabel } from './neutral.ts';

/** More would be a picture of nothing. */
const mostNodes = 60;

/** Who talks to whom in a deployment, as a Mermaid flowchart; nothing when nobody does, or too many. */
export function graph({ services, poolers, databases, proxies }: Deployment): readonly string[] {
  const nodes = [...proxies, ...services, ...poolers, ...databases];
  const ids = new Map<object, string>(nodes.map((node, index) => [node, `n${index}`]));
  const id = (node: object) => ids.get(node) ?? '';
  const edges = [
    ...proxies.flatMap((proxy) =>
      [...new Set(proxy.routes.flatMap(({ servers }) => servers.map(({ service }) => service)))].map((service) =>
        edge(id(proxy), id(service)),
      ),
    ),
    ...services.flatMap((service) => service.pools.flatMap((pool) => poolEdge(id(service), pool, id))),
    ...poolers.flatMap((pooler) =>
      pooler.entries.flatMap(({ database, serverConnections }) =>
        database ? [edge(id(pooler), id(database), show(serverConnections))] : [],
      ),
    ),
  ];
  if (edges.length === 0 || nodes.length > mostNodes) return [];
  return [
    'flowchart LR',
    ...proxies.map((proxy) => `  ${id(proxy)}{{"${mermaidLabel(proxy.name)}"}}`),
    ...services.map(
      (service) => `  ${id(service)}["${mermaidLabel(times(service.name, product([service.instances, service.processes])))}"]`,
    ),
    ...poolers.map((pooler) => `  ${id(pooler)}[["${mermaidLabel(times(pooler.name, pooler.instances))}"]]`),
    ...databases.map((database) => `  ${id(database)}[("${mermaidLabel(`${database.name} ${show(database.maxConnections)}`)}")]`),
    ...new Set(edges),
  ];
}

function poolEdge(from: string, { size, target }: ServicePool, id: (node: object) => string): readonly string[] {
  if (!target) return [];
  return [edge(from, id(target.kind === 'pooler' ? target.pooler : target.database), show(size))];
}

function edge(from: string, to: string, label = ''): string {
  return label === '' ? `  ${from} --> ${to}` : `  ${from} -- "${mermaidLabel(label)}" --> ${to}`;
}

function times(name: string, count: Known): string {
  return count.low === 1 && count.high === 1 ? name : `${name} × ${show(count)}`;
}
