import { placeOf, type Place } from '@poolcheck/parsers/text';
import { get, isAbsent, itemsOf, numberOf, entriesOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { Word } from '@poolcheck/parsers/shell/words';
import { type ConfigDocument, documentsOf } from '../../documents.ts';
import { parseImage } from '../../knowledge/images.ts';
import { defaulted, type Known, written } from '../../known.ts';
import type { Project } from '../../project.ts';
import type { Environment, Variable } from '../../source/setting.ts';
import { type Handler, handlersIn } from '../../serverless/functions.ts';
import { countOf } from '../count.ts';
import { variableOf } from '../env-files.ts';
import type { Scale } from '../model.ts';
import { folderOf, joinPath } from '../paths.ts';
import { moduleAt } from '../services/entries.ts';
import type { Container, Stack, Workload } from '../stack.ts';
import { databasesOf } from './databases.ts';
import { readTemplate, type Resource, type Template } from './template.ts';

/** The environments that templates of CloudFormation and AWS SAM and serverless.yml draw: services of ECS, functions of Lambda, databases of RDS. */
export function cloudFormationStacks(documents: readonly ConfigDocument[], project: Project): readonly Stack[] {
  const files = [...documentsOf(documents, 'cloudformation'), ...documentsOf(documents, 'sam'), ...documentsOf(documents, 'serverless')];
  return files.flatMap((file) => stackOf(file, project));
}

type TemplateFile = ConfigDocument<'cloudformation' | 'sam' | 'serverless'>;

function stackOf(file: TemplateFile, project: Project): readonly Stack[] {
  const [document] = file.document;
  const root = file.kind === 'serverless' ? get(document?.root, 'resources') : document?.root;
  if (!document) return [];
  const template = readTemplate(root ?? document.root);
  const functions = handlersIn(file).flatMap((handler) => functionOf(handler, file.text.path, template, project) ?? []);
  const workloads = [...template.resources.flatMap((resource) => serviceOf(resource, template) ?? []), ...functions];
  if (workloads.length === 0) return [];
  return [{ name: file.text.path, workloads, complete: document.complete, managed: databasesOf(template), resolve: () => undefined }];
}

/** https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html: the quota of an account. */
const accountConcurrency = 1000;

/** A function whose module is in the project. */
function functionOf(handler: Handler, path: string, { textOf }: Template, project: Project): Workload | undefined {
  const files = new Set(project.list());
  const folder = joinPath(folderOf(path), handler.folder);
  const module = handler.handler.replace(/\.\w+$/, '');
  if (folder === undefined || moduleAt(module, folder, { hasFile: (file) => files.has(file) }).kind !== 'module') return undefined;
  const { name, at } = handler;
  const word = (value: string): Word => ({ ...at, value, expands: false });
  const container: Container = {
    ...emptyContainer(name, at),
    build: { context: folder, dockerfile: '', target: undefined },
    entrypoint: [word('node'), word(module)],
    environment: environmentIn(
      handler.variables.flatMap(entriesOf).map(({ key, value }) => [key.value, value] as const),
      textOf,
    ),
  };
  const instances: Known = handler.concurrency ?? {
    ...defaulted(1, `nothing limits how many run but the account: ${accountConcurrency}`, at),
    high: accountConcurrency,
    source: 'assumed',
  };
  return { name, at, instances, isFunction: true, containers: [container] };
}

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-ecs-service.html */
function serviceOf({ type, name, properties, at }: Resource, template: Template): Workload | undefined {
  const task = type === 'AWS::ECS::Service' ? template.referred(get(properties, 'TaskDefinition')) : undefined;
  if (!task || stringOf(get(properties, 'SchedulingStrategy')) === 'DAEMON') return undefined;
  const desired = countOf(get(properties, 'DesiredCount'), 'DesiredCount', 1, at);
  const scaled = scalingOf(name, template);
  const containers = itemsOf(get(task.properties, 'ContainerDefinitions')).map((definition) => containerOf(definition, template));
  const surge = surgeOf(get(properties, 'DeploymentConfiguration', 'MaximumPercent'), at);
  return { name, at, instances: scaled ?? desired, ...(scaled && { started: desired }), ...(surge && { surge }), containers };
}

function scalingOf(service: string, { resources, textOf }: Template): Known | undefined {
  const target = resources.find(
    ({ type, properties }) =>
      type === 'AWS::ApplicationAutoScaling::ScalableTarget' &&
      mentions(get(properties, 'ResourceId'), service) &&
      textOf(get(properties, 'MaxCapacity')) !== undefined,
  );
  return target && countOf(get(target.properties, 'MaxCapacity'), 'MaxCapacity', 1, target.at);
}

function mentions(value: YamlValue | undefined, service: string): boolean {
  return value?.text.content.slice(value.range.start, value.range.end).includes(`${service}.Name`) === true;
}

const percentByDefault = 200;

/** https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html: as many as there may be while it is deployed, rounded down. */
function surgeOf(value: YamlValue | undefined, at: Place): Scale['surge'] {
  const percent = isAbsent(value) ? percentByDefault : numberOf(value);
  if (percent === undefined || percent <= 100) return undefined;
  const said =
    value && !isAbsent(value)
      ? written(0, `MaximumPercent: ${percent}`, value)
      : defaulted(0, `MaximumPercent is not set: ${percentByDefault}`, at);
  const more = (count: number) => Math.floor((count * (percent - 100)) / 100);
  return ({ low, high, source }) => ({ ...said, low: more(low), high: more(high), source: source === 'assumed' ? source : said.source });
}

function containerOf(definition: YamlValue, { textOf }: Template): Container {
  const image = get(definition, 'Image');
  const reference = textOf(image);
  const name = stringOf(get(definition, 'Name')) ?? '';
  const variables = itemsOf(get(definition, 'Environment')).flatMap((entry) => {
    const [key, value] = [stringOf(get(entry, 'Name')), get(entry, 'Value')];
    return key === undefined || !value ? [] : [[key, value] as const];
  });
  const secrets = itemsOf(get(definition, 'Secrets')).flatMap((entry) => {
    const key = stringOf(get(entry, 'Name'));
    return key === undefined ? [] : [[key, undefined] as const];
  });
  const environment = environmentIn([...variables, ...secrets], textOf);
  return {
    ...emptyContainer(name, { text: definition.text, range: (get(definition, 'Name') ?? definition).range }),
    image: image && reference !== undefined ? { ...placeOf(image.text, image.range), reference: parseImage(reference) } : undefined,
    entrypoint: wordsIn(get(definition, 'EntryPoint')),
    command: wordsIn(get(definition, 'Command')),
    environment: isAbsent(get(definition, 'EnvironmentFiles')) ? environment : maybeMore(environment),
  };
}

function emptyContainer(name: string, at: Place): Container {
  return {
    name,
    at,
    image: undefined,
    build: undefined,
    entrypoint: undefined,
    command: undefined,
    environment: () => ({ state: 'unset' }),
    variables: [],
    ports: [],
    mounts: [],
  };
}

function wordsIn(value: YamlValue | undefined): readonly Word[] | undefined {
  if (isAbsent(value)) return undefined;
  return itemsOf(value).map((item) => ({
    text: item.text,
    range: item.range,
    value: stringOf(item) ?? '',
    expands: item.kind !== 'scalar',
  }));
}

/** Variables by name; those without a value come from a secret. */
function environmentIn(
  variables: readonly (readonly [name: string, value: YamlValue | undefined])[],
  textOf: Template['textOf'],
): Environment {
  const known = new Map(
    variables.map(([name, value]): readonly [string, Variable] => [
      name,
      value ? variableOf(textOf(value), placeOf(value.text, value.range)) : { state: 'unknown' },
    ]),
  );
  return (name) => known.get(name) ?? { state: 'unset' };
}

function maybeMore(environment: Environment): Environment {
  return (name) => {
    const variable = environment(name);
    return variable.state === 'unset' ? { state: 'unknown' } : variable;
  };
}
