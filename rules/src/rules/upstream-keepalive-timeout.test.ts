import { placeOf, slice, textOf, type Place, type Text } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import type { Deployment, Reuse, RoutedServer } from '../deployment/model.ts';
import { defaulted, written, type Known } from '../known.ts';
import { readModule } from '../source/module.ts';
import type { HttpServer } from '../source/servers.ts';
import { anyEnvironment } from '../source/setting.ts';
import rule from './upstream-keepalive-timeout.ts';

const nginx = textOf('nginx.conf', 'keepalive 8; keepalive_timeout 60s; proxy_pass http://up;');

function at(text: Text, part: string): Place {
  const start = text.content.indexOf(part);
  return placeOf(text, { start, end: start + part.length });
}

function kept(idle: Known): Reuse {
  return { kind: 'kept', idle, evidence: [{ place: at(nginx, 'keepalive 8;'), says: 'keepalive 8 keeps idle connections open' }] };
}

const sixtySeconds = kept(written(60_000, 'keepalive_timeout 60s', at(nginx, 'keepalive_timeout 60s;')));

/** A server whose source holds `made`, perhaps `declared` and perhaps `set`. */
function serverIn(source: string, { made, declared, set }: { made: string; declared?: string; set?: string }): HttpServer {
  const { module } = readModule(textOf('src/main.ts', source));
  return {
    module,
    place: at(module.text, made),
    framework: 'express',
    variable: declared === undefined ? undefined : { name: 'server', declaration: at(module.text, declared) },
    port: undefined,
    keepAliveTimeout: set === undefined ? undefined : { kind: 'literal', value: Number(set), place: at(module.text, set) },
    maxConnections: undefined,
    complete: true,
  };
}

function deployment(server: HttpServer, ...reuses: readonly Reuse[]): Deployment {
  const service = {
    name: 'api',
    at: server.place,
    instances: written(1, '', server.place),
    processes: written(1, '', server.place),
    environment: anyEnvironment,
    pools: [],
    foreignPools: [],
    servers: [server],
    programs: [],
  };
  const servers: readonly RoutedServer[] = [{ service, server }];
  const routes = reuses.map((reuse) => ({ at: at(nginx, 'proxy_pass http://up;'), reuse, servers, programs: [] }));
  const proxy = {
    name: 'edge',
    software: 'nginx',
    at: at(nginx, 'keepalive'),
    version: undefined,
    instances: written(1, '', server.place),
    routes,
  } as const;
  return { name: '.', services: [service], poolers: [], databases: [], proxies: [proxy], given: [], migrations: [] };
}

const check = (server: HttpServer, ...reuses: readonly Reuse[]) => [...rule.check(deployment(server, ...reuses))];

const listen = serverIn('const server = app.listen(3000);\n', { made: 'app.listen(3000)', declared: 'const server = app.listen(3000);' });

describe('a server that leaves its timeout alone', () => {
  test('is pointed at where it starts, with the way from the proxy', () => {
    const [report] = check(listen, sixtySeconds);
    expect(report).toMatchObject({
      message: 'unset',
      at: { range: { start: 15 } },
      data: { owner: 'Node', closes: '5 s', keeps: '60 s', file: 'nginx.conf', advice: '65000 ms' },
    });
    expect(report?.related?.map(({ message }) => message)).toEqual([
      'keepalive 8 keeps idle connections open',
      'keepalive_timeout 60s',
      'requests are passed on here',
    ]);
  });

  test.each([
    ['const server = app.listen(3000);', '\nserver.keepAliveTimeout = 65_000;'],
    ['  const server = app.listen(3000)', '\n  server.keepAliveTimeout = 65_000'],
  ])('gets a line after %j', (source, insert) => {
    const [report] = check(serverIn(source, { made: 'app.listen(3000)', declared: source.trim() }), sixtySeconds);
    expect(report?.fixes?.[0]?.edits).toMatchObject([{ range: { start: source.length, end: source.length }, insert }]);
  });

  test('gets no edit when no variable holds it', () => {
    expect(check(serverIn('app.listen(3000);', { made: 'app.listen(3000)' }), sixtySeconds)[0]?.fixes).toEqual([]);
  });
});

describe('a server that sets its timeout', () => {
  const source = 'const server = app.listen(3000);\nserver.keepAliveTimeout = 30000;\n';
  const set = (to: string) => serverIn(source.replace('30000', to), { made: 'app.listen(3000)', set: to });

  test('is pointed at where it does, and the number is mended', () => {
    const server = set('30000');
    const [report] = check(server, sixtySeconds);
    expect(report).toMatchObject({ message: 'short', data: { closes: '30 s', keeps: '60 s' } });
    expect(report && slice(report.at.text, report.at.range)).toBe('30000');
    expect(report?.related?.[0]?.message).toBe('the server is made here');
    expect(report?.fixes?.[0]?.edits).toMatchObject([{ range: report?.at.range, insert: '65_000' }]);
  });

  test.each([
    ['65', 1],
    ['59000', 1],
    ['59500', 0],
    ['60000', 0],
    ['65000', 0],
    ['0', 0],
  ])('to %s ms, behind 60 s: %i findings', (milliseconds, findings) => {
    expect(check(set(milliseconds), sixtySeconds)).toHaveLength(findings);
  });
});

test.each<readonly [string, Reuse]>([
  ['closes its connections', { kind: 'closed', causes: [] }],
  ['may close its connections', { kind: 'unknown' }],
  ['closes idle connections first', kept(written(4_000, 'keepalive_timeout 4s', at(nginx, 'keepalive_timeout 60s;')))],
])('says nothing when the proxy %s', (_, reuse) => {
  expect(check(listen, reuse)).toEqual([]);
});

test('of several ways to one server the one with the longest wait is told', () => {
  const longer = kept(defaulted(75_000, 'keepalive_timeout 75s'));
  const reports = check(listen, sixtySeconds, longer, sixtySeconds);
  expect(reports.map(({ data }) => data?.['keeps'])).toEqual(['75 s']);
});

test('a proxy of unknown version keeps connections for at least its default', () => {
  const [report] = check(listen, kept({ ...defaulted(60_000, 'keepalive_timeout is not set'), high: Infinity }));
  expect(report?.data?.['keeps']).toBe('at least 60 s');
});
