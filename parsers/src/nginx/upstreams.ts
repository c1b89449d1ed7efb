import { parseAddress, type Address } from './address.ts';
import type { Written } from '../text.ts';
import type { Block, Directive, NginxDocument, Word } from './document.ts';
import { httpScopes, named } from './resolve.ts';

/** A server group declared by an `upstream` block of HTTP. */
export interface Upstream {
  readonly name: string;
  readonly directive: Directive;
  readonly block: Block;
  readonly servers: readonly UpstreamServer[];
}

export interface UpstreamServer {
  readonly directive: Directive;
  /** undefined: it stands in a template's hole. */
  readonly address: Address | undefined;
  /** `down`: it gets no request. */
  readonly down: boolean;
  /** `backup`: it gets requests only while the others fail. */
  readonly backup: boolean;
  /** `max_conns=`, as far as it is a number; 0 is no limit. */
  readonly maxConns: Written<number> | undefined;
}

/** The declared groups, by name in lower case, as nginx compares them; of two with one name it would refuse the second. */
export function upstreamsOf(document: NginxDocument): ReadonlyMap<string, Upstream> {
  const upstreams = new Map<string, Upstream>();
  for (const { level } of httpScopes(document)) {
    for (const directive of named(level, 'upstream')) {
      const upstream = upstreamOf(directive);
      const key = upstream?.name.toLowerCase() ?? '';
      if (upstream && !upstreams.has(key)) upstreams.set(key, upstream);
    }
  }
  return upstreams;
}

function upstreamOf(directive: Directive): Upstream | undefined {
  const { block, args } = directive;
  const [name] = args;
  return block && name && !name.hole ? { name: name.value, directive, block, servers: named(block, 'server').map(serverOf) } : undefined;
}

function serverOf(directive: Directive): UpstreamServer {
  const [address, ...parameters] = directive.args;
  return {
    directive,
    address: address && !address.hole ? parseAddress(address.value) : undefined,
    down: parameters.some(({ value }) => value === 'down'),
    backup: parameters.some(({ value }) => value === 'backup'),
    maxConns: parameters.map(maxConnsIn).findLast((each) => each !== undefined),
  };
}

function maxConnsIn({ value, range, hole }: Word): Written<number> | undefined {
  const number = hole ? undefined : /^max_conns=(\d+)$/.exec(value)?.[1];
  return number === undefined ? undefined : { value: Number(number), range };
}
