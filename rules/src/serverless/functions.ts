import { placeOf, slice, type Place } from '@poolcheck/parsers/text';
import { entriesOf, get, isAbsent, itemsOf, numberOf, stringOf, type YamlValue } from '@poolcheck/parsers/yaml/value';
import type { ConfigDocument } from '../documents.ts';
import { functionTimeout, queueVisibility } from '../knowledge/lambda.ts';

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
