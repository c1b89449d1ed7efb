import type { Place } from '@poolcheck/parsers/text';
import { managedServices } from '../../knowledge/managed-limits.ts';
import type { Known } from '../../known.ts';

/** What a server of a provider accepts by its class; undefined when that is not known. */
export function managedLimit(
  service: string,
  size: string,
  place: Place,
): { readonly maxConnections: Known; readonly reserved: number } | undefined {
  const limit = managedServices[service]?.limitOf(size);
  if (!limit) return undefined;
  const { low, high, reserved, documented } = limit;
  const count = low === high ? String(low) : `${low} to ${high}, as its memory is`;
  const evidence = [{ place, says: `${size} of ${service}: max_connections is ${count}` }];
  return { maxConnections: { low, high, source: documented ? 'defaulted' : 'assumed', evidence }, reserved };
}
