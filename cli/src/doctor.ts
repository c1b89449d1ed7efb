import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '@poolcheck/parsers/text';
import {
  isNginx,
  type Database,
  type Deployment,
  type Pooler,
  type Proxy,
  type Service,
  type ServicePool,
  type Target,
} from '@poolcheck/rules/deployment/model';
import { configName } from '@poolcheck/rules/disk/root';
import { show, type Evidence, type Known } from '@poolcheck/rules/known';
import { showVersion, type Version } from '@poolcheck/rules/version';
import type { SeenPool } from '@poolcheck/rules/check';
import packageJson from '../package.json' with { type: 'json' };
import type { DoctorOptions } from './arguments.ts';
import { hasColor } from './color.ts';
import { exit } from './exit.ts';
import type { Io } from './io.ts';
import { analyse, type Analysed } from './lint.ts';
import { prose } from './output/neutral.ts';
import { paletteOf, type Palette } from './output/palette.ts';
import { redact } from './output/redact.ts';
import { plural, positionOf } from './output/words.ts';
import { progressOn } from './progress.ts';
import { relocation } from './report.ts';
import { ruleIds } from './rule-ids.ts';

/** `poolcheck doctor`: says what was understood of each root, and what was not; what stands in it can go into a bug report. */
export function doctor(options: DoctorOptions, io: Io): number {
  const progress = progressOn(io.err);
  const rules = new Map(ruleIds.map((id) => [id, 'off'] as const));
  const roots = analyse({ ...options, rules, cwd: io.cwd, env: io.env, onRead: progress.onRead, typesIn: undefined });
  progress.end();
  const palette = paletteOf(hasColor(options, io));
  const head = `poolcheck ${packageJson.version}, ${io.runtime}`;
  const lines = [head, ...roots.flatMap((root) => new Doctor(root, palette).lines())];
  io.out.write(lines.map((line) => `${line}\n`).join(''));
  return exit.clean;
}

/** Something that was understood: what it is, where it stands, what says so, and what belongs to it. */
interface Item {
  readonly text: string;
  readonly at?: Place;
  readonly evidence?: readonly Evidence[];
  readonly inner?: readonly Item[];
}

class Doctor {
  readonly #root: Analysed;
  readonly #palette: Palette;
  readonly #show: (place: Place) => Place;

  constructor(root: Analysed, palette: Palette) {
    this.#root = root;
    this.#palette = palette;
    this.#show = relocation(root.shownAs.cwd);
  }

  lines(): readonly string[] {
    const { target, result, project, shownAs } = this.#root;
    const configured = existsSync(join(target.root, configName)) ? `as ${shownAs.cwd(configName)} says` : `no ${configName}`;
    const { kinds: found, pools } = result.seen();
    const kinds = [...found].filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
    const problems = [...project.problems(), ...result.problems];
    return [
      '',
      this.#palette.strong(`root ${prose(shownAs.cwd(''))} (${configured})`),
      `  ${plural(result.files, 'file')} analysed${kinds.length > 0 ? `: ${kinds.join(', ')}` : ''}`,
      ...result.deployments.flatMap((deployment) => this.#section(shownAs.cwd(deployment.name), itemsOf(deployment))),
      ...this.#section('pools in the source', pools.map(poolItem)),
      ...this.#section(
        'not understood',
        problems.map(({ path, at, message }) => ({ text: `${message}${at ? '' : `  ${shownAs.cwd(path)}`}`, ...(at && { at }) })),
      ),
    ];
  }

  #section(title: string, items: readonly Item[]): readonly string[] {
    return items.length > 0 ? ['', `  ${this.#palette.strong(prose(title))}`, ...items.flatMap((item) => this.#item(item, '    '))] : [];
  }

  #item({ text, at, evidence = [], inner = [] }: Item, indent: string): readonly string[] {
    const read = [...new Set(evidence.map((each) => this.#line(each.says, each.place)))];
    return [
      indent + this.#line(text, at),
      ...read.map((line) => `${indent}    ${this.#palette.faint(line)}`),
      ...inner.flatMap((item) => this.#item(item, `${indent}  `)),
    ];
  }

  #line(text: string, at: Place | undefined): string {
    return prose(redact(text)) + (at ? `  ${this.#palette.faint(positionOf(this.#show(at)))}` : '');
  }
}

function itemsOf({ services, poolers, databases, proxies }: Deployment): readonly Item[] {
  return [...services.map(serviceItem), ...poolers.map(poolerItem), ...databases.map(databaseItem), ...proxies.map(proxyItem)];
}

function serviceItem({ name, at, instances, processes, pools }: Service): Item {
  const text = `service ${name}: ${counted(instances, 'instance')} × ${counted(processes, 'process', 'processes')}`;
  return { text, at, evidence: [...instances.evidence, ...processes.evidence], inner: pools.map(servicePoolItem) };
}

function servicePoolItem({ site, size, target }: ServicePool): Item {
  const text = `${site.driver.name} ${site.name ?? site.role}: ${counted(size, 'connection')} → ${reached(target)}`;
  return { text, at: site.place, evidence: [...size.evidence, ...(target?.evidence ?? [])] };
}

function reached(target: Target | undefined): string {
  if (!target) return 'it is not known where';
  return target.kind === 'database' ? target.database.name : `${target.pooler.name}, by its entry ${target.entry.name}`;
}

function poolerItem({ name, software, version, at, instances, entries }: Pooler): Item {
  const inner = entries.map((entry) => ({
    text: `${entry.name}: ${entry.mode.value} mode, ${counted(entry.serverConnections, 'connection')} → ${entry.database?.name ?? 'it is not known where'}`,
    at: entry.at,
    evidence: [entry.mode.evidence, ...entry.serverConnections.evidence],
  }));
  return {
    text: `pooler ${name}: ${counted(instances, 'instance')} of ${software} ${shown(version)}`,
    at,
    evidence: instances.evidence,
    inner,
  };
}

function databaseItem({ name, software, version, at, maxConnections, reserved }: Database): Item {
  const text = `database ${name}: ${software} ${shown(version)}, ${counted(maxConnections, 'connection')} − ${show(reserved)}`;
  return { text, at, evidence: [...maxConnections.evidence, ...reserved.evidence] };
}

const reuses = { kept: 'kept', closed: 'not kept', depends: 'kept or not, by its version', unknown: 'perhaps kept' } as const;

function proxyItem(proxy: Proxy): Item {
  const inner = proxy.routes.map(({ at, servers, programs, reuse }) => {
    const names = [...new Set([...servers, ...programs].map(({ service }) => service.name))];
    return { text: `→ ${names.length > 0 ? names.join(', ') : 'it is not known where'}; connections are ${reuses[reuse.kind]}`, at };
  });
  const problems = isNginx(proxy) ? proxy.problems.map(({ message }) => ({ text: message })) : [];
  return { text: `proxy ${proxy.name}: ${proxy.software} ${shown(proxy.version)}`, at: proxy.at, inner: [...inner, ...problems] };
}

function poolItem({ site: { driver, role, name, place, module }, installed }: SeenPool): Item {
  const where = module.role === 'production' ? '' : `, in a ${module.role} file`;
  const version = installed?.evidence.says ?? `${driver.name}, of a version that is not known`;
  return { text: `${role} ${name ?? 'without a name'}: ${version}${where}`, at: place };
}

function counted(known: Known, one: string, many = `${one}s`): string {
  const number = show(known);
  return `${number} ${number === '1' ? one : many}`;
}

function shown(version: Version | undefined): string {
  return version ? showVersion(version) : 'of a version that is not known';
}
