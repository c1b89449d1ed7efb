import type { ProjectProblem } from '../finding.ts';
import type { Installations } from '../installed/installations.ts';
import { groupBy } from '../group.ts';
import { lazy } from '../lazy.ts';
import { ambientTransactions } from '../knowledge/injection.ts';
import type { Project } from '../project.ts';
import { Carried } from './carried.ts';
import { isInIsolates, isIsolate } from './handlers/isolates.ts';
import { Origins, type Use } from './handlers/origins.ts';
import { namesCarrier } from './injection.ts';
import { leasesOf, type Leases } from './leases/leases.ts';
import type { FunctionNode, Module } from './module.ts';
import { poolSiteOf } from './pools.ts';
import type { PoolSite } from './pools.ts';
import { limitsStatements } from './uses/statement-limits.ts';
import { PoolUses } from './uses/pool-uses.ts';
import type { ImportGraph } from './relevance.ts';
import { usesIn } from './remaking/calls.ts';
import { endingsIn, type Ending } from './remaking/ending.ts';
import { remakingsIn, type Remaking } from './remaking/remaking.ts';
import { sharedConnectionsIn, type SharedConnection } from './remaking/shared.ts';
import { runsIn, wayTo, type Way } from './remaking/runs.ts';
import { HeldConnections } from './held/held.ts';
import { serversOf, type HttpServer } from './servers.ts';
import { sendingsIn, type Sending } from './statements.ts';
import { servicesOf } from './uses/services.ts';
import { survivorsOf } from './uses/uncaught.ts';
import { sourcesOf, type ProgramOptions } from './sources.ts';
import { Values } from './values.ts';

/** The TS/JS of a root: the modules that matter to pools, what their expressions are, and the pools they make. */
export interface Program {
  /** The files worth a look, by path: they name a driver or reach a file that does. */
  readonly modules: readonly Module[];
  readonly values: Values;
  /** Where values come from outside the root. */
  readonly origins: Origins;
  readonly pools: readonly PoolSite[];
  poolsIn(module: Module): readonly PoolSite[];
  /** The SQL that its modules send. */
  readonly sendings: readonly Sending[];
  readonly sendingsIn: (module: Module) => readonly Sending[];
  /** The connections that its modules borrow, and what becomes of them. */
  readonly leases: Leases;
  /** Where its code holds connections, and what it waits for in the meantime. */
  readonly held: HeldConnections;
  /** The pools and connections that its handlers make each time that they run. */
  readonly remakings: readonly Remaking[];
  /** The pools and connections that outlive its handlers and that these close. */
  readonly endings: readonly Ending[];
  /** The single connections that its handlers of requests share. */
  readonly sharedConnections: readonly SharedConnection[];
  /** The HTTP servers that its production code starts. */
  readonly servers: readonly HttpServer[];
  /** What is done with its pools. */
  readonly poolUses: PoolUses;
  /** The files that long-lived services load, and the server that makes each of them one. */
  readonly services: ReadonlyMap<string, HttpServer>;
  /** The files that run in processes which live on after an exception that nothing catches. */
  readonly survivors: ReadonlySet<string>;
  /** Something besides the options of pools limits how long a statement may run: the role, the database, the server, a pooler. */
  readonly limitsStatements: boolean;
  /** Something puts queries into a transaction that the code around them began, without its being passed on. */
  readonly hasAmbientTransactions: boolean;
  /** Where a function is called, or handed to a call by name. */
  readonly usesOf: (fn: FunctionNode) => readonly Use[];
  /** The nearest handler that runs a function each time, and the calls from there. */
  readonly wayTo: (fn: FunctionNode) => Way | undefined;
  readonly graph: ImportGraph;
  readonly installations: Installations;
  /** Files that could not be parsed. */
  readonly problems: readonly ProjectProblem[];
  /** A module of the root, parsed when first asked for. */
  module(path: string): Module | undefined;
  /** Whether only Workers and edge functions load a file. */
  isInIsolates(path: string): boolean;
  /** Whether `from` is `to` or imports it, directly or through others. */
  reaches(from: string, to: string): boolean;
  /** The files that reach one, itself among them. */
  reaching(to: string): ReadonlySet<string>;
}

export function programOf(project: Project, options: ProgramOptions = {}): Program {
  const { graph, module, imports, installations, problems } = sourcesOf(project, options);
  const modules = graph.relevant.flatMap((path) => module(path) ?? []);
  const values: Values = new Values(imports, options.types?.about(graph.relevant), {
    under: (...asked) => carried.under(...asked),
    readBy: (...asked) => carried.readBy(...asked),
  });
  const pools = lazy(() => modules.flatMap((each) => poolsIn(each, values)));
  const poolsByModule = lazy(() => groupBy(pools(), (pool) => pool.module));
  const sendings = lazy(() => modules.flatMap((each) => sendingsIn(each, values)));
  const sendingsByModule = lazy(() => groupBy(sendings(), (sending) => sending.module));
  const servers = lazy(() => serversOf(modules, values));
  const uses = lazy(() => usesIn(modules, values));
  const usesOf = (fn: FunctionNode) => uses().get(fn) ?? [];
  const origins = new Origins(values, usesOf);
  const carried = new Carried({ modules, values, origins, findUses: uses });
  if (modules.some(({ text }) => namesCarrier(text.content))) carried.collect();
  const leases = leasesOf(values, origins, modules, sendings);
  const reaching = reachingIn(graph);
  const reaches = (from: string, to: string) => from === to || reaching(to).has(from);
  const poolUses = lazy(() => new PoolUses({ modules, values, origins, usesOf, reaches }));
  const runs = lazy(() => {
    const serving = modules.filter((each) => each.role === 'production' && !isIsolate(each, project));
    return runsIn(serving, project, values);
  });
  const remakings = lazy(() => remakingsIn({ project, pools: pools(), values, runs }));
  const endings = lazy(() => endingsIn({ pools: pools(), values, poolUses: poolUses(), runs }));
  const sharedConnections = lazy(() => sharedConnectionsIn({ pools: pools(), values, poolUses: poolUses(), runs }));
  const services = lazy(() => servicesOf({ project, graph, servers: servers() }));
  const survivors = lazy(() => survivorsOf({ project, graph, values, module }));
  const limits = lazy(() => limitsStatements(project));
  const ambient = lazy(() => modules.some(({ text }) => ambientTransactions.test(text.content)));

  return {
    modules,
    values,
    origins,
    leases,
    held: new HeldConnections(values, leases, origins),
    graph,
    installations,
    problems,
    module,
    get pools() {
      return pools();
    },
    poolsIn: (each) => poolsByModule().get(each) ?? [],
    get sendings() {
      return sendings();
    },
    usesOf,
    wayTo: (fn) => wayTo(fn, runs(), values),
    sendingsIn: (each) => sendingsByModule().get(each) ?? [],
    get remakings() {
      return remakings();
    },
    get endings() {
      return endings();
    },
    get sharedConnections() {
      return sharedConnections();
    },
    get servers() {
      return servers();
    },
    get poolUses() {
      return poolUses();
    },
    get limitsStatements() {
      return limits();
    },
    get hasAmbientTransactions() {
      return ambient();
    },
    get services() {
      return services();
    },
    get survivors() {
      return survivors();
    },
    isInIsolates: (path) => isInIsolates(path, { project, graph, module }),
    reaches,
    reaching,
  };
}

function reachingIn(graph: ImportGraph): (to: string) => ReadonlySet<string> {
  const reaching = new Map<string, ReadonlySet<string>>();
  return (to) => {
    const known = reaching.get(to) ?? new Set([to, ...graph.reaching([to])]);
    reaching.set(to, known);
    return known;
  };
}

function poolsIn(module: Module, values: Values): readonly PoolSite[] {
  const candidates = [...module.nodes('NewExpression'), ...module.nodes('CallExpression')];
  return candidates.flatMap((node) => poolSiteOf(node, module, values) ?? []).sort((a, b) => a.place.range.start - b.place.range.start);
}
