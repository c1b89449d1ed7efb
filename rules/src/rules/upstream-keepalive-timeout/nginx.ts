import type { Directive } from '@poolcheck/parsers/nginx/document';
import { effective, httpScopes, innerScopes } from '@poolcheck/parsers/nginx/resolve';
import { parseTime } from '@poolcheck/parsers/nginx/time';
import { placeOf } from '@poolcheck/parsers/text';
import type { Nginx } from '../../deployment/model.ts';
import { clientKeepalive } from '../../knowledge/nginx.ts';
import type { Evidence, Known } from '../../known.ts';
import type { Keeper } from './keeper.ts';

/**
 * An nginx behind another proxy that passes requests on itself: files are asked for by GET, which may be sent again. undefined when it cannot
 * be told for how long one of its servers keeps connections.
 */
export function nginxKeeper(nginx: Nginx): Keeper | undefined {
  const times = timesOf(nginx);
  const longest = times?.toSorted((a, b) => b.milliseconds - a.milliseconds)[0];
  if (!times || !longest || nginx.routes.length === 0) return undefined;
  const { directive } = longest;
  const at = directive ? placeOf(directive.text, directive.range) : nginx.at;
  const says = directive
    ? 'the longest of its servers'
    : `nginx keeps connections of its clients for ${longest.milliseconds / 1000} s unless it is told otherwise`;
  const evidence: readonly Evidence[] = [{ place: at, says }];
  const closes: Known = {
    low: Math.min(...times.map(({ milliseconds }) => milliseconds)),
    high: longest.milliseconds,
    source: directive ? 'written' : 'defaulted',
    evidence,
  };
  return {
    is: nginx,
    at,
    setting: 'keepalive_timeout',
    owner: 'nginx',
    isSet: directive !== undefined,
    closes,
    buffer: 0,
    evidence,
    show: (milliseconds) => `${milliseconds / 1000} s`,
    fixes: (milliseconds) => (directive ? raised(directive, milliseconds) : []),
  };
}

interface Time {
  readonly milliseconds: number;
  readonly directive: Directive | undefined;
}

/** For each server of HTTP that keeps connections at all. */
function timesOf({ config }: Nginx): readonly Time[] | undefined {
  const servers = httpScopes(config)
    .flatMap(innerScopes)
    .filter(({ directive }) => directive?.name.value === 'server');
  const times = servers.map((scope): Time | undefined => {
    const found = effective(scope, 'keepalive_timeout');
    const directive = found?.at(-1);
    if (!found) return undefined;
    if (!directive) return { milliseconds: config.context === 'main' ? clientKeepalive.byDefault : clientKeepalive.ofPackages, directive };
    const [time] = directive.args;
    const milliseconds = time && !time.hole ? parseTime(time.value) : undefined;
    return milliseconds === undefined ? undefined : { milliseconds, directive };
  });
  return times.every((time) => time !== undefined) ? times.filter(({ milliseconds }) => milliseconds > 0) : undefined;
}

function raised({ text, args: [time] }: Directive, milliseconds: number): ReturnType<Keeper['fixes']> {
  const insert = `${milliseconds / 1000}s`;
  return time ? [{ title: `Raise it to ${insert}`, safe: false, edits: [{ text, range: time.range, insert }] }] : [];
}
