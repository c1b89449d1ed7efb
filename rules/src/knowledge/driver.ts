import type { Fact, Release } from './changing.ts';

/**
 * What a package that hands out connections does, as data. One file per driver in `drivers/`, listed in `drivers.ts`.
 *
 * A driver describes *resources* — a pool, a lease, a connection — by the methods they have. What the package exports says how code
 * gets the first of them; a method's `gives` says how it gets the next.
 */
export interface Driver {
  readonly name: string;
  readonly engine: Engine;
  /** It can reach a database over HTTP, where nothing stays open between requests. */
  readonly speaksHttp?: true;
  /** Where these facts can be checked. */
  readonly source: string;
  /** By module specifier, then by export path without `default`: `Pool`, `native.Pool`, `` for the module itself. */
  readonly packages: Readonly<Record<string, Readonly<Record<string, ExportFact>>>>;
  readonly resources: Readonly<Record<string, Resource>>;
}

export type Engine = 'postgresql' | 'mysql' | 'mssql' | 'oracle' | 'mongodb' | 'redis' | 'smtp' | 'http' | 'any';

export interface ExportFact {
  /** The resource that `new X(…)` makes. */
  readonly constructs?: string;
  /** The resource that `X(…)` gives. */
  readonly calls?: Gives;
  /** The resource that a type annotation `X` stands for. */
  readonly type?: string;
  /** The resource that `X` itself is. */
  readonly is?: string;
  /** As a plugin of a web framework, it makes the resource and hangs it on the host under this name. */
  readonly hangs?: { readonly resource: string; readonly name: string };
  /** What `X(…)` does, when it works like a method. */
  readonly does?: Method;
}

/** How a call hands its result over. A callback gets (error, resource, release?); `value-or-promise` is one of the two, by version. */
export interface Gives {
  readonly resource: string;
  readonly as: 'value' | 'promise' | 'value-or-promise' | 'callback' | 'promise-or-callback';
  /** It is only a cover of the resource that the first argument is, or holds under one of these keys. */
  readonly covers?: readonly string[];
  /** It stands in this property of what the call gives: `pool.acquire().promise`. */
  readonly under?: string;
}

/** `lends twice`: two borrowers get the same connection. */
export type SecondRelease = 'throws' | 'ignored' | 'lends twice';

export type ResourceRole = 'pool' | 'lease' | 'connection';

export interface Resource {
  readonly role: ResourceRole;
  readonly methods: Readonly<Record<string, Method>>;
  /** It is a template tag itself: it sends what it tags, once that is awaited. */
  readonly isTag?: true;
  /** What it keeps on its session by itself: a subscription (LISTEN), or the lock of a migration, unless an option says that it takes none. */
  readonly keeps?: { readonly what: 'subscription' | 'lock'; readonly statement: string; readonly unless?: string };
  /** The method that prepares what a chain of calls has built, under the name that it is given. */
  readonly preparesBy?: string;
  /** Properties that are resources themselves. */
  readonly properties?: Readonly<Record<string, string>>;
  /** The property that is what it covers. */
  readonly coveredAs?: string;
  /** The resource of every other property, but for those that start with `$` or `_`: `prisma.user`. */
  readonly models?: string;
  /** Calling it makes a query, which borrows a connection when it is waited for: `knex('users')`. */
  readonly callBorrows?: true;
  /** What calling it gives. */
  readonly calls?: Gives;
  /** For what is constructed: its options. */
  readonly options?: PoolOptions;
  /** What a lease is called; absent: a connection. */
  readonly noun?: string;
  /** The server ends the ones that are lost by itself, and there are many. */
  readonly cheap?: true;
  /** What the driver does when a lease is given back again; absent: not known. */
  readonly secondRelease?: Fact<SecondRelease>;
  /** The driver refuses to use a lease that was given back; absent: it works on, in the middle of whatever its next holder does. */
  readonly deadOnceReleased?: true;
  /** Giving a lease back ends its open transaction. */
  readonly rollsBackOnRelease?: boolean;
  /** Giving a lease back sets its session back to how it began, and ends its transaction, if this option of its pool is true. */
  readonly resetsOnRelease?: { readonly option: string; readonly default: Fact<boolean> };
  /** Properties or methods of a lease that say whether it was given back, or is in a transaction. */
  readonly tells?: { readonly released?: string; readonly inTransaction?: string };
  /** Calls that use a lease without keeping it: it is passed under one of these keys, or to a method of one of these names. */
  readonly lentBy?: { readonly keys?: readonly string[]; readonly methods?: readonly string[] };
  /** The event that ends the process when nothing listens for it. */
  readonly fatalEvent?: 'error';
  /** It takes its connection only when it is first used. */
  readonly lazy?: true;
  /** The database systems, as the pool's options name them, with which it takes none. */
  readonly poolless?: readonly string[];
  /** Whether making one for each request is a fault; if absent, it is for a pool and is not for a connection. */
  readonly badPerRequest?: boolean;
}

export type Method =
  /** Takes a lease that must be given back — but if `orScoped`, a function among the arguments is called with one that needs nothing. */
  | {
      readonly does: 'acquire';
      readonly gives: Gives;
      readonly orScoped?: true;
      /** The function must return a promise, or give the lease back itself; otherwise it is held for ever. */
      readonly settledByPromise?: true;
    }
  /** The object itself holds a connection from then on, and must be released. */
  | { readonly does: 'hold' }
  /** Gives the lease back: the object itself, or the argument at `argument`. */
  | {
      readonly does: 'release';
      readonly destroys?: 'always' | 'if-argument';
      readonly argument?: number;
      /** By ending its transaction so. */
      readonly settles?: 'commit' | 'rollback';
    }
  /** Sends SQL. */
  | Query
  /** Borrows a connection for as long as the call lasts, and gives it back itself; with this argument it works on what that is. */
  | { readonly does: 'borrow'; readonly unlessGiven?: number }
  /** Calls the callback at `callback` with a lease that it gives back itself. */
  | { readonly does: 'scoped'; readonly gives: string; readonly callback: number | 'last' }
  /** Gives another resource that needs nothing to be given back (`pool.promise()`). */
  | { readonly does: 'view'; readonly gives: Gives }
  /** Opens or ends a transaction on the lease. */
  | { readonly does: 'transaction'; readonly step: 'begins' | 'commits' | 'rolls back'; readonly cannotFail?: true }
  /** Ends the pool or connection: for ever, or until it is used or opened again. If `endsLeases`, whatever is out of it ends too. */
  | { readonly does: 'close'; readonly until?: 'used' | 'opened'; readonly endsLeases?: true }
  /** Opens a connection that was constructed. */
  | { readonly does: 'open' }
  /** Makes it a listener, which needs a connection of its own, or opens one. */
  | { readonly does: 'listen' }
  /** Changes or watches it, sends nothing, takes nothing. */
  | { readonly does: 'nothing' };

export interface Query {
  readonly does: 'query';
  /** The argument that is the SQL, and the property that holds it in an object form. */
  readonly sql: number;
  readonly text?: string;
  /** With this property in its object form, it prepares the statement on the connection, and finds it there by that name later. */
  readonly name?: string;
  /** With this property in its object form, the client stops waiting after so many milliseconds; the server does not stop. */
  readonly clientTimeout?: string;
  /** It gives a promise, and does not call a function that it is given. */
  readonly ignoresCallback?: true;
  /** It sends only what is awaited: until then it is a part for other queries, or one of a transaction. */
  readonly lazy?: true;
  /** With this property in this argument, it is sent through what the property holds. */
  readonly unless?: { readonly argument: number; readonly key: string };
}

/** Options by what they are about. */
export interface NamedOptions {
  readonly max?: PoolOption | undefined;
  readonly min?: PoolOption | undefined;
  /** How long a caller waits for a free connection. Absent: the driver has no such option. */
  readonly acquireTimeout?: PoolOption | undefined;
  /** How long an idle connection is kept. */
  readonly idleTimeout?: IdleOption | undefined;
  /** How old a connection may get. */
  readonly maxLifetime?: PoolOption | undefined;
  /** How long a statement may run. Absent: the driver has no such option. */
  readonly statementTimeout?: PoolOption | undefined;
  /** How long the client waits for a statement, which the server goes on with. */
  readonly clientTimeout?: PoolOption | undefined;
  /** All other options, by the object that they stand in: '' is the outermost. Of an object that is absent not every option is known. */
  readonly others?: Readonly<Record<string, readonly string[]>>;
  /** Options that say where it connects. */
  readonly target: {
    readonly url: readonly string[];
    readonly host: readonly string[];
    readonly port: readonly string[];
    readonly database: readonly string[];
    readonly user: readonly string[];
  };
}

export interface PoolOptions extends NamedOptions {
  /** The argument that holds the options; 0 is the first. */
  readonly argument: number;
  readonly max?: SizeOption;
  readonly acquireTimeout?: PoolOption & {
    /** null: for ever. */
    readonly default: Fact<number | null>;
  };
  /** What it tells the server when it opens a connection. */
  readonly startup?: StartupOptions;
  /** The option that must be false for it not to prepare what its tag sends. */
  readonly prepares?: string;
  /** How many connections it keeps though they are idle. */
  readonly min?: PoolOption & {
    /** It throws an error when its size is less. */
    readonly enforced?: { readonly default: Fact<number> };
  };
  /** The release that an option came with. */
  readonly since?: Readonly<Record<string, Release>>;
  /** What becomes of an option that it does not know. */
  readonly unknownOption?: Fact<UnknownOption>;
  /** Environment variables that the driver reads when nothing is said. */
  readonly environment?: { readonly host?: string; readonly port?: string; readonly database?: string; readonly user?: string };
  readonly defaultPort?: number;
  /** The argument may be the URL itself; the options then come behind it. */
  readonly urlArgument?: boolean;
  /** The URL's query parameters are options too. */
  readonly urlOptions?: boolean;
  /** What becomes of a size in the URL's query, under the name of the option or under another, when it does not become that option. */
  readonly sizeInUrl?: { readonly own: 'ignored' | 'read as text'; readonly other: 'ignored' | 'sent to the server' };
  /** The option that must be true for connections to be kept at all. */
  readonly onlyIf?: string;
  /** Only a URL or one of these options makes a pool; anything else is one already. */
  readonly madeFrom?: readonly string[];
  /** The option that may hold a pool that exists, which is then shared; only what these packages make opens one of its own, by these options. */
  readonly shares?: { readonly option: string; readonly makers?: Readonly<Record<string, PoolOptions>> } | undefined;
  /** Unless an option gives it a driver of its own, what it connects with is an engine that reads the Prisma schema. */
  readonly engine?: {
    readonly unless: string;
    /** The parameter of its URL with which it does not prepare all that it sends. */
    readonly preparesUnless: readonly [name: string, value: string];
    /** The parameter of its URL with its most connections, and the fewest that it can be without. */
    readonly limit: readonly [name: string, atLeast: number];
  };
  /** The option that names the database system. */
  readonly system?: string;
}

export type UnknownOption = 'ignored' | 'ignored with a warning' | 'refused';

/** Options that become parameters of the startup message, each under its own name. */
export interface StartupOptions {
  /** By the object that they stand in; '' is the outermost. */
  readonly within: Readonly<Record<string, readonly string[] | 'all'>>;
  /** Query parameters of the URL that become some: those of this list, or those that are not options of the driver. */
  readonly url?: readonly string[] | 'all others';
  /** Parameters that it sends unless an option is set to a value that turns it off. */
  readonly byDefault?: readonly { readonly option: string; readonly parameter: string; readonly off: string }[];
}

export interface PoolOption {
  /** Option names, the winning one first; `pool.max` is `max` in the object `pool`. */
  readonly names: readonly string[];
  readonly unit?: 'ms' | 's';
}

export interface IdleOption extends PoolOption {
  /** 0 keeps it for ever. */
  readonly zeroIsForever?: true;
}

export interface SizeOption extends PoolOption {
  /** undefined: it depends on the machine. */
  readonly default: Fact<Size | undefined>;
  /** What the driver makes of other values than whole numbers above 0. Absent: not known. */
  readonly reads?: Fact<SizeReadings | undefined>;
}

/** A number of connections, or the least and the most that it may be. */
export type Size = number | { readonly low: number; readonly high: number };

export type SizeReadings = Readonly<Record<OddSize, SizeReading>>;

/** `digits` and `text` are texts that are a number ("20") or not ("20conn"). */
export type OddSize = 'digits' | 'text' | 'empty' | 'nan' | 'zero' | 'negative' | 'fraction' | 'infinite';

/** `none`: nobody ever gets a connection. `refused`: it throws an error. */
export type SizeReading = 'itself' | 'default' | 'one' | 'unlimited' | 'none' | 'refused';
