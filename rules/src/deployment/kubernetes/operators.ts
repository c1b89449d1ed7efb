import type { Manifest } from './manifest.ts';
import { cloudNativePg } from './operators/cloudnative-pg.ts';
import { crunchy } from './operators/crunchy.ts';
import { zalando } from './operators/zalando.ts';
import type { Pods } from './workloads.ts';

const operators = [cloudNativePg, crunchy, zalando];

/** The databases and poolers that an operator runs for one of its own objects. */
export function operatedPods(manifest: Manifest): readonly Pods[] {
  return operators.flatMap((operator) => operator(manifest));
}
