import { knownObjects, meaningOf, optionsKnownIn, type Meaning } from '../knowledge/options.ts';
import type { WrittenOption } from './pool-options.ts';
import type { PoolSite } from './pools.ts';

/** An option that the driver of a pool does not know. */
export interface UnknownOption {
  readonly written: WrittenOption;
  /** The object it stands in; '' is the outermost. */
  readonly object: string;
  /** What it is meant to be, when that can be told. */
  readonly meaning: Meaning | undefined;
}

/**
 * The options of a pool that its driver does not know. One that means nothing may be there for other readers of the object; one whose
 * right name is given too does no harm.
 */
export function unknownOptions(site: PoolSite): readonly UnknownOption[] {
  if (site.role !== 'pool' || !site.complete) return [];
  const isOwn = isMadeFor(site);
  return knownObjects(site.options).flatMap((object) => {
    const known = optionsKnownIn(object, site.options);
    const all = site.given.writtenIn(object);
    return all
      .filter(({ name }) => !known.includes(name))
      .map((written): UnknownOption => ({ written, object, meaning: meaningOf(written.name, object, site.options) }))
      .filter(({ meaning }) => (meaning ? !all.some(({ name }) => name === meaning.option) : isOwn));
  });
}

/** Whether nothing but the construction gets the options. */
function isMadeFor({ node, module }: PoolSite): boolean {
  return node.arguments.every(
    (argument) =>
      argument.type !== 'Identifier' || module.variableOf(argument)?.references.filter((reference) => reference.isRead()).length === 1,
  );
}
