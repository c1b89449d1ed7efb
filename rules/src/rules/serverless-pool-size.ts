import { folderOf, joinPath } from '../deployment/paths.ts';
import { runningPools } from '../deployment/running.ts';
import { addressOf } from '../deployment/services/addresses.ts';
import { moduleAt } from '../deployment/services/entries.ts';
import { poolSize } from '../deployment/services/pool-size.ts';
import { documentsOf, type ConfigDocument } from '../documents.ts';
import { hostedPooler } from '../knowledge/hosted-poolers.ts';
import { exceeds, type Known, show, sum } from '../known.ts';
import { projectRule } from '../rule.ts';
import { type Handler, handlersIn } from '../serverless/functions.ts';
import { addOption } from '../source/add-option.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import { anyEnvironment } from '../source/setting.ts';

/** A request may send some queries side by side; more connections than this wait for a request that does not come. */
const enough = 4;
const sizeInFix = 2;

export default projectRule({
  id: 'serverless-pool-size',
  severity: 'warning',
  summary: 'Each instance of a function keeps more connections than one request can use.',
  messages: {
    unlimited:
      'Each instance of {functions} handles one request at a time, but {pool} may open {size} connections in it, and a frozen instance keeps them. Nothing limits how many instances there are: {example} of them hold {held}. A size of 1 or {few} is enough.',
    limited:
      'Each instance of {functions} handles one request at a time, but {pool} may open {size} connections in it, and a frozen instance keeps them: {instances} instances hold up to {held}. A size of 1 or {few} is enough.',
  },
  *check({ program, documents, deployments }) {
    const functions = loadedFunctions(documents, program);
    if (functions.length === 0) return;
    for (const site of program.pools) {
      if (site.role !== 'pool' || site.module.role !== 'production' || !isSql(site)) continue;
      const users = functions.filter(({ module }) => program.reaches(module, site.module.path)).map(({ handler }) => handler);
      const size = poolSize(site, anyEnvironment, undefined);
      if (users.length === 0 || size.source === 'assumed' || !exceeds(size, limit)) continue;
      if (runningPools(site, deployments).some(({ service }) => !service.isFunction)) continue;
      if (users.some((user) => leadsToPooler(site, user))) continue;
      const instances = instancesOf(users);
      const example = 50;
      yield {
        at: site.place,
        message: instances ? 'limited' : 'unlimited',
        data: {
          functions: users.map(({ name }) => name).join(', '),
          pool: site.name ?? 'the pool',
          size: show(size),
          few: sizeInFix,
          ...(instances ? { instances: show(instances), held: instances.high * size.low } : { example, held: example * size.low }),
        },
        related: [
          ...users.map(({ at, name }) => ({ at, message: `${name} runs it` })),
          ...(instances?.evidence ?? []).flatMap(({ place, says }) => (place ? [{ at: place, message: says }] : [])),
        ],
        fixes: site.max ? [] : (site.options.max?.names.slice(0, 1).flatMap((name) => addOption(site, name, sizeInFix)) ?? []),
        symbol: site.name ?? '',
      };
    }
  },
});

const limit: Known = { low: enough, high: enough, source: 'written', evidence: [] };

function isSql({ driver: { engine } }: PoolSite): boolean {
  return engine === 'postgresql' || engine === 'mysql' || engine === 'any';
}

/** The pooler of a provider takes as many clients as there are. */
function leadsToPooler(site: PoolSite, { environment }: Handler): boolean {
  const address = addressOf(site, environment);
  return address !== undefined && hostedPooler(address.host, address.port ?? site.options.defaultPort) !== undefined;
}

interface LoadedFunction {
  readonly handler: Handler;
  /** Root-relative. */
  readonly module: string;
}

/** The functions whose handler is a module of the project. */
function loadedFunctions(documents: readonly ConfigDocument[], program: Program): readonly LoadedFunction[] {
  const files = [...documentsOf(documents, 'sam'), ...documentsOf(documents, 'serverless')];
  const hasFile = (path: string) => program.module(path) !== undefined;
  return files.flatMap((file) =>
    handlersIn(file).flatMap((handler) => {
      const folder = joinPath(folderOf(file.text.path), handler.folder);
      const path = handler.handler.replace(/\.\w+$/, '');
      const found = folder === undefined ? undefined : moduleAt(path, folder, { hasFile });
      return found?.kind === 'module' ? [{ handler, module: found.path }] : [];
    }),
  );
}

/** undefined: nothing limits some of them. */
function instancesOf(handlers: readonly Handler[]): Known | undefined {
  const limits = handlers.flatMap(({ concurrency }) => concurrency ?? []);
  const known = limits.length === handlers.length && limits.every(({ source }) => source === 'written');
  return known ? sum(limits) : undefined;
}
