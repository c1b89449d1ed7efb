/** Functions that make SQL of the text that they are given, as it is; by package, then by export. */
const writers: Readonly<Record<string, readonly string[]>> = {
  // https://orm.drizzle.team/docs/sql#sqlraw
  'drizzle-orm': ['sql.raw'],
  // https://www.prisma.io/docs/orm/prisma-client/using-raw-sql/raw-queries
  '@prisma/client': ['Prisma.raw', 'Prisma.sql'],
  // https://kysely-org.github.io/kysely-apidoc/interfaces/Sql.html#raw
  kysely: ['sql.raw'],
  // https://sequelize.org/api/v6/class/src/sequelize.js~sequelize#static-method-literal
  sequelize: ['Sequelize.literal', 'literal'],
};

/** Whether an export of a package makes SQL of a text. */
export function writesSql(name: string, path: string): boolean {
  return Object.hasOwn(writers, name) && writers[name]?.includes(path) === true;
}
