import { get, stringOf } from '@poolcheck/parsers/yaml/value';
import { catalogue } from './catalogue.ts';
import type { Deployment, Nginx, Proxy } from './deployment/model.ts';
import { type Survey, survey } from './deployment/survey.ts';
import { readDocuments, type ConfigDocument } from './documents.ts';
import { manifestsIn } from './documents/embedded.ts';
import type { Finding, ProjectProblem, Report } from './finding.ts';
import { fingerprinter } from './fingerprint.ts';
import { findingOf, mayRun, withMore, type Judged, type Plan } from './judge.ts';
import { groupBy } from './group.ts';
import type { Installed } from './installed/installations.ts';
import { breakerSpecifiers } from './knowledge/time-limits.ts';
import type { Project } from './project.ts';
import type { Rule } from './rule.ts';
import type { PoolSite } from './source/pools.ts';
import { programOf, type Program } from './source/program.ts';
import { httpSpecifiers } from './source/servers.ts';
import type { Types } from './source/types/oracle.ts';
import { noVersions, type Versions } from './versions.ts';

export interface CheckResult {
  readonly findings: readonly Finding[];
  readonly problems: readonly ProjectProblem[];
  readonly deployments: readonly Deployment[];
  /** How many files were analysed. */
  readonly files: number;
  seen(): Seen;
}

/** What the analysis took the files for, whether or not anything is wrong with it. */
export interface Seen {
  /** How many files of each kind there are. */
  readonly kinds: ReadonlyMap<string, number>;
  /** The pools and single connections that the source makes. */
  readonly pools: readonly SeenPool[];
}

export interface SeenPool {
  readonly site: PoolSite;
  /** The driver as it is installed; undefined: nobody says. */
  readonly installed: Installed | undefined;
}

/** Analyses a whole root. Pure but for reading through the project. Types may add findings; they change and take away none. */
export function check(project: Project, plan: Plan, types?: Types): CheckResult {
  const read = readDocuments(project);
  const hasProxy = read.documents.some(isOfProxy);
  const versions = plan.versions ?? noVersions;
  const options = {
    versions,
    ...(plan.wrappers ? { wrappers: plan.wrappers } : {}),
    alsoRelevant: new Set([...breakerSpecifiers, ...(hasProxy ? httpSpecifiers : [])]),
  };
  const program = programOf(project, options);
  const typed = types && programOf(project, { ...options, types, like: program });
  const surveyed = survey(project, read.documents, program, { versions, databases: plan.databases ?? [] });
  const configured = {
    documents: [...read.documents, ...madeDocuments(surveyed.deployments)],
    survey: surveyed,
    versions,
  };
  const rules = catalogue.filter((rule) => mayRun(plan, rule.id));
  const judge = (seen: Program, rule: Rule) => reportsOf(rule, seen, configured).flatMap((report) => findingOf(rule, report, plan) ?? []);
  const written = rules.flatMap((rule) => judge(program, rule));
  const inferred = typed ? rules.filter(({ looksAt }) => looksAt === 'module').flatMap((rule) => judge(typed, rule)) : [];
  const fingerprint = fingerprinter();
  const findings = withMore(written, inferred)
    .toSorted(byPlace)
    .filter((finding, at, all) => at === 0 || byPlace(finding, all[at - 1] ?? finding) !== 0)
    .map((finding) => ({ ...finding, fingerprint: fingerprint(finding) }));
  return {
    findings,
    problems: [...read.problems, ...program.problems, ...surveyed.problems, ...(types?.problems() ?? [])],
    deployments: surveyed.deployments,
    seen: () => seenIn(typed ?? program, read.documents),
    files: (typed ?? program).modules.length + new Set(read.documents.map(({ text }) => text.path)).size,
  };
}

function seenIn({ modules, pools, installations }: Program, documents: readonly ConfigDocument[]): Seen {
  const kinds = new Map([['TypeScript and JavaScript', modules.length]]);
  for (const [kind, group] of groupBy(documents, (document) => document.kind))
    kinds.set(kind, new Set(group.map(({ text }) => text.path)).size);
  return { kinds, pools: pools.map((site) => ({ site, installed: installations.of(site.driver.name, site.module.path) })) };
}

/** It says how requests come in. */
function isOfProxy(document: ConfigDocument): boolean {
  if (document.kind !== 'kubernetes') return document.kind === 'nginx';
  return document.document.some(({ root }) => manifestsIn(root).some((manifest) => stringOf(get(manifest, 'kind')) === 'Ingress'));
}

interface Configured {
  readonly documents: readonly ConfigDocument[];
  readonly survey: Survey;
  readonly versions: Versions;
}

function reportsOf(rule: Rule, program: Program, { documents, survey: { deployments, nginx }, versions }: Configured): readonly Report[] {
  switch (rule.looksAt) {
    case 'module':
      return [
        ...program.modules.flatMap((module) => [...rule.check(module, program, deployments)]),
        ...nginx.flatMap((each) => [...(rule.checkNginx?.(each) ?? [])]),
      ];
    case 'document':
      return documents.flatMap((document) => (document.kind === rule.kind ? [...rule.check(document, deployments, versions)] : []));
    case 'deployment':
      return deployments.flatMap((deployment) => [...rule.check(deployment)]);
    case 'nginx':
      return nginx.flatMap((each) => [...rule.check(each)]);
    case 'project':
      return [...rule.check({ program, documents, deployments, proxies: allProxies(deployments, nginx) })];
  }
}

function allProxies(deployments: readonly Deployment[], nginx: readonly Nginx[]): readonly Proxy[] {
  return [...new Set([...deployments.flatMap(({ proxies }) => proxies), ...nginx])];
}

/** What poolers are told by variables and manifests. */
function madeDocuments(deployments: readonly Deployment[]): readonly ConfigDocument[] {
  return deployments
    .flatMap(({ poolers }) => poolers)
    .flatMap(({ document }) => (document ? [{ kind: 'pgbouncer', text: document.texts[0], document, problems: [] } as const] : []));
}

/** Equal only for the same fault said twice, as of a file that two environments share. */
function byPlace(a: Judged, b: Judged): number {
  return (
    compare(a.at.text.path, b.at.text.path) ||
    a.at.range.start - b.at.range.start ||
    compare(a.rule, b.rule) ||
    a.at.range.end - b.at.range.end ||
    compare(a.message, b.message)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
