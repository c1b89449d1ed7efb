import { outermost, type Place, positionAt } from '@poolcheck/parsers/text';
import type { Database, Deployment, Service, ServicePool } from '@poolcheck/rules/deployment/model';
import { groupBy } from '@poolcheck/rules/group';
import { show } from '@poolcheck/rules/known';
import { visible } from '../output/neutral.ts';

/** A first poolcheck.yaml, and how many things in it only the user knows. */
export interface Draft {
  readonly text: string;
  readonly unknown: number;
}

const head = `# poolcheck reads the root of this repository, and what is said here. Every key is optional:
# docs/configuration.md of poolcheck tells them all. Lines with a "?" are what its files do not tell.
`;

/** Writes down what was found. What is not known stands in comments, so that the file is valid as it is. */
export function draftOf(deployments: readonly Deployment[]): Draft {
  const found = deployments.flatMap(foundIn);
  const databases = databasesElsewhere(deployments);
  const versions = versionsNotTold(deployments);
  const sections = [
    ...(found.length > 0 ? [['# What was found:', ...found.map((line) => `#   ${line}`)]] : []),
    ...(databases.length > 0 ? [['# databases:', ...databases.flat().map((line) => `#   ${line}`)]] : []),
    ...(versions.length > 0 ? [['# versions:', ...versions.map((line) => `#   ${line}`)]] : []),
  ];
  const text = [head, ...sections.map((lines) => `${lines.map(visible).join('\n')}\n`)].join('\n');
  return { text, unknown: databases.length + versions.length };
}

/** "k8s: orders (k8s/orders.yaml:4) → postgres: 6 instances, pool of 10" */
function foundIn({ name, services, databases }: Deployment): readonly string[] {
  return [
    ...databases.map((database) => `${name}: ${database.software} ${database.name} (${lineOf(database.at)}) accepts ${limitOf(database)}`),
    ...services.flatMap((service) => service.pools.map((pool) => `${name}: ${clientOf(service, pool)}`)),
  ];
}

function limitOf({ maxConnections }: Database): string {
  return Number.isFinite(maxConnections.high) ? show(maxConnections) : 'an unknown number of connections';
}

function clientOf({ name, at, instances }: Service, { size, target, address }: ServicePool): string {
  const reached = target?.kind === 'pooler' ? target.pooler.name : target?.database.name;
  return `${name} (${lineOf(at)}) → ${reached ?? address?.host ?? 'not known'}: ${show(instances)} × ${show(size)} connections`;
}

function lineOf(place: Place): string {
  const { text, range } = outermost(place);
  return `${text.path}:${positionAt(text, range.start).line}`;
}

/** The servers that pools connect to and that no file declares, an entry each. */
function databasesElsewhere(deployments: readonly Deployment[]): readonly (readonly string[])[] {
  const clients = deployments.flatMap(({ services }) =>
    services.flatMap(({ name, pools }) =>
      pools.flatMap(({ site, target, address }) =>
        !target && address && isElsewhere(address.host) ? [{ service: name, engine: site.driver.engine, address }] : [],
      ),
    ),
  );
  const byServer = groupBy(clients, ({ address }) => `${address.host}:${address.port}`);
  return [...byServer.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { host, port } = first.address;
    const names = [...new Set(group.map(({ service }) => service))].join(', ');
    return [
      [
        `${host.split('.')[0]}: # ${names}`,
        `  host: ${host}`,
        ...(port === undefined ? [] : [`  port: ${port}`]),
        ...(first.engine === 'mysql' ? ['  engine: mysql'] : []),
        '  max_connections: ? # what SHOW max_connections says there',
      ],
    ];
  });
}

/** A name in the DNS, not one of a stack whose server is not known. */
function isElsewhere(host: string): boolean {
  return /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i.test(host) && !/\.svc(\.|$)/.test(host);
}

/** Programs whose image does not tell their version, a line each. */
function versionsNotTold(deployments: readonly Deployment[]): readonly string[] {
  const programs = deployments.flatMap(({ poolers, proxies, databases }) => [
    ...poolers.map(({ software, version, at, run }) => ({ software, version, at, isOwn: run !== undefined })),
    ...proxies.map(({ software, version, at }) => ({ software, version, at, isOwn: true })),
    ...databases.map(({ software, version, at }) => ({ software, version, at, isOwn: true })),
  ]);
  const untold = programs.filter(
    ({ software, version, isOwn }) => version === undefined && isOwn && /^(pgbouncer|nginx|postgresql)$/.test(software),
  );
  return [...groupBy(untold, ({ software }) => software)].map(
    ([software, group]) => `${software}: ? # ${[...new Set(group.map(({ at }) => lineOf(at)))].join(', ')} does not tell`,
  );
}
