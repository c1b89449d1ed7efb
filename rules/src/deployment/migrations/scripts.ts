import { commandsOf } from '@poolcheck/parsers/shell/words';
import { placeOf } from '@poolcheck/parsers/text';
import { postgresqlDefaults } from '../../knowledge/postgresql.ts';
import type { Environment } from '../../source/setting.ts';
import type { Migration } from '../model.ts';
import { isWithin } from '../paths.ts';
import type { HostedPoolers } from '../poolers/hosted.ts';
import type { Package } from '../services/packages.ts';
import type { PrismaUrls } from '../services/prisma.ts';
import { runsOf, type RunSources } from '../services/runs.ts';
import { migrationsIn } from './recognise.ts';

export interface ScriptSources extends RunSources {
  readonly prisma: PrismaUrls;
}

/** The migrations among the scripts of a folder's packages that reach the pooler of a provider from an environment. */
export function scriptMigrations(
  folder: string,
  environment: Environment,
  hosted: HostedPoolers,
  sources: ScriptSources,
): readonly Migration[] {
  const packages = sources.packages.folders.filter((each) => isWithin(folder, each)).flatMap((each) => sources.packages.in(each) ?? []);
  return packages.flatMap((each) => migrationsOfPackage(each, environment, hosted, sources));
}

function migrationsOfPackage(
  { folder, scripts }: Package,
  environment: Environment,
  hosted: HostedPoolers,
  sources: ScriptSources,
): readonly Migration[] {
  return [...scripts.values()].flatMap((text) => {
    const container = { image: undefined, at: placeOf(text, { start: 0, end: text.content.length }) };
    const found = migrationsIn(runsOf(commandsOf(text), folder, sources), { container, environment, prisma: sources.prisma });
    return found.flatMap(({ tool, at, lock, address }) => {
      const target = address && hosted.targetOf(address, address.port ?? postgresqlDefaults.port);
      return target ? [{ tool, at, lock, target, files: [] }] : [];
    });
  });
}
