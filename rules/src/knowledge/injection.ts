/**
 * Decorators that put what belongs to an application's default data source into a class, and how many arguments they have then: one more
 * names another one. Source: https://docs.nestjs.com/techniques/database#multiple-databases
 */
const injectors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '@nestjs/typeorm': { InjectRepository: 1, InjectDataSource: 0, InjectConnection: 0, InjectEntityManager: 0 },
};

/** Whether a decorator stands for the default data source; undefined when it is not about data sources. */
export function injectsDefault(specifier: string, name: string, given: number): boolean | undefined {
  const expected = injectors[specifier]?.[name];
  return expected === undefined ? undefined : expected === given;
}

/** Packages and calls by which a transaction is found without being passed on: what looks like another connection is the same. */
export const ambientTransactions =
  /\buseCLS\b|['"](typeorm-transactional(-cls-hooked)?|cls-hooked|continuation-local-storage|@nestjs-cls\/transactional[\w-]*)['"]/;
