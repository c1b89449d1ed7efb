import { countedPools } from '@poolcheck/rules/deployment/counted';
import type { Deployment, Proxy, ServicePool } from '@poolcheck/rules/deployment/model';
import { groupBy } from '@poolcheck/rules/group';
import { product, show, sum, type Known } from '@poolcheck/rules/known';
import { mermaidLabel } from './neutral.ts';

/** Who talks to whom in a deployment. */
export interface Graph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
}

/** In the order in which requests pass them. */
export const nodeKinds = ['proxy', 'service', 'pooler', 'database'] as const;
export type NodeKind = (typeof nodeKinds)[number];

export interface Node {
  readonly kind: NodeKind;
  readonly name: string;
  /** "× 6"; of a database what it accepts. Empty: one. */
  readonly count: string;
}

/** All connections from one to another. */
export interface Edge {
  /** Indices of nodes. */
  readonly from: number;
  readonly to: number;
  /** How many connections one of the first can have; empty: not known. */
  readonly label: string;
}

/** More would be a picture of nothing. */
const mostNodes = 60;

/** Undefined when nobody talks to anybody, or too many do. */
export function graphOf({ services, poolers, databases, proxies }: Deployment): Graph | undefined {
  const all = [...proxies, ...services, ...poolers, ...databases];
  const places = new Map<object, number>(all.map((node, index) => [node, index]));
  const links: readonly Link[] = [
    ...proxies.flatMap((proxy) => servedBy(proxy).map((to) => ({ from: proxy, to, connections: undefined }))),
    ...services.flatMap((from) =>
      countedPools(from).flatMap(({ size, target }) => (target ? [{ from, to: reachedBy(target), connections: size }] : [])),
    ),
    ...poolers.flatMap((from) =>
      from.entries.flatMap(({ database, serverConnections }) => (database ? [{ from, to: database, connections: serverConnections }] : [])),
    ),
  ];
  const edges = [...groupBy(links, ({ from, to }) => `${places.get(from)} ${places.get(to)}`).values()].flatMap((alike) =>
    edgeOf(alike, places),
  );
  if (edges.length === 0 || all.length > mostNodes) return undefined;
  const nodes: readonly Node[] = [
    ...proxies.map(({ name }) => ({ kind: 'proxy' as const, name, count: '' })),
    ...services.map(({ name, instances, processes }) => ({
      kind: 'service' as const,
      name,
      count: times(product([instances, processes])),
    })),
    ...poolers.map(({ name, instances }) => ({ kind: 'pooler' as const, name, count: times(instances) })),
    ...databases.map(({ name, maxConnections }) => ({ kind: 'database' as const, name, count: show(maxConnections) })),
  ];
  return { nodes, edges };
}

function servedBy({ routes }: Proxy) {
  return [...new Set(routes.flatMap(({ servers, programs }) => [...servers, ...programs].map(({ service }) => service)))];
}

function reachedBy(target: NonNullable<ServicePool['target']>): object {
  return target.kind === 'pooler' ? target.pooler : target.database;
}

function times(count: Known): string {
  return count.low === 1 && count.high === 1 ? '' : `× ${show(count)}`;
}

interface Link {
  readonly from: object;
  readonly to: object;
  readonly connections: Known | undefined;
}

/** All links between two as one. */
function edgeOf(links: readonly Link[], places: ReadonlyMap<object, number>): readonly Edge[] {
  const [link] = links;
  const [from, to] = [link && places.get(link.from), link && places.get(link.to)];
  if (from === undefined || to === undefined) return [];
  const known = links.flatMap(({ connections }) => connections ?? []);
  return [{ from, to, label: known.length > 0 ? show(sum(known)) : '' }];
}

const shapes: Readonly<Record<NodeKind, readonly [string, string]>> = {
  proxy: ['{{', '}}'],
  service: ['[', ']'],
  pooler: ['[[', ']]'],
  database: ['[(', ')]'],
};

/** A graph as a Mermaid flowchart. */
export function mermaid({ nodes, edges }: Graph): readonly string[] {
  return [
    'flowchart LR',
    ...nodes.map(({ kind, name, count }, index) => {
      const [open, close] = shapes[kind];
      return `  n${index}${open}"${mermaidLabel(`${name} ${count}`)}"${close}`;
    }),
    ...edges.map(({ from, to, label }) => (label === '' ? `  n${from} --> n${to}` : `  n${from} -- "${mermaidLabel(label)}" --> n${to}`)),
  ];
}
