import type { Version, VersionRange } from '../version.ts';

/** The oldest versions that are maintained, or were not long ago. */
const oldest: Readonly<Record<string, Version>> = {
  '@mikro-orm/core': [6, 0, 0],
  '@prisma/client': [6, 0, 0],
  knex: [1, 0, 0],
  mariadb: [2, 5, 0],
  mongodb: [4, 0, 0],
  mongoose: [6, 0, 0],
  mssql: [7, 0, 0],
  mysql2: [3, 1, 0],
  sequelize: [6, 0, 0],
  tarn: [3, 0, 0],
};

/** What a version can be when nothing tells which is installed. */
export function supportedVersions(name: string): VersionRange {
  return { low: (Object.hasOwn(oldest, name) ? oldest[name] : undefined) ?? [0, 0, 0], below: undefined };
}
