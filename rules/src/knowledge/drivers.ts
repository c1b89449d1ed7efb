import { isChanging, packageIn } from './changing.ts';
import type { DeclaredType } from './declared-type.ts';
import type { Driver, ExportFact, Resource } from './driver.ts';
import { amqplib } from './drivers/amqplib.ts';
import { bullmq } from './drivers/bullmq.ts';
import { drizzle } from './drivers/drizzle.ts';
import { genericPool } from './drivers/generic-pool.ts';
import { ioredis } from './drivers/ioredis.ts';
import { knex } from './drivers/knex.ts';
import { kysely } from './drivers/kysely.ts';
import { mariadb } from './drivers/mariadb.ts';
import { mikroOrm } from './drivers/mikro-orm.ts';
import { mongodb, mongoose } from './drivers/mongodb.ts';
import { mssql } from './drivers/mssql.ts';
import { mysql } from './drivers/mysql.ts';
import { mysql2 } from './drivers/mysql2.ts';
import { neon } from './drivers/neon.ts';
import { nodemailer } from './drivers/nodemailer.ts';
import { objection } from './drivers/objection.ts';
import { oracledb } from './drivers/oracledb.ts';
import { pg } from './drivers/pg.ts';
import { pgPromise } from './drivers/pg-promise.ts';
import { postgres } from './drivers/postgres.ts';
import { prisma } from './drivers/prisma.ts';
import { promiseMysql } from './drivers/promise-mysql.ts';
import { redis } from './drivers/redis.ts';
import { sequelize } from './drivers/sequelize.ts';
import { sessionKeepers } from './drivers/session-keepers.ts';
import { slonik } from './drivers/slonik.ts';
import { tarn } from './drivers/tarn.ts';
import { typeorm } from './drivers/typeorm.ts';
import { vercelPostgres } from './drivers/vercel-postgres.ts';

/** Every driver that poolcheck knows. A new one is a file in `drivers/` and a line here. */
export const drivers: readonly Driver[] = [
  amqplib,
  bullmq,
  ...drizzle,
  genericPool,
  ioredis,
  knex,
  kysely,
  mariadb,
  mikroOrm,
  mongodb,
  mongoose,
  mssql,
  mysql,
  mysql2,
  neon,
  nodemailer,
  objection,
  oracledb,
  pg,
  pgPromise,
  postgres,
  prisma,
  promiseMysql,
  redis,
  ...sequelize,
  ...sessionKeepers,
  slonik,
  tarn,
  typeorm,
  vercelPostgres,
];

const bySpecifier = new Map(drivers.flatMap((driver) => Object.keys(driver.packages).map((specifier) => [specifier, driver] as const)));

/** Where Prisma's generators put their client, in the projects that keep it with their source. */
const generatedPrisma = /(^|[/#])generated\/(prisma|client|prisma-client)(\/client|\/index)?(\.[jt]s)?$/;

/** Whether a module specifier leads to a driver that was generated into the root. */
export function isGeneratedDriver(specifier: string): boolean {
  return generatedPrisma.test(specifier);
}

function packageOf(specifier: string): string {
  return isGeneratedDriver(specifier) ? '@prisma/client' : specifier;
}

/** Whether a module specifier names a driver, or a package that somebody declared to be one. */
export function isDriver(specifier: string, declared: readonly Driver[] = []): boolean {
  return bySpecifier.has(packageOf(specifier)) || declared.some(({ packages }) => Object.hasOwn(packages, specifier));
}

/** What an export of a driver makes or stands for. */
export function driverExport(specifier: string, path: string, declared: readonly Driver[] = []): KnownExport | undefined {
  const name = packageOf(specifier);
  for (const driver of [bySpecifier.get(name), ...declared]) {
    const facts = driver && Object.hasOwn(driver.packages, name) ? driver.packages[name] : undefined;
    const fact = facts && Object.hasOwn(facts, path) ? facts[path] : undefined;
    if (driver && fact) return { driver, fact };
  }
  return undefined;
}

interface KnownExport {
  readonly driver: Driver;
  readonly fact: ExportFact;
}

/** The resource that a type stands for, as the module of the driver that declares it says. */
export function driverType({
  package: name,
  file,
  name: path,
}: DeclaredType): { readonly driver: Driver; readonly resource: string } | undefined {
  const specifier = innermostModule(`${name}/${file}`);
  if (specifier === undefined) return undefined;
  // Of `export = postgres` a user sees `Sql` where the package declares `postgres.Sql`.
  const known = driverExport(specifier, path) ?? driverExport(specifier, path.replace(/^[^.]*\./, ''));
  return known?.fact.type === undefined ? undefined : { driver: known.driver, resource: known.fact.type };
}

function innermostModule(file: string): string | undefined {
  const around = [...bySpecifier.keys()].filter((specifier) => `${file}/`.startsWith(`${specifier}/`));
  return around.toSorted((a, b) => a.length - b.length).at(-1);
}

/** The packages whose versions differ in what is said of them here. */
export const changingPackages: readonly string[] = [
  ...new Set(drivers.flatMap(({ resources }) => Object.values(resources).flatMap(changesIn))),
].sort();

function changesIn({ options, secondRelease, resetsOnRelease }: Resource): readonly string[] {
  const { max, min, acquireTimeout, unknownOption, since = {} } = options ?? {};
  const facts = [max?.default, max?.reads, min?.enforced?.default, acquireTimeout?.default, unknownOption];
  const changing = [...facts, secondRelease, resetsOnRelease?.default].flatMap((fact) => (isChanging<unknown>(fact) ? [fact.package] : []));
  return [...changing, ...Object.values(since).map(packageIn)];
}

const members = new Set(
  drivers.flatMap(({ resources }) =>
    Object.values(resources).flatMap(({ methods, properties }) => [...Object.keys(methods), ...Object.keys(properties ?? {})]),
  ),
);

/** What lists, maps and promises have: nearly everything that such a name is read of is one. */
const commonMembers = new Set([Array, Map, Set, Promise].flatMap(({ prototype }) => Object.getOwnPropertyNames(prototype)));

/** Whether a member's name hints at a pool, lease or connection: some driver has it there, and the language has it nowhere. */
export function isDriverMember(name: string): boolean {
  return members.has(name) && !commonMembers.has(name);
}
