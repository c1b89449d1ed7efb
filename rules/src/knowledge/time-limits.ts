/** An HTTP client whose requests end after a time that it is told. */
export interface HttpClient {
  /** Where these facts can be checked. */
  readonly source: string;
  /** The arguments that may hold the options of a request, by method; '' calls the client itself. */
  readonly methods: Readonly<Record<string, readonly number[]>>;
  /** What makes a client with options of its own, which stand in the first argument. */
  readonly makes?: string;
  /** The option that ends a request, ms. */
  readonly timeout?: string;
  /** Where that option may be an object: what in it ends the request. */
  readonly within?: readonly string[];
  /** It ends a request after this many ms unless it is told otherwise. */
  readonly byDefault?: number;
  /** A method in the chain of a request that takes what the option would be. */
  readonly chained?: string;
}

const axiosMethods = { '': [0, 1], request: [0], get: [1], delete: [1], head: [1], options: [1], post: [2], put: [2], patch: [2] };

const verbs = { get: [1], post: [1], put: [1], patch: [1], head: [1], delete: [1] };

/** Clients by package. All of them take an `AbortSignal.timeout(ms)` as `signal`, too. */
const httpClients: Readonly<Record<string, HttpClient>> = {
  axios: { source: 'https://axios-http.com/docs/req_config', methods: axiosMethods, makes: 'create', timeout: 'timeout' },
  undici: { source: 'https://undici.nodejs.org/#/docs/api/Dispatcher', methods: { fetch: [1], request: [1] }, timeout: 'headersTimeout' },
  got: {
    source: 'https://github.com/sindresorhus/got/blob/main/documentation/6-timeout.md',
    methods: { '': [1, 0], ...verbs },
    makes: 'extend',
    timeout: 'timeout',
    within: ['request'],
  },
  ky: {
    source: 'https://github.com/sindresorhus/ky#timeout',
    methods: { '': [1], ...verbs },
    makes: 'create',
    timeout: 'timeout',
    byDefault: 10_000,
  },
  superagent: {
    source: 'https://forwardemail.github.io/superagent/#timeouts',
    methods: {},
    chained: 'timeout',
    within: ['deadline', 'response'],
  },
  'node-fetch': { source: 'https://github.com/node-fetch/node-fetch#request-cancellation-with-abortsignal', methods: { '': [1] } },
};

/** https://nodejs.org/api/globals.html#fetch */
export const globalFetch: HttpClient = { source: 'https://nodejs.org/api/globals.html#fetch', methods: { fetch: [1] } };

export function httpClient(specifier: string): HttpClient | undefined {
  return Object.hasOwn(httpClients, specifier) ? httpClients[specifier] : undefined;
}

/** opossum stops waiting for its function after this many ms: https://nodeshift.dev/opossum/#circuitbreaker */
export const opossumTimeout = 10_000;

/** The packages that stop waiting for what goes on. */
export const breakerSpecifiers: ReadonlySet<string> = new Set(['opossum', 'cockatiel']);
