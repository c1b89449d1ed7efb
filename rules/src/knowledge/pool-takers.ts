/**
 * Packages that are given a pool and leave its events to whoever made it; some close it when they are closed themselves.
 * Sources: https://kysely.dev/docs/getting-started, https://orm.drizzle.team/docs/get-started-postgresql, the frameworks' documentation
 */
const takers: Readonly<Record<string, { readonly closes: boolean }>> = {
  '@nestjs/common': { closes: false },
  'drizzle-orm': { closes: false },
  express: { closes: false },
  fastify: { closes: false },
  hono: { closes: false },
  koa: { closes: false },
  kysely: { closes: true },
};

function takerOf(specifier: string) {
  const name = Object.keys(takers).find((each) => specifier === each || specifier.startsWith(`${each}/`));
  return name === undefined ? undefined : takers[name];
}

/** Whether a package may listen to a pool that it is given. */
export function mayListen(specifier: string): boolean {
  return takerOf(specifier) === undefined;
}

/** Whether a package may close a pool that it is given. */
export function mayClose(specifier: string): boolean {
  return takerOf(specifier)?.closes !== false;
}
