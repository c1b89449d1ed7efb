import { placeOf, slice, type Place } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, numberOf, stringOf, type YamlEntry, type YamlValue } from '@poolcheck/parsers/yaml/value';
import { countOf } from '../deployment/count.ts';
import type { ConfigDocument } from '../documents.ts';
import { functionTimeout, queueVisibility } from '../knowledge/lambda.ts';
import type { Known } from '../known.ts';
import type { Environment } from '../source/setting.ts';

/** A function of AWS Lambda, with what waits for it. */
export interface CloudFunction {
  readonly name: string;
  readonly timeout: Seconds;
  /** What asks it for an answer, when nothing else starts it. */
  readonly gateways: readonly Gateway[];
  readonly queues: readonly Queue[];
}

export interface Seconds {
  readonly value: number;
  readonly at: Place;
  /** The number stands there; else it is a default. */
  readonly isWritten: boolean;
}

export interface Gateway {
  readonly kind: 'rest' | 'http';
  readonly at: Place;
}

export interface Queue {
  readonly name: string;
  readonly visibility: Seconds;
}

/** What a function of AWS Lambda runs, and how many instances of it there can be. */
export interface Handler {
  readonly name: string;
  readonly at: Place;
  /** `src/orders.handler`: a module, and what it exports. */
  readonly handler: string;
  /** The folder that the module is in, from that of the file. */
  readonly folder: string;
  /** Absent: only the account limits them. */
  readonly concurrency?: Known;
  /** What its environment is written in, what holds last. */
  readonly variables: readonly YamlValue[];
  /** What it is told by them, as far as it is written out. */
  readonly environment: Environment;
}

/** The handlers that a template or a serverless.yml names. */
export function handlersIn({ kind, document }: ConfigDocument<'cloudformation' | 'sam' | 'serverless'>): readonly Handler[] {
  return document.flatMap(({ root }) => (kind === 'serverless' ? handlersOfServerless(root) : handlersOfTemplate(root)));
}

function handlersOfTemplate(root: YamlValue): readonly Handler[] {
  const shared = get(root, 'Globals', 'Function');
  return entriesOf(get(root, 'Resources')).flatMap(({ key, value }) => {
    if (stringOf(get(value, 'Type')) !== 'AWS::Serverless::Function') return [];
    const properties = get(value, 'Properties');
    const either = (name: string) => get(properties, name) ?? get(shared, name);
    return handlerOf(key, value, {
      handler: either('Handler'),
      folder: stringOf(either('CodeUri')) ?? '',
      concurrency: either('ReservedConcurrentExecutions') ?? queueLimit(entriesOf(get(properties, 'Events')).map((event) => event.value)),
      variables: [shared, properties].flatMap((each) => get(each, 'Environment', 'Variables') ?? []),
    });
  });
}

/** A function that only a queue starts runs no more often than that may start it. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
function queueLimit([event, ...others]: readonly YamlValue[]): YamlValue | undefined {
  const isOnly = others.length === 0 && stringOf(get(event, 'Type')) === 'SQS';
  return isOnly ? get(event, 'Properties', 'ScalingConfig', 'MaximumConcurrency') : undefined;
}

function handlersOfServerless(root: YamlValue): readonly Handler[] {
  return entriesOf(get(root, 'functions')).flatMap(({ key, value }) => {
    const [event, ...others] = itemsOf(get(value, 'events'));
    return handlerOf(key, value, {
      handler: get(value, 'handler'),
      folder: '',
      concurrency: get(value, 'reservedConcurrency') ?? (others.length === 0 ? get(event, 'sqs', 'maximumConcurrency') : undefined),
      variables: [get(root, 'provider'), value].flatMap((each) => get(each, 'environment') ?? []),
    });
  });
}

interface WrittenHandler extends Pick<Handler, 'folder' | 'variables'> {
  readonly handler: YamlValue | undefined;
  readonly concurrency: YamlValue | undefined;
}

function handlerOf(
  key: YamlEntry['key'],
  value: YamlValue,
  { handler: written, concurrency, ...rest }: WrittenHandler,
): readonly Handler[] {
  const handler = stringOf(written);
  const at = placeOf(value.text, key.range);
  if (handler === undefined) return [];
  const limit = isAbsent(concurrency) ? undefined : countOf(concurrency, 'concurrency', 1, at);
  return [{ name: key.value, at, handler, ...rest, environment: environmentOf(rest.variables), ...(limit && { concurrency: limit }) }];
}

/** What refers to something else (`${ssm:…}`, `!Ref`) is not known. */
function environmentOf(written: readonly YamlValue[]): Environment {
  return (name) => {
    const value = written.map((each) => get(each, name)).findLast((each) => each && !isAbsent(each));
    const text = stringOf(value);
    if (!value || text === undefined || text.includes('${')) return { state: 'unknown' };
    return { state: 'set', value: text, place: placeOf(value.text, value.range) };
  };
}

/** The functions that a template of AWS SAM or a serverless.yml declares, where their timeouts are known. */
export function functionsIn({ kind, document }: ConfigDocument<'sam' | 'serverless'>): readonly CloudFunction[] {
  return document.flatMap(({ root }) => (kind === 'sam' ? ofSam(root) : ofServerless(root)));
}

/** https://docs.aws.amazon.com/serverless-application-model/latest/developerguide/sam-resource-function.html */
function ofSam(root: YamlValue): readonly CloudFunction[] {
  const resources = get(root, 'Resources');
  const shared = get(root, 'Globals', 'Function', 'Timeout');
  return entriesOf(resources).flatMap(({ key, value }): readonly CloudFunction[] => {
    if (stringOf(get(value, 'Type')) !== 'AWS::Serverless::Function') return [];
    const at = placeOf(value.text, key.range);
    const timeout = secondsOf(get(value, 'Properties', 'Timeout') ?? shared, functionTimeout.aws, at);
    if (!timeout) return [];
    const events = entriesOf(get(value, 'Properties', 'Events'));
    const gateways = events.flatMap((event): readonly Gateway[] => {
      const type = stringOf(get(event.value, 'Type'));
      const kind = type === 'Api' ? 'rest' : type === 'HttpApi' ? 'http' : undefined;
      return kind ? [{ kind, at: placeOf(event.value.text, event.key.range) }] : [];
    });
    const queues = events.flatMap((event) =>
      stringOf(get(event.value, 'Type')) === 'SQS' ? queueBehind(get(event.value, 'Properties', 'Queue'), resources) : [],
    );
    return [{ name: key.value, timeout, gateways: gateways.length === events.length ? gateways : [], queues }];
  });
}

/** https://www.serverless.com/framework/docs/providers/aws/guide/serverless.yml */
function ofServerless(root: YamlValue): readonly CloudFunction[] {
  const resources = get(root, 'resources', 'Resources');
  const shared = get(root, 'provider', 'timeout');
  return entriesOf(get(root, 'functions')).flatMap(({ key, value }): readonly CloudFunction[] => {
    const timeout = secondsOf(get(value, 'timeout') ?? shared, functionTimeout.serverless, placeOf(value.text, key.range));
    if (!timeout) return [];
    const events = itemsOf(get(value, 'events')).flatMap(entriesOf);
    const gateways = events.flatMap((event): readonly Gateway[] => {
      const kind = event.key.value === 'http' ? 'rest' : event.key.value === 'httpApi' ? 'http' : undefined;
      return kind ? [{ kind, at: placeOf(event.value.text, event.key.range) }] : [];
    });
    const queues = events.flatMap((event) =>
      event.key.value === 'sqs' ? queueBehind(get(event.value, 'arn') ?? event.value, resources) : [],
    );
    return [{ name: key.value, timeout, gateways: gateways.length === events.length ? gateways : [], queues }];
  });
}

function secondsOf(value: YamlValue | undefined, byDefault: number, at: Place): Seconds | undefined {
  if (!value || isAbsent(value)) return { value: byDefault, at, isWritten: false };
  const seconds = numberOf(value);
  return seconds === undefined ? undefined : { value: seconds, at: placeOf(value.text, value.range), isWritten: true };
}

/** `!GetAtt Orders.Arn`, `Fn::GetAtt: [Orders, Arn]` */
function queueBehind(reference: YamlValue | undefined, resources: YamlValue | undefined): readonly Queue[] {
  const [first] = itemsOf(get(reference, 'Fn::GetAtt'));
  const tagged = reference?.kind === 'unknown' ? slice(reference.text, reference.range) : '';
  const name = stringOf(first) ?? /^(?:!GetAtt\s+)?["']?(\w+)\.Arn["']?$/.exec(tagged)?.[1];
  const entry = entriesOf(resources).find(({ key }) => key.value === name);
  if (name === undefined || !entry || stringOf(get(entry.value, 'Type')) !== 'AWS::SQS::Queue') return [];
  const at = placeOf(entry.value.text, entry.key.range);
  const visibility = secondsOf(get(entry.value, 'Properties', 'VisibilityTimeout'), queueVisibility, at);
  return visibility ? [{ name, visibility }] : [];
}
