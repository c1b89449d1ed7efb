import type { Driver, ExportFact, Resource } from './driver.ts';

/** What the user says of packages that wrap a driver and are not in the root. */
export interface Wrappers {
  readonly leases: readonly WrappedLease[];
  /** Functions that call their last argument with a connection, and give it back themselves. */
  readonly borrows: readonly ExportName[];
}

export interface WrappedLease {
  readonly acquire: ExportName;
  /** The method of what is taken that gives it back, or the function that takes it back. */
  readonly release: string | ExportName;
}

/** An export of a package: `getClient`, `db.acquire`, `` for the default. */
export interface ExportName {
  readonly package: string;
  readonly path: string;
}

/** Nothing is known of what a wrapper lends but that it is a connection, perhaps to a SQL database. */
const borrowed: Resource = { role: 'lease', methods: { query: { does: 'query', sql: 0, text: 'text' } } };

/** The wrappers as drivers, one for each function that takes or borrows a connection. */
export function driversOf({ leases, borrows }: Wrappers): readonly Driver[] {
  return [
    ...leases.flatMap(driversOfLease),
    ...borrows.map((name) => driverOf(name, { does: { does: 'scoped', gives: 'lease', callback: 'last' } }, borrowed)),
  ];
}

function driversOfLease({ acquire, release }: WrappedLease): readonly Driver[] {
  const takes: ExportFact = { does: { does: 'acquire', gives: { resource: 'lease', as: 'promise-or-callback' } } };
  if (typeof release !== 'string') {
    return [driverOf(acquire, takes, borrowed), driverOf(release, { does: { does: 'release', argument: 0 } }, borrowed)];
  }
  return [
    driverOf(acquire, takes, { ...borrowed, methods: { ...borrowed.methods, [release]: { does: 'release', destroys: 'if-argument' } } }),
  ];
}

function driverOf({ package: name, path }: ExportName, fact: ExportFact, lease: Resource): Driver {
  return { name, engine: 'any', source: 'poolcheck.yaml', packages: { [name]: { [path]: fact } }, resources: { lease } };
}
