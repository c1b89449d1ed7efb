/** What a stream is, which decides what events it emits, and after which others. */
export type StreamKind = 'readable' | 'writable' | 'duplex' | 'response';

/**
 * What is a stream for sure: by package, then by the way from its exports, as in `Origin`. `:Readable` is annotated so, `from()` what
 * calling or constructing `from` gives.
 */
const streams: Readonly<Record<string, Readonly<Record<string, StreamKind>>>> = {
  stream: {
    ':Readable': 'readable',
    'Readable()': 'readable',
    'Readable.from()': 'readable',
    ':Writable': 'writable',
    'Writable()': 'writable',
    ':Duplex': 'duplex',
    ':Transform': 'duplex',
    'Transform()': 'duplex',
    ':PassThrough': 'duplex',
    'PassThrough()': 'duplex',
  },
  fs: { 'createReadStream()': 'readable', 'createWriteStream()': 'writable', ':ReadStream': 'readable', ':WriteStream': 'writable' },
  /** https://github.com/brianc/node-pg-copy-streams */
  'pg-copy-streams': { 'from()': 'writable', 'to()': 'readable', 'both()': 'duplex' },
  /** https://github.com/brianc/node-postgres/tree/master/packages/pg-query-stream */
  'pg-query-stream': { '()': 'readable' },
  http: { ':ServerResponse': 'response', ':IncomingMessage': 'readable' },
  https: { ':ServerResponse': 'response', ':IncomingMessage': 'readable' },
  express: { ':Response': 'response', ':Request': 'readable' },
  fastify: { ':FastifyReply.raw': 'response', ':FastifyRequest.raw': 'readable' },
  koa: { ':Context.res': 'response', ':Context.req': 'readable' },
};

/** The second parameter of handlers: `createServer((req, res) => …)`, `app.get('/', (req, res) => …)`. */
const responses: Readonly<Record<string, RegExp>> = {
  http: /createServer\(1\)$/,
  https: /createServer\(1\)$/,
  express: /^(\(\)|express\(\)|Router\(\))\.(get|post|put|patch|delete|all|use)\(1\)$|^:RequestHandler\(1\)$/,
};

/** What a value from outside the root is, when it is a stream. */
export function streamKind(from: string, path: string): StreamKind | undefined {
  const known = streams[from]?.[path];
  return known ?? (responses[from]?.test(path) ? 'response' : undefined);
}

/**
 * The events that certainly come after another. Since Node 14 streams destroy themselves after an error and when they are through, and
 * then emit 'close': https://nodejs.org/api/stream.html#new-streamwritableoptions (autoDestroy, emitClose). A duplex is through only when both sides are.
 */
export const eventsAfter: Readonly<Record<StreamKind, Readonly<Record<string, string>>>> = {
  readable: { end: 'close', error: 'close' },
  writable: { finish: 'close', error: 'close' },
  response: { finish: 'close', error: 'close' },
  duplex: { error: 'close' },
};
