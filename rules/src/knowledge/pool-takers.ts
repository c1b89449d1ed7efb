/**
 * Packages that use a pool they are given and leave its events and its end to whoever made it.
 * Sources: https://kysely.dev/docs/getting-started, https://orm.drizzle.team/docs/get-started-postgresql
 */
const quiet = /^(kysely|drizzle-orm|@nestjs\/common|express|fastify|koa|hono)(\/|$)/;

/** Whether a package leaves the events of a pool that it is given alone. */
export function isQuietPackage(name: string): boolean {
  return quiet.test(name);
}
