import type { Directive, NginxDocument } from '@poolcheck/parsers/nginx/document';
import type { Reached, Route } from '@poolcheck/parsers/nginx/routes';
import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import type { Place, Problem, Text } from '@poolcheck/parsers/text';
import type { ControllerName } from '../knowledge/ingress-controllers.ts';
import type { MigrationTool } from '../knowledge/migration-tools.ts';
import type { Evidence, Known, Source } from '../known.ts';
import type { TimeLimit } from '../source/limits/time-limit.ts';
import type { HttpServer } from '../source/servers.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Environment } from '../source/setting.ts';
import type { KeptOnSession } from '../source/kept.ts';
import type { Prepared } from '../source/prepared.ts';
import type { Sending } from '../source/statements.ts';
import type { StartupFate } from '../knowledge/pgbouncer.ts';
import type { PoolerSoftware } from '../knowledge/poolers.ts';
import type { Vocabulary } from '../knowledge/vocabulary.ts';
import type { SessionState } from '../sql/session-state.ts';
import type { Version } from '../version.ts';
import type { ContainerFiles } from './container-files.ts';

/** One environment: what runs together, and who talks to whom. Numbers of two environments never meet. */
export interface Deployment {
  /** The folder or file that draws it, root-relative ("k8s", "docker-compose.yml"). */
  readonly name: string;
  readonly services: readonly Service[];
  readonly poolers: readonly Pooler[];
  readonly databases: readonly Database[];
  readonly proxies: readonly Proxy[];
  readonly migrations: readonly Migration[];
  readonly given: readonly Given[];
}

/** Names that an image or an operator is given: variables, parameters. */
export interface Given {
  readonly vocabulary: Vocabulary;
  readonly names: readonly GivenName[];
  /** The file that is read instead of the one that would be made of them. */
  readonly file: Text | undefined;
}

export interface GivenName {
  readonly name: string;
  readonly at: Place;
}

/** How many of something run at once. */
export interface Scale {
  /** At most: replicas, or the autoscaler's maximum. */
  readonly instances: Known;
  /** Before an autoscaler adds to them. Absent: the same. */
  readonly started?: Known | undefined;
  /** How many more run while a new version replaces so many. Absent: none, or not known. */
  readonly surge?: ((instances: Known) => Known) | undefined;
}

/** Something that runs code of this repository. */
export interface Service extends Scale {
  readonly name: string;
  /** Where the workload is declared. */
  readonly at: Place;
  /** A function of AWS Lambda. */
  readonly isFunction?: boolean;
  /** Operating-system processes per instance, each with its own pools. */
  readonly processes: Known;
  readonly environment: Environment;
  readonly pools: readonly ServicePool[];
  readonly foreignPools: readonly ForeignPool[];
  readonly servers: readonly HttpServer[];
  readonly programs: readonly ServerProgram[];
}

/** A pool as far as it counts. */
export interface CountedPool {
  /** Its most connections per process. */
  readonly size: Known;
  /** Where its connections go; undefined when that is not in the root or not known. */
  readonly target: Target | undefined;
}

/** A pool of code that is not JavaScript, as its configuration has it. */
export interface ForeignPool extends CountedPool {
  /** For messages. */
  readonly name: string;
  readonly place: Place;
  /** The driver behind it, and the startup parameters that it sends by itself. Absent: not known, or none. */
  readonly driver?: { readonly name: string; readonly sends: readonly string[] } | undefined;
}

/** A pool of the source as it runs in one service. */
export interface ServicePool extends CountedPool {
  readonly site: PoolSite;
  /** The container of the stack that its connections are opened to. Absent: none, or not known. */
  readonly opensTo?: { readonly container: Place; readonly port: number } | undefined;
  /** The SQL that the source sends through it or through a lease taken from it. */
  readonly sendings: readonly Sending[];
  /** What the source has prepared by name on its connections. */
  readonly prepared: readonly Prepared[];
  /** What packages keep on the session of one of its connections. */
  readonly kept: readonly KeptOnSession[];
  /** The query of the URL that it connects with. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The host and port that it connects to, as far as they are known. */
  readonly address: Server | undefined;
}

export interface Server {
  readonly host: string;
  /** undefined: that of the driver. */
  readonly port: number | undefined;
}

/** A program that a container starts to change the schema of a database. */
export interface Migration {
  readonly tool: MigrationTool;
  /** What starts it. */
  readonly at: Place;
  readonly target: Target | undefined;
  /** The advisory lock that it holds for its session, by the function that takes it. */
  readonly lock: string | undefined;
  /** The SQL that it runs, as far as it is in the project. */
  readonly files: readonly Text[];
}

export type Target =
  | { readonly kind: 'database'; readonly database: Database; readonly evidence: readonly Evidence[] }
  | { readonly kind: 'pooler'; readonly pooler: Pooler; readonly entry: PoolerEntry; readonly evidence: readonly Evidence[] };

export interface Pooler extends Scale {
  readonly name: string;
  readonly software: PoolerSoftware;
  readonly at: Place;
  /** undefined: not known. */
  readonly version: Version | undefined;
  /** The most clients of one instance. Absent: not known. */
  readonly maxClients?: Known | undefined;
  /** How its container runs it. Absent: not known. */
  readonly run?: PoolerRun;
  readonly behaviour: PoolerBehaviour;
  /** The pgbouncer.ini that is made for it, when none is in the project. */
  readonly document?: PgbouncerDocument;
  readonly entries: readonly PoolerEntry[];
}

/** What a container gives a pooler, and how it starts and ends it. */
export interface PoolerRun {
  readonly files: ContainerFiles;
  /** The most files and sockets that it may have open. Absent: left to the machine. */
  readonly descriptors?: Known | undefined;
  /** It is told to take the sockets of the one that runs (`-R`). */
  readonly takesOver?: Place | undefined;
  /** What ends it is a SIGTERM alone, as Kubernetes sends it: no hook comes first. */
  readonly endsBySigterm: boolean;
}

/** What a pooler does with what belongs to one client; undefined is what is not known of it. */
export interface PoolerBehaviour {
  /**
   * What becomes of session state when each transaction may get another server connection. `stays`: it is there for whoever gets the
   * connection next. `gone`: the pooler removes it. undefined: it may be restored for its client.
   */
  lost(state: SessionState): 'stays' | 'gone' | undefined;
  readonly prepared: PreparedFate;
  /** What becomes of a parameter that a client sends when it connects. */
  startup(parameter: string, value: string | undefined): StartupFate | undefined;
  /** Where it is told which of them to ignore. */
  readonly startupTold: Place | undefined;
}

/** Whether statements that are prepared by name are known on every server connection. */
export interface PreparedFate {
  /** `from 1.24`: it depends on a version of PgBouncer that is not known. */
  readonly carried: boolean | 'from 1.24' | undefined;
  readonly told: Evidence | undefined;
  /** What to do in the pooler, as a clause. */
  readonly remedy: string | undefined;
}

export type PoolMode = 'session' | 'transaction' | 'statement';

/** One line of `[databases]`; the name is `*` for the fallback. */
export interface PoolerEntry {
  readonly name: string;
  readonly at: Place;
  readonly mode: { readonly value: PoolMode; readonly source: Source; readonly evidence: Evidence };
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

/** A reverse proxy in front of services. */
export interface Proxy extends Scale {
  readonly name: string;
  readonly software: ProxySoftware;
  /** Where the workload is declared. */
  readonly at: Place;
  /** undefined: not known. */
  readonly version: Version | undefined;
  readonly routes: readonly ProxyRoute[];
}

export type ProxySoftware = 'nginx' | ControllerName;

/** What a proxy does with requests and connections. */
export interface Proxying {
  readonly reuse: Reuse;
  /** How long it waits for an answer. Absent: that cannot be told. */
  readonly answer?: TimeLimit | undefined;
  /** A request that fails is not even sent again when that is safe. */
  readonly givesUp?: boolean;
  /** Absent: it sends no POST again, or that is judged by its configuration itself. */
  readonly resends?: Resending | undefined;
}

/** What makes a proxy send a POST again. */
export interface Resending {
  readonly at: Place;
  readonly events: readonly string[];
}

/** One way that a proxy passes requests on. */
export interface ProxyRoute extends Proxying {
  /** What passes them on: a `proxy_pass`, a backend of an Ingress. */
  readonly at: Place;
  /** The servers of the repository that get the requests. */
  readonly servers: readonly RoutedServer[];
  /** The same, where the code is not JavaScript. */
  readonly programs: readonly RoutedProgram[];
  /** The nginx that gets them, when it is one. */
  readonly nginx?: Nginx | undefined;
}

/** An nginx with everything that it reads: one that is seen to run, or a configuration of which nobody knows who runs it. */
export interface Nginx extends Proxy {
  readonly software: 'nginx';
  readonly config: NginxDocument;
  readonly problems: readonly Problem[];
  readonly routes: readonly NginxRoute[];
}

export function isNginx(proxy: Proxy): proxy is Nginx {
  return proxy.software === 'nginx';
}

export interface NginxRoute extends ProxyRoute {
  /** As the configuration has it, with the blocks around. */
  readonly route: Route;
  readonly reached: Reached;
}

/** What a proxy does with the connection to the application when a response is over. */
export type Reuse =
  | CertainReuse
  /** The version is not known, and decides: until `since` they are closed. */
  | { readonly kind: 'depends'; readonly since: Version; readonly before: Closed; readonly after: CertainReuse };

export type CertainReuse = Kept | Closed | { readonly kind: 'unknown' };

export interface Kept {
  readonly kind: 'kept';
  /** How long it is kept for the next request, ms. */
  readonly idle: Known;
  /** Why it is kept at all. */
  readonly evidence: readonly Evidence[];
}

export interface Closed {
  readonly kind: 'closed';
  readonly causes: readonly CloseCause[];
}

/** Why a connection is not kept, and what says so: a directive, or the one whose block lacks it. */
export interface CloseCause extends Evidence {
  readonly kind:
    | 'address'
    | 'noKeepalive'
    | 'keepaliveOff'
    | 'order'
    | 'noIdleTime'
    | 'http10'
    | 'closeByDefault'
    | 'lost'
    | 'close'
    | 'closeMap'
    | 'keepConn'
    | 'protocol';
  readonly by: Directive;
  /** `lost`: the names of the headers that are dropped. */
  readonly lost?: readonly string[];
}

export interface RoutedServer {
  readonly service: Service;
  readonly server: HttpServer;
}

export interface RoutedProgram {
  readonly service: Service;
  readonly program: ServerProgram;
}

/** A program that serves HTTP for code in another language: Gunicorn, Puma … */
export interface ServerProgram {
  readonly name: string;
  /** The word that starts it. */
  readonly place: Place;
  /** What tells it for how long to keep an idle connection. */
  readonly setting: string;
  /** How a time is written there. */
  readonly unit: 's' | 'ms';
  /** How long it keeps one, ms. */
  readonly keeps: Known;
}
