import { isJavaScript } from '@poolcheck/parsers/javascript/parse';
import { textOf } from '@poolcheck/parsers/text';
import type { ProjectProblem } from '../finding.ts';
import { groupBy } from '../group.ts';
import { ambientTransactions } from '../knowledge/injection.ts';
import { isDriver, isGeneratedDriver } from '../knowledge/drivers.ts';
import { driversOf, type Wrappers } from '../knowledge/wrappers.ts';
import type { Project } from '../project.ts';
import { isInIsolates, isIsolate } from './handlers/isolates.ts';
import { Origins } from './handlers/origins.ts';
import { mayBeGivenPools } from './injection.ts';
import { leasesOf, type Leases } from './leases/leases.ts';
import { readModule } from './module.ts';
import type { FunctionNode, Module } from './module.ts';
import { ownDriversIn } from './own-drivers.ts';
import { poolSiteOf } from './pools.ts';
import type { PoolSite } from './pools.ts';
import { limitsStatements } from './uses/statement-limits.ts';
import { PoolUses } from './uses/pool-uses.ts';
import { importGraphOf } from './relevance.ts';
import type { ImportGraph } from './relevance.ts';
import { usesIn } from './remaking/calls.ts';
import { endingsIn, type Ending } from './remaking/ending.ts';
import { remakingsIn, type Remaking } from './remaking/remaking.ts';
import { sharedConnectionsIn, type SharedConnection } from './remaking/shared.ts';
import { runsIn, type Runs } from './remaking/runs.ts';
import { HeldConnections } from './held/held.ts';
import { resolverOf, type Resolve } from './resolve.ts';
import { serversOf, type HttpServer } from './servers.ts';
import { sendingsIn, type Sending } from './statements.ts';
import type { Types } from './types/oracle.ts';
import { servicesOf } from './uses/services.ts';
import { survivorsOf } from './uses/uncaught.ts';
import { Values, type Imports } from './values.ts';

/** The TS/JS of a root: the modules that matter to pools, what their expressions are, and the pools they make. */
export interface Program {
  /** The files worth a look, by path: they name a driver or reach a file that does. */
  readonly modules: readonly Module[];
  readonly values: Values;
  /** Where values come from outside the root. */
  readonly origins: Origins;
  readonly pools: readonly PoolSite[];
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
  readonly graph: ImportGraph;
  /** Files that could not be parsed. */
  readonly problems: readonly ProjectProblem[];
  /** A module of the root, parsed when first asked for. */
  module(path: string): Module | undefined;
  /** Whether only Workers and edge functions load a file. */
  isInIsolates(path: string): boolean;
  /** Whether `from` is `to` or imports it, directly or through others. */
  reaches(from: string, to: string): boolean;
}

export interface ProgramOptions {
  /** Further packages whose users are worth analysing (HTTP frameworks, when there is a proxy). */
  readonly alsoRelevant?: ReadonlySet<string>;
  /** Modules that are parsed already: what the editor has open. */
  readonly open?: ReadonlyMap<string, Module>;
  /** Who imports whom, when a program of the same imports has found it out. */
  readonly graph?: ImportGraph;
  /** A program whose modules this one shares. */
  readonly like?: Program;
  /** Knows the types of what syntax and imports leave open. */
  readonly types?: Types;
  /** What wraps drivers outside the root. */
  readonly wrappers?: Wrappers;
}

export function programOf(project: Project, { alsoRelevant, open, graph: known, like, types, wrappers }: ProgramOptions = {}): Program {
  const parsed = new Map<string, Module | undefined>(open);
  const problems: ProjectProblem[] = [];
  const resolveFile = resolverOf(project);
  const resolve: Resolve = (from, specifier) =>
    isGeneratedDriver(specifier) ? { kind: 'package', specifier } : resolveFile(from, specifier);
  const declared = wrappers && driversOf(wrappers);
  const isWanted = (specifier: string, from: string) =>
    isDriver(specifier, declared) || alsoRelevant?.has(specifier) === true || types?.isBuiltOnDriver(from, specifier) === true;
  const ownDriver = ownDriversIn(project);
  const graph =
    known ??
    importGraphOf(project, resolve, {
      isWanted,
      isRoot: (path) => ownDriver(path) !== undefined,
      isWorthWith: (path) => mayBeGivenPools(path, project.readText(path) ?? ''),
    });

  function parse(path: string): Module | undefined {
    if (parsed.has(path)) return parsed.get(path);
    const content = isJavaScript(path) ? project.readText(path) : undefined;
    const read = content === undefined ? undefined : readModule(textOf(path, content));
    parsed.set(path, read?.module);
    problems.push(...(read?.problems ?? []));
    return read?.module;
  }

  const module = like?.module ?? parse;
  const imports: Imports = {
    resolve(from, specifier) {
      const target = resolve(from.path, specifier);
      return target.kind === 'package' ? { package: target.specifier } : module(target.path);
    },
    ownDriver: ({ path }) => ownDriver(path),
    declared,
    importersOf: ({ path }) => graph.importersOf(path).flatMap((importer) => module(importer) ?? []),
  };
  const values = new Values(imports, types?.about(graph.relevant));
  const modules = graph.relevant.flatMap((path) => module(path) ?? []);
  let pools: readonly PoolSite[] | undefined;
  let sendings: readonly Sending[] | undefined;
  let servers: readonly HttpServer[] | undefined;
  let remakings: readonly Remaking[] | undefined;
  const sendingsOnce = () => (sendings ??= modules.flatMap((each) => sendingsIn(each, values)));
  let byModule: ReadonlyMap<Module, readonly Sending[]> | undefined;
  const poolsOnce = () => (pools ??= modules.flatMap((each) => poolsIn(each, values)));
  let uses: ReturnType<typeof usesIn> | undefined;
  const usesOf = (fn: FunctionNode) => (uses ??= usesIn(modules, values)).get(fn) ?? [];
  const origins = new Origins(values, usesOf);
  let poolUses: PoolUses | undefined;
  let shared: readonly SharedConnection[] | undefined;
  let endings: readonly Ending[] | undefined;
  let services: ReadonlyMap<string, HttpServer> | undefined;
  let limited: boolean | undefined;
  let ambient: boolean | undefined;
  let survivors: ReadonlySet<string> | undefined;
  const serversOnce = () => (servers ??= serversOf(modules, values));
  const poolUsesOnce = () => (poolUses ??= new PoolUses({ modules, values, origins, usesOf, reaches }));
  const importersOf = new Map<string, ReadonlySet<string>>();

  function reaches(from: string, to: string): boolean {
    const importers = importersOf.get(to) ?? new Set(graph.reaching([to]));
    importersOf.set(to, importers);
    return from === to || importers.has(from);
  }

  const leases = leasesOf(values, origins, sendingsOnce);
  let runs: Runs | undefined;
  const runsNearPools = () => (runs ??= runsIn(reachingPools().filter(isServing), project, values));
  const reachingPools = () => graph.reaching(poolsOnce().map((site) => site.module.path)).flatMap((path) => module(path) ?? []);
  const isServing = (each: Module) => each.role === 'production' && !isIsolate(each, project);
  return {
    modules,
    values,
    origins,
    leases,
    held: new HeldConnections(values, leases, origins),
    graph,
    problems,
    module,
    get pools() {
      return poolsOnce();
    },
    get sendings() {
      return sendingsOnce();
    },
    sendingsIn: (each) => (byModule ??= groupBy(sendingsOnce(), (sending) => sending.module)).get(each) ?? [],
    get remakings() {
      return (remakings ??= remakingsIn({ project, pools: poolsOnce(), values, runs: runsNearPools }));
    },
    get endings() {
      return (endings ??= endingsIn({ pools: poolsOnce(), values, poolUses: poolUsesOnce(), runs: runsNearPools }));
    },
    get sharedConnections() {
      return (shared ??= sharedConnectionsIn({ pools: poolsOnce(), values, poolUses: poolUsesOnce(), runs: runsNearPools }));
    },
    get servers() {
      return serversOnce();
    },
    get poolUses() {
      return poolUsesOnce();
    },
    get limitsStatements() {
      return (limited ??= limitsStatements(project));
    },
    get hasAmbientTransactions() {
      return (ambient ??= modules.some(({ text }) => ambientTransactions.test(text.content)));
    },
    get services() {
      return (services ??= servicesOf({ project, graph, servers: serversOnce() }));
    },
    get survivors() {
      return (survivors ??= survivorsOf({ project, graph, values, module }));
    },
    isInIsolates: (path) => isInIsolates(path, { project, graph, module }),
    reaches,
  };
}

function poolsIn(module: Module, values: Values): readonly PoolSite[] {
  const candidates = [...module.nodes('NewExpression'), ...module.nodes('CallExpression')];
  return candidates.flatMap((node) => poolSiteOf(node, module, values) ?? []).sort((a, b) => a.place.range.start - b.place.range.start);
}
