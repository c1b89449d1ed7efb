/** Where a connection string leads. */
export interface Address {
  readonly host: string;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  /** The query, by name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Reads `scheme://user:password@host:port/database?parameters`; undefined for anything else, several hosts and sockets included. */
export function parseUrl(url: string): Address | undefined {
  const [, authority = '', path = '', query = ''] = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?/i.exec(url.trim()) ?? [];
  const at = authority.lastIndexOf('@');
  const [, host, port] = /^(\[[^\]]*\]|[^:,]*)(?::(\d+))?$/.exec(authority.slice(at + 1)) ?? [];
  const parameters = new Map(
    query.split('&').map((pair) => [decoded(pair.split('=')[0] ?? ''), decoded(pair.slice(pair.indexOf('=') + 1))]),
  );
  if (!host || parameters.has('host')) return undefined;
  return {
    host: decoded(host),
    port: port === undefined ? undefined : Number(port),
    database: path === '' ? undefined : decoded(path),
    user: at < 0 ? undefined : decoded(authority.slice(0, at).split(':')[0] ?? ''),
    parameters,
  };
}

/** Percent-encoding as far as it is valid. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'));
}
