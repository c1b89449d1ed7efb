import { parseDockerfile, type Dockerfile } from '@poolcheck/parsers/dockerfile/parse';
import { parseEnv, type EnvDocument } from '@poolcheck/parsers/env/parse';
import type { NginxDocument } from '@poolcheck/parsers/nginx/document';
import { parseNginx } from '@poolcheck/parsers/nginx/parse';
import type { PgbouncerDocument } from '@poolcheck/parsers/pgbouncer/document';
import { parsePgbouncer } from '@poolcheck/parsers/pgbouncer/parse';
import { parsePostgresqlConf, type PostgresqlConf } from '@poolcheck/parsers/postgresql/parse';
import { parsePrisma, type PrismaSchema } from '@poolcheck/parsers/prisma/parse';
import { placeOf, type Problem, type Text, textOf } from '@poolcheck/parsers/text';
import { parseYaml } from '@poolcheck/parsers/yaml/parse';
import type { YamlDocument } from '@poolcheck/parsers/yaml/value';
import { embeddedTexts } from './documents/embedded.ts';
import { type Neighbours, neighboursIn, neighboursInProject, nginxIncludes, pgbouncerIncludes } from './documents/includes.ts';
import { kindOf } from './documents/kind.ts';
import type { ProjectProblem } from './finding.ts';
import type { Project } from './project.ts';

interface Documents {
  readonly pgbouncer: PgbouncerDocument;
  readonly nginx: NginxDocument;
  readonly 'postgresql-conf': PostgresqlConf;
  /** A stream of manifests. */
  readonly kubernetes: readonly YamlDocument[];
  readonly kustomize: readonly YamlDocument[];
  readonly compose: readonly YamlDocument[];
  /** A template of AWS SAM. */
  readonly sam: readonly YamlDocument[];
  /** A template of CloudFormation without functions of AWS SAM. */
  readonly cloudformation: readonly YamlDocument[];
  /** A serverless.yml. */
  readonly serverless: readonly YamlDocument[];
  /** The values of a chart that say something of how requests come in. */
  readonly 'helm-values': readonly YamlDocument[];
  readonly env: EnvDocument;
  readonly dockerfile: Dockerfile;
  readonly prisma: PrismaSchema;
  /** package.json, which is YAML too. */
  readonly package: readonly YamlDocument[];
}

export type ConfigKind = keyof Documents;

/** A configuration file that was read, or one that stands inside another. */
export type ConfigDocument<Kind extends ConfigKind = ConfigKind> = {
  [K in Kind]: { readonly kind: K; readonly text: Text; readonly document: Documents[K]; readonly problems: readonly Problem[] };
}[Kind];

export interface ReadDocuments {
  readonly documents: readonly ConfigDocument[];
  readonly problems: readonly ProjectProblem[];
}

/** Reads every configuration file of a project, and those that stand in manifests and compose files. */
export function readDocuments(project: Project): ReadDocuments {
  const files = project.list().flatMap((path) => readFile(path, project));
  const documents = withoutIncluded([...files, ...files.flatMap(embeddedIn)]);
  return { documents, problems: documents.flatMap(problemsOf) };
}

/** The documents of one kind. */
export function documentsOf<Kind extends ConfigKind>(documents: readonly ConfigDocument[], kind: Kind) {
  return documents.filter((document): document is Extract<ConfigDocument, { kind: Kind }> => document.kind === kind);
}

function readFile(path: string, project: Project): readonly ConfigDocument[] {
  let content: string | undefined;
  const read = () => (content ??= project.readText(path) ?? '');
  const kind = kindOf(path, read);
  return kind ? [parse(kind, textOf(path, read()), neighboursInProject(path, project))] : [];
}

/** A text that aliases share is one document. */
function embeddedIn(file: ConfigDocument): readonly ConfigDocument[] {
  const texts = new Map(embeddedTexts(file).map((embedded) => [embedded.text, embedded]));
  return [...texts.values()].flatMap(({ name, text, siblings }) => {
    const kind = kindOf(name, () => text.content);
    return kind === 'pgbouncer' || kind === 'nginx' || kind === 'postgresql-conf' ? [parse(kind, text, neighboursIn(siblings))] : [];
  });
}

function parse(kind: ConfigKind, text: Text, neighbours: Neighbours): ConfigDocument {
  switch (kind) {
    case 'pgbouncer':
      return { kind, text, ...parsePgbouncer(text, pgbouncerIncludes(neighbours)) };
    case 'nginx':
      return { kind, text, ...parseNginx(text, nginxIncludes(neighbours)) };
    case 'postgresql-conf':
      return { kind, text, ...parsePostgresqlConf(text) };
    case 'env':
      return { kind, text, ...parseEnv(text) };
    case 'dockerfile':
      return { kind, text, ...parseDockerfile(text) };
    case 'prisma':
      return { kind, text, ...parsePrisma(text) };
    case 'kubernetes':
    case 'kustomize':
    case 'compose':
    case 'helm-values':
    case 'sam':
    case 'cloudformation':
    case 'serverless':
    case 'package':
      return { kind, text, ...parseYaml(text) };
  }
}

/** A file that another one includes is read there. */
function withoutIncluded(documents: readonly ConfigDocument[]): readonly ConfigDocument[] {
  const included = new Set(documents.flatMap((each) => (each.kind === 'nginx' ? each.document.includes.map(({ text }) => text.path) : [])));
  return documents.filter(({ kind, text }) => kind !== 'nginx' || text.within !== undefined || !included.has(text.path));
}

/** What makes PgBouncer or nginx refuse a file is a finding. */
function problemsOf({ kind, text, problems }: ConfigDocument): readonly ProjectProblem[] {
  return problems
    .filter(({ fatal }) => (kind !== 'pgbouncer' && kind !== 'nginx') || !fatal)
    .map((problem) => {
      const at = placeOf(problem.text ?? text, problem.range);
      return { path: at.text.path, at, message: problem.message };
    });
}
