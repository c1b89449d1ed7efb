import type { Text } from '@poolcheck/parsers/text';
import { postgresqlDefaults } from '../../knowledge/postgresql.ts';
import type { Project } from '../../project.ts';
import { withImageVariables } from '../built-image.ts';
import type { ImageOf } from '../images.ts';
import type { Migration, Pooler } from '../model.ts';
import type { FoundPooler } from '../poolers/found.ts';
import type { ApplicationsOf } from '../services/applications.ts';
import type { PrismaUrls } from '../services/prisma.ts';
import { runsOf, type RunSources } from '../services/runs.ts';
import { completeTarget, type FoundTarget, type Servers, targetOf } from '../services/targets.ts';
import type { Container, Workload } from '../stack.ts';
import { sqlFilesOf } from './files.ts';
import { type FoundMigration, migrationsIn } from './recognise.ts';

export interface MigrationSources extends RunSources {
  readonly project: Project;
  readonly prisma: PrismaUrls;
  readonly imageOf: ImageOf;
  readonly applicationsOf: ApplicationsOf;
}

/** A migration before the poolers are complete. */
export interface DirectedMigration extends FoundMigration {
  readonly target: FoundTarget | undefined;
  readonly files: readonly Text[];
}

/** The migrations that the containers of a stack start, those that run before others included. */
export function migrationsOf(servers: Servers, sources: MigrationSources): readonly DirectedMigration[] {
  return servers.stack.workloads.flatMap((workload) =>
    [...(workload.initContainers ?? []), ...workload.containers].flatMap((container) => inContainer(container, workload, servers, sources)),
  );
}

function inContainer(container: Container, workload: Workload, servers: Servers, sources: MigrationSources): readonly DirectedMigration[] {
  const image = sources.imageOf(container);
  const [application] = sources.applicationsOf(container, image);
  if (!application) return [];
  const { commands, folder, built } = application;
  const environment = withImageVariables(container.environment, built);
  const found = migrationsIn(runsOf(commands, folder ?? '', sources), { container, environment, prisma: sources.prisma });
  return found.map((each) => ({
    ...each,
    target: each.address && targetOf({ ...each.address, port: each.address.port ?? postgresqlDefaults.port }, workload, servers),
    files: sqlFilesOf(each, image.files(), sources.project),
  }));
}

/** The migration once it is known who else logs in. */
export function completeMigration(
  { tool, at, lock, files, target }: DirectedMigration,
  poolers: ReadonlyMap<FoundPooler, Pooler>,
): Migration {
  return { tool, at, lock, files, target: completeTarget(target, poolers) };
}
