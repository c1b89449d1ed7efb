import { effective, type Scope } from '@poolcheck/parsers/nginx/resolve';
import { isNginx, type NginxRoute, type Proxy } from '../../deployment/model.ts';
import { isForWebSockets } from '../../deployment/proxies/connection-header.ts';
import type { Report } from '../../finding.ts';
import { groupBy } from '../../group.ts';
import { duration, type MessageId } from './order.ts';

/** No answer in one piece takes so long, ms. */
const longest = 30 * 60_000;

/** An hour that WebSockets or streams need holds for every request when it stands around all of them. */
export function* aboutPatience(proxies: readonly Proxy[]): Iterable<Report<MessageId>> {
  const routes = new Set(proxies.filter(isNginx).flatMap((nginx) => nginx.routes));
  const patient = [...routes].filter(({ answer, route }) => answer && answer.milliseconds >= longest && !mayStream(route.scope));
  for (const [, group] of groupBy(patient, ({ answer }) => answer && `${answer.place.text.path}:${answer.place.range.start}`)) {
    const [first] = group;
    if (!first?.answer) continue;
    const { place, milliseconds } = first.answer;
    yield {
      at: place,
      message: 'patience',
      severity: 'info',
      data: { time: duration(milliseconds), routes: names(group) },
      related: group.map(({ at }) => ({ at, message: 'requests are passed on here' })),
    };
  }
}

/** It upgrades, or hands parts on as they come. */
function mayStream(scope: Scope): boolean {
  if (isForWebSockets(scope) || isForStreams(scope)) return true;
  const headers = effective(scope, 'proxy_set_header');
  const upgrades = headers?.some(({ args }) => args[0]?.value.toLowerCase() === 'upgrade') ?? true;
  const buffering = effective(scope, 'proxy_buffering');
  return upgrades || buffering === undefined || buffering.some(({ args }) => args[0]?.value === 'off');
}

function isForStreams({ directive, outer }: Scope): boolean {
  const path = directive?.name.value === 'location' ? (directive.args.at(-1)?.value ?? '') : '';
  return /\b(sse|events?|streams?|poll(ing)?|subscribe|live|progress)\b/i.test(path) || (outer !== undefined && isForStreams(outer));
}

function names(routes: readonly NginxRoute[]): string {
  const locations = routes.map(({ route: { scope } }) => scope.directive?.args.at(-1)?.value).filter((path) => path !== undefined);
  return locations.length > 0 ? [...new Set(locations)].join(', ') : 'this server';
}
