/** Where nginx connects to; a `unix` socket has a path instead. */
export type Address =
  { readonly kind: 'tcp'; readonly host: string; readonly port: number | undefined } | { readonly kind: 'unix'; readonly path: string };

/** Reads `host`, `host:port`, `[v6]:port` or `unix:/path`. */
export function parseAddress(written: string): Address | undefined {
  if (written.startsWith('unix:')) return { kind: 'unix', path: written.slice('unix:'.length) };
  const match = /^(\[[^\]]+\]|[^:/?#[\]]+)(?::(\d{1,5}))?$/.exec(written);
  return match?.[1] ? { kind: 'tcp', host: match[1], port: match[2] === undefined ? undefined : Number(match[2]) } : undefined;
}
