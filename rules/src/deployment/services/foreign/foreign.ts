import type { Project } from '../../../project.ts';
import type { ForeignPool, Pooler } from '../../model.ts';
import type { FoundPooler } from '../../poolers/found.ts';
import type { Image } from '../../images.ts';
import type { Candidate } from '../links.ts';
import type { Run } from '../runs.ts';
import { completeTarget, type FoundTarget, type Servers, targetOf } from '../targets.ts';
import type { FoundForeignPool } from './found.ts';
import { pythonPools } from './python.ts';
import { railsPools } from './rails.ts';
import { springPools } from './spring.ts';

/** A pool of another language with what its address leads to, before the poolers of the stack are complete. */
export interface DirectedForeignPool extends FoundForeignPool {
  readonly target: FoundTarget | undefined;
}

/** The pools of a container whose code is not JavaScript, as far as configurations tell. */
export function foreignPoolsIn(
  { application, environment, workload }: Candidate,
  runs: readonly Run[],
  image: Image,
  project: Project,
  servers: Servers,
): readonly DirectedForeignPool[] {
  const sources = { folder: application.folder, runs, base: image.reference?.repository, environment, project };
  return [springPools, pythonPools, railsPools]
    .flatMap((poolsOf) => poolsOf(sources))
    .map((pool) => ({ ...pool, target: pool.address && targetOf(pool.address, workload, servers) }));
}

export function completeForeignPool(
  { name, place, size, driver, target }: DirectedForeignPool,
  poolers: ReadonlyMap<FoundPooler, Pooler>,
): ForeignPool {
  return { name, place, size, driver, target: completeTarget(target, poolers) };
}
