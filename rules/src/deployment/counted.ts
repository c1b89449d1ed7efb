import type { CountedPool, Service } from './model.ts';

/** All pools of a service, in whatever language its code is. */
export function countedPools({ pools, foreignPools }: Pick<Service, 'pools' | 'foreignPools'>): readonly CountedPool[] {
  return [...pools, ...foreignPools];
}
