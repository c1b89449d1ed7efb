import type { Deployment, Nginx, Proxy } from './deployment/model.ts';
import type { ConfigDocument, ConfigKind } from './documents.ts';
import type { Report, Severity } from './finding.ts';
import type { Module } from './source/module.ts';
import type { Program } from './source/program.ts';
import type { Versions } from './versions.ts';

/** What every rule says of itself. `id` is stable: users write it into their configuration. */
interface Meta<MessageId extends string> {
  readonly id: string;
  readonly severity: Severity;
  /** One sentence: what is wrong in production when this rule speaks. */
  readonly summary: string;
  /** Texts with `{placeholders}` that `data` of the report fills. */
  readonly messages: Readonly<Record<MessageId, string>>;
}

/** Looks at one TS/JS file, with the rest of the program at hand, and where it runs as far as that is known: not in an editor. */
export interface ModuleRule<MessageId extends string = string> extends Meta<MessageId> {
  readonly looksAt: 'module';
  check(module: Module, program: Program, deployments: readonly Deployment[]): Iterable<Report<MessageId>>;
  /** Of the same fault in what stands before the application. */
  checkNginx?(nginx: Nginx): Iterable<Report<MessageId>>;
}

/** Looks at one configuration file, at what runs with it as far as that is known, and at the versions that are declared. */
export interface DocumentRule<Kind extends ConfigKind = ConfigKind, MessageId extends string = string> extends Meta<MessageId> {
  readonly looksAt: 'document';
  readonly kind: Kind;
  check(document: ConfigDocument<Kind>, deployments: readonly Deployment[], versions: Versions): Iterable<Report<MessageId>>;
}

/** Looks at one environment: its services, pools, poolers, databases and proxies. */
export interface DeploymentRule<MessageId extends string = string> extends Meta<MessageId> {
  readonly looksAt: 'deployment';
  check(deployment: Deployment): Iterable<Report<MessageId>>;
}

/** Looks at one nginx, with all that it reads: one of an environment, or a configuration of which nobody knows who runs it. */
export interface NginxRule<MessageId extends string = string> extends Meta<MessageId> {
  readonly looksAt: 'nginx';
  check(nginx: Nginx): Iterable<Report<MessageId>>;
}

/** The source of a root, and what runs it. */
export interface Whole {
  readonly program: Program;
  readonly documents: readonly ConfigDocument[];
  readonly deployments: readonly Deployment[];
  /** In and outside of the deployments. */
  readonly proxies: readonly Proxy[];
}

/** Looks at everything at once: what it is about goes through source and configuration. */
export interface ProjectRule<MessageId extends string = string> extends Meta<MessageId> {
  readonly looksAt: 'project';
  check(whole: Whole): Iterable<Report<MessageId>>;
}

export type Rule = ModuleRule | DocumentRule | DeploymentRule | NginxRule | ProjectRule;

type Definition<R> = Omit<R, 'looksAt'>;

export function moduleRule<const Id extends string>(rule: Definition<ModuleRule<Id>>): ModuleRule<Id> {
  return { ...rule, looksAt: 'module' };
}

export function documentRule<const Kind extends ConfigKind, const Id extends string>(
  rule: Definition<DocumentRule<Kind, Id>>,
): DocumentRule<Kind, Id> {
  return { ...rule, looksAt: 'document' };
}

export function deploymentRule<const Id extends string>(rule: Definition<DeploymentRule<Id>>): DeploymentRule<Id> {
  return { ...rule, looksAt: 'deployment' };
}

export function nginxRule<const Id extends string>(rule: Definition<NginxRule<Id>>): NginxRule<Id> {
  return { ...rule, looksAt: 'nginx' };
}

export function projectRule<const Id extends string>(rule: Definition<ProjectRule<Id>>): ProjectRule<Id> {
  return { ...rule, looksAt: 'project' };
}
