import { isChanging, type Fact } from '@poolcheck/rules/knowledge/changing';
import type { Driver, Method, PoolOptions, Size } from '@poolcheck/rules/knowledge/driver';
import { showVersion } from '@poolcheck/rules/version';

const heading = `# Drivers

What poolcheck knows how to follow: who takes a connection by which call and gives it back by which, the forms that need neither, and the
size and the wait for a free connection when nothing is set. \`undici\`, \`http.Agent\` and other HTTP clients are not among them: they lend nothing
that code must give back. [Adding a driver](adding-a-driver.md) is one file; what a package of your own lends is
[declared](configuration.md#wrappers-in-packages).

| driver | packages | takes | gives back | scoped | size | waits |
| --- | --- | --- | --- | --- | --- | --- |
`;

/** The page of all drivers. */
export function driversPage(drivers: readonly Driver[]): string {
  const names = [...new Set(drivers.map(({ name }) => name))];
  return heading + names.map((name) => rowOf(drivers.filter((driver) => driver.name === name))).join('\n') + '\n';
}

/** A driver, which may be several that differ in their packages. */
function rowOf(drivers: readonly Driver[]): string {
  const resources = drivers.flatMap((driver) => Object.values(driver.resources));
  const methods = resources.flatMap((resource) => Object.entries(resource.methods));
  const packages = drivers.flatMap((driver) => Object.entries(driver.packages));
  const exported = packages.flatMap(([, facts]) =>
    Object.entries(facts).flatMap(([path, { does }]) => (does ? [[path, does] as const] : [])),
  );
  const named = (wanted: (method: Method) => boolean) =>
    codes([...methods, ...exported].flatMap(([path, method]) => (wanted(method) ? [path] : [])));
  const { options } = resources.find(({ role, options }) => role === 'pool' && options) ?? {};
  return row([
    drivers.slice(0, 1).map(({ name, source }) => `[${name}](${source})`).join(),
    codes(packages.map(([name]) => name)),
    named(({ does }) => does === 'acquire' || does === 'hold'),
    named(({ does }) => does === 'release'),
    named((method) => method.does === 'scoped' || (method.does === 'acquire' && method.orScoped === true)),
    sizeOf(options),
    waitOf(options),
  ]);
}

function sizeOf(options: PoolOptions | undefined): string {
  const { max } = options ?? {};
  return max ? `${codes(max.names)} ${inVersions(max.default, showSize)}` : '';
}

function showSize(size: Size | undefined): string {
  if (size === undefined) return 'by the machine';
  return typeof size === 'number' ? String(size) : `${size.low}–${size.high}`;
}

function waitOf(options: PoolOptions | undefined): string {
  const { acquireTimeout } = options ?? {};
  if (!acquireTimeout) return '';
  const { names, default: byDefault, unit } = acquireTimeout;
  const show = (time: number | null) => (time === null ? 'for ever' : `${time / (unit === 's' ? 1 : 1_000)} s`);
  return `${codes(names)} ${inVersions(byDefault, show)}`;
}

/** "5–10, 100 since 4.0.0" */
function inVersions<T>(fact: Fact<T>, show: (value: T) => string): string {
  if (!isChanging(fact)) return show(fact);
  return fact.rows.map(({ since, value }, at) => (at === 0 ? show(value) : `${show(value)} since ${showVersion(since)}`)).join(', ');
}

function codes(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `\`${name}\``).join(', ');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
