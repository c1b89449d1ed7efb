import { type ConfigDocument, documentsOf } from '../documents.ts';
import { hostedPoolers } from '../knowledge/hosted-poolers.ts';
import { assumed, type Source } from '../known.ts';
import type { Project } from '../project.ts';
import type { PoolSite } from '../source/pools.ts';
import type { Program } from '../source/program.ts';
import type { Environment } from '../source/setting.ts';
import { parseUrl } from './address.ts';
import { readEnvFile } from './env-files.ts';
import { scriptMigrations, type ScriptSources } from './migrations/scripts.ts';
import type { Deployment, Service, ServicePool, Target } from './model.ts';
import { folderOf, isWithin, nameOf } from './paths.ts';
import { hostedPoolersOf } from './poolers/hosted.ts';
import { addressOf, type PoolAddress } from './services/addresses.ts';

/** Completes a pool that was followed to its target. */
export type PoolTo = (site: PoolSite, environment: Environment, address: PoolAddress, target: Target) => ServicePool;

/**
 * The environments of code that runs where no manifest says so: those that .env files draw, and what the source itself has written down.
 * Only what leads to the pooler of a provider is known of them.
 */
export function hostedDeployments(
  documents: readonly ConfigDocument[],
  project: Project,
  program: Program,
  sites: readonly PoolSite[],
  poolTo: PoolTo,
  sources: ScriptSources,
): readonly Deployment[] {
  const files = documentsOf(documents, 'env').flatMap(({ text }) => environmentIn(text.path, project));
  const drawn = [...files, inSource].toSorted((a, b) => Number(a.source !== 'written') - Number(b.source !== 'written'));
  return drawn.flatMap((each) => deploymentOf(each, sites, program, poolTo, sources) ?? []);
}

interface Drawn {
  readonly name: string;
  /** The folder of the code that it is for, root-relative. */
  readonly folder: string;
  readonly environment: Environment;
  /** How sure it is that code runs with it. */
  readonly source: Source;
}

/** The variables that drivers of PostgreSQL read by themselves are rarely set where the host is written down. */
const inSource: Drawn = {
  name: '.',
  folder: '',
  environment: (name) => ({ state: name.startsWith('PG') ? 'unset' : 'unknown' }),
  source: 'written',
};

/** Examples and what is for one developer's machine may be filled otherwise. */
const deployed = /^\.env(\.prod(uction)?)?$/;

function environmentIn(path: string, project: Project): readonly Drawn[] {
  const variables = readEnvFile(path, project, () => undefined);
  const leads = Array.from(variables?.values() ?? []).some((variable) => variable.state === 'set' && isHosted(variable.value));
  if (!variables || !leads) return [];
  const source = deployed.test(nameOf(path)) ? 'written' : 'assumed';
  return [{ name: path, folder: folderOf(path), environment: (name) => variables.get(name) ?? { state: 'unknown' }, source }];
}

function isHosted(value: string): boolean {
  return hostedPoolers.some(({ host }) => host.test(parseUrl(value)?.host ?? value));
}

function deploymentOf(
  drawn: Drawn,
  sites: readonly PoolSite[],
  program: Program,
  poolTo: PoolTo,
  sources: ScriptSources,
): Deployment | undefined {
  const { name, environment, source } = drawn;
  const hosted = hostedPoolersOf(source);
  const pools = sites.flatMap((site) => {
    const address = isFor(drawn, site, program) ? addressOf(site, environment) : undefined;
    const target = address && hosted.targetOf(address, address.port ?? site.options.defaultPort);
    return address && target ? [poolTo(site, environment, address, target)] : [];
  });
  const migrations = scriptMigrations(drawn.folder, environment, hosted, sources);
  const [first] = pools;
  if (!first && migrations.length === 0) return undefined;
  const services = first ? [serviceOf(drawn, first, pools)] : [];
  return { name, services, poolers: hosted.found(), databases: [], proxies: [], given: [], migrations };
}

/** Code of the folder, or that code of the folder imports. */
function isFor({ folder }: Drawn, { module: { path } }: PoolSite, program: Program): boolean {
  return isWithin(folder, path) || program.modules.some((module) => isWithin(folder, module.path) && program.reaches(module.path, path));
}

function serviceOf({ name, environment }: Drawn, { site }: ServicePool, pools: readonly ServicePool[]): Service {
  const instances = assumed(1, Infinity, 'how many run is not known');
  return { name, at: site.place, instances, processes: instances, environment, pools, foreignPools: [], servers: [], programs: [] };
}
