import type { NginxDocument } from '@poolcheck/parsers/nginx/document';
import type { Place, Text } from '@poolcheck/parsers/text';
import type { Evidence, Known } from '../known.ts';
import type { HttpServer } from '../source/servers.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Environment } from '../source/setting.ts';
import type { Statement } from '../source/statements.ts';
import type { Version } from '../version.ts';

/** One environment: what runs together, and who talks to whom. Numbers of two environments never meet. */
export interface Deployment {
  /** The folder or file that draws it, root-relative ("k8s", "docker-compose.yml"). */
  readonly name: string;
  readonly services: readonly Service[];
  readonly poolers: readonly Pooler[];
  readonly databases: readonly Database[];
  readonly proxies: readonly Proxy[];
}

/** Something that runs code of this repository. */
export interface Service {
  readonly name: string;
  /** Where the workload is declared. */
  readonly at: Place;
  /** How many run at once at most: replicas, or the autoscaler's maximum. */
  readonly instances: Known;
  /** Operating-system processes per instance, each with its own pools. */
  readonly processes: Known;
  readonly environment: Environment;
  readonly pools: readonly ServicePool[];
  readonly servers: readonly HttpServer[];
}

/** A pool of the source as it runs in one service. */
export interface ServicePool {
  readonly site: PoolSite;
  /** Its most connections per process. */
  readonly size: Known;
  /** Where its connections go; undefined when that is not in the root or not known. */
  readonly target: Target | undefined;
  /** The SQL that the source sends through it or through a lease taken from it. */
  readonly statements: readonly Statement[];
}

export type Target =
  | { readonly kind: 'database'; readonly database: Database; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'pooler'; readonly pooler: Pooler; readonly entry: PoolerEntry; readonly evidence: readonly Evidence[] };

export interface Pooler {
  readonly name: string;
  readonly software: 'pgbouncer';
  readonly at: Place;
  /** undefined: not known. */
  readonly version: Version | undefined;
  readonly instances: Known;
  readonly entries: readonly PoolerEntry[];
}

export type PoolMode = 'session' | 'transaction' | 'statement';

/** One line of `[databases]`; the name is `*` for the fallback. */
export interface PoolerEntry {
  readonly name: string;
  readonly at: Place;
  readonly mode: { readonly value: PoolMode; readonly evidence: Evidence };
  /** The most server connections one pooler process opens for this entry. */
  readonly serverConnections: Known;
  readonly database: Database | undefined;
}

/** A database server: its limit is for all databases in it. */
export interface Database {
  readonly name: string;
  readonly software: 'postgresql' | 'mysql';
  readonly at: Place;
  readonly version: Version | undefined;
  readonly maxConnections: Known;
  /** Slots that an application's role does not get. */
  readonly reserved: Known;
}

/** A reverse proxy with its configuration. */
export interface Proxy {
  readonly name: string;
  readonly software: 'nginx';
  readonly at: Place;
  readonly version: Version | undefined;
  readonly text: Text;
  readonly config: NginxDocument;
  /** The services its upstream servers and proxy_pass hosts name, by host and port as written. */
  readonly services: (host: string, port: number | undefined) => readonly Service[];
}
