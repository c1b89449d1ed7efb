import { describe, expect, test } from 'vitest';
import type { Driver, Method } from './driver.ts';
import { changingPackages, driverExport, drivers, driverType, isDriver, isDriverMember } from './drivers.ts';

function resourcesGivenBy(method: Method): readonly string[] {
  if (!('gives' in method)) return [];
  return [typeof method.gives === 'string' ? method.gives : method.gives.resource];
}

function resourcesNamedBy({ packages, resources }: Driver): readonly string[] {
  const exported = Object.values(packages).flatMap((facts) => Object.values(facts));
  return [
    ...exported.flatMap(({ constructs, type, calls }) => [constructs, type, calls?.resource]),
    ...Object.values(resources).flatMap(({ methods, properties }) => [
      ...Object.values(methods).flatMap(resourcesGivenBy),
      ...Object.values(properties ?? {}),
    ]),
  ].filter((name) => name !== undefined);
}

describe.each(drivers)('$name', (driver) => {
  test('names only resources that it has', () => {
    for (const name of resourcesNamedBy(driver)) expect(Object.keys(driver.resources)).toContain(name);
  });
  test('makes or lends something', () => {
    const made = Object.values(driver.packages)
      .flatMap((facts) => Object.values(facts))
      .flatMap(({ constructs, calls, is }) => constructs ?? calls?.resource ?? is ?? [])
      .filter((name) => driver.resources[name]?.role !== 'lease');
    expect(made.length).toBeGreaterThan(0);
  });
  test('says where its facts can be checked', () => expect(driver.source).toMatch(/^https:\/\//));
});

test('no two drivers claim one package', () => {
  const specifiers = drivers.flatMap(({ packages }) => Object.keys(packages));
  expect(specifiers).toEqual([...new Set(specifiers)]);
});

test.each(['./generated/prisma', '../generated/prisma/client.js', '@/generated/prisma/client', '#generated/client'])(
  '%s is a Prisma client that was generated into the root',
  (specifier) => {
    expect(isDriver(specifier)).toBe(true);
    expect(driverExport(specifier, 'PrismaClient')?.driver.name).toBe('Prisma');
  },
);

test('an export that a driver says nothing of is nothing', () => {
  expect(driverExport('pg', 'toString')).toBeUndefined();
  expect(driverExport('toString', '')).toBeUndefined();
});

test.each([
  ['pg', 'index', 'Pool', 'pool'],
  ['pg', 'index', 'PoolClient', 'lease'],
  ['mysql2', 'typings/mysql/lib/Pool', 'Pool', 'pool'],
  ['mysql2', 'promise', 'Pool', 'promisePool'],
  ['knex', 'types/index', 'Knex.Transaction', 'trx'],
  ['postgres', 'types/index', 'postgres.Sql', 'given'],
])('the type that %s declares in %s as %s is a %s', (name, file, path, resource) => {
  expect(driverType({ package: name, file, name: path })?.resource).toBe(resource);
});

test.each([
  ['pg', 'QueryResult'],
  ['pg', 'constructor'],
  ['acme', 'Pool'],
])('the type that %s declares as %s is nothing', (name, path) => {
  expect(driverType({ package: name, file: 'index', name: path })).toBeUndefined();
});

test('a name hints at a driver when some driver has a member of that name, and no list or map', () => {
  expect(['connect', 'getConnection', 'release', 'manager'].filter(isDriverMember)).toHaveLength(4);
  expect(['toString', 'then', 'map', 'find', 'delete'].filter(isDriverMember)).toEqual([]);
});

test('a version can be declared of what differs by it', () => {
  expect(changingPackages).toEqual(expect.arrayContaining(['mongodb', 'mysql2', 'pg', 'pg-pool', 'slonik']));
  expect(changingPackages).not.toContain('kysely');
});
