import { type ConfigDocument, documentsOf } from '../../documents.ts';
import type { Fix, Report } from '../../finding.ts';
import { gatewayTimeout, visibilityFactor } from '../../knowledge/lambda.ts';
import { functionsIn, type CloudFunction, type Seconds } from '../../serverless/functions.ts';
import type { MessageId } from './order.ts';

/** A function must be over before its gateway answers for it, and before its queue gives the message to another. */
export function* aboutFunctions(documents: readonly ConfigDocument[]): Iterable<Report<MessageId>> {
  const files = [...documentsOf(documents, 'sam'), ...documentsOf(documents, 'serverless')];
  for (const file of files) {
    for (const each of functionsIn(file)) {
      yield* aboutGateways(each);
      yield* aboutQueues(each);
    }
  }
}

function* aboutGateways({ name, timeout, gateways }: CloudFunction): Iterable<Report<MessageId>> {
  const [gateway] = gateways;
  if (!gateway || !timeout.isWritten) return;
  const outer = gatewayTimeout[gateway.kind];
  if (timeout.value <= outer) return;
  yield {
    at: timeout.at,
    message: 'gateway',
    data: { name, outer, inner: timeout.value },
    related: [{ at: gateway.at, message: 'API Gateway waits for it here' }],
    fixes: seconds(timeout, outer),
    symbol: name,
  };
}

function* aboutQueues({ name, timeout, queues }: CloudFunction): Iterable<Report<MessageId>> {
  for (const { name: queue, visibility } of queues) {
    const advised = timeout.value * visibilityFactor;
    if (visibility.value >= advised) continue;
    const isRefused = visibility.value < timeout.value;
    yield {
      at: visibility.at,
      message: isRefused ? 'queueShorter' : 'queueShort',
      ...(isRefused ? {} : { severity: 'info' }),
      data: { name, queue, outer: visibility.value, inner: timeout.value, advised },
      related: [{ at: timeout.at, message: `the function may take ${timeout.value} s` }],
      fixes: seconds(visibility, advised),
      symbol: queue,
    };
  }
}

function seconds({ at: { text, range }, isWritten }: Seconds, value: number): readonly Fix[] {
  return isWritten ? [{ title: `Set it to ${value} s`, safe: false, edits: [{ text, range, insert: String(value) }] }] : [];
}
