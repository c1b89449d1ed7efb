/**
 * What calls code again and again — for each request, job, message — as data. One file per kind of framework in `frameworks/`,
 * listed in `frameworks.ts`.
 *
 * Facts are keyed by what a package exports and by the way from there: `Router()` is what calling (or constructing) `Router` gives,
 * `:Request` a value annotated so, `().on(0)` the first parameter of a callback handed to `().on`. `:*Event` fits every type that
 * ends so.
 */
export interface Framework {
  /** As messages name it. */
  readonly name: string;
  /** Where these facts can be checked. */
  readonly source: string;
  /** What its handlers run for: "request", "job", "message". */
  readonly event: string;
  readonly packages: Readonly<Record<string, Readonly<Record<string, FrameworkFact>>>>;
  /** The methods of its hosts that take handlers. */
  readonly methods?: Readonly<Record<string, Takes>>;
  /** Steps from a host to a host: `route()` of `app.route('/x').get(f)`, `register(0)` of `app.register(async (app) => …)`. */
  readonly chains?: readonly string[];
  /** How code hangs values on its hosts and on what it gives handlers, for other code to read there. */
  readonly carries?: Carries;
}

export interface Carries {
  /** Their properties that carry values too, as a host does, as what handlers are given does, or as the object that has them: `locals` of `app.locals.db`. */
  readonly within?: Readonly<Record<string, 'host' | 'given' | 'same'>>;
  /** Methods that hang a value under a name: `app.decorate('db', pool)`. */
  readonly put?: readonly string[];
  /** Methods that read it: `c.get('db')`. */
  readonly get?: readonly string[];
  /** The method of hosts that takes a plugin, which may hang values of its own. */
  readonly plugin?: string;
}

export type FrameworkFact =
  /** Has the methods that take handlers. */
  | 'host'
  /** Only a handler is given a value of this type. */
  | 'given'
  /** A function of this type is a handler. */
  | 'handler'
  /** A method decorated so is a handler. */
  | 'decorator'
  /** As the scope of a class: an instance is made for each event. */
  | 'per-event'
  /** A call of it takes handlers. */
  | Takes
  /** In a class that extends or implements it, these methods are handlers. */
  | { readonly implementedBy: readonly string[] };

/** Which arguments of a call are handlers: its functions, and what stands in these properties of its objects. */
export interface Takes {
  /** Only when the first argument is one of these texts: `server.on('request', …)`. */
  readonly first?: readonly string[];
  /** Property names; `resolvers.*` is every function anywhere below `resolvers`. */
  readonly in?: readonly string[];
}

/** What a file's place and exports mean to a framework that is found in the project. */
export interface FileConvention {
  readonly name: string;
  readonly source: string;
  readonly event: string;
  /** One of them is a dependency of the nearest package.json, or imported by the file. */
  readonly dependencies: readonly string[];
  readonly files: RegExp;
  readonly exports: readonly string[];
}
