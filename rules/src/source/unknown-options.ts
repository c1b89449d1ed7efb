import type { Later } from '../knowledge/installed-options.ts';
import { knownObjects, meaningOf, nameOf, objectOf, optionsKnownIn, type Meaning } from '../knowledge/options.ts';
import type { WrittenOption } from './pool-options.ts';
import type { PoolSite } from './pools.ts';

/** An option that the driver of a pool does not know. */
export interface UnknownOption {
  readonly written: WrittenOption;
  /** The object it stands in; '' is the outermost. */
  readonly object: string;
  /** What it is meant to be, when that can be told. */
  readonly meaning: Meaning | undefined;
  /** It came with a later release than is installed. */
  readonly later?: Later;
}

/**
 * The options of a pool that its driver does not know. One that means nothing may be there for other readers of the object; one whose
 * right name is given too does no harm.
 */
export function unknownOptions(site: PoolSite): readonly UnknownOption[] {
  if (site.role !== 'pool') return [];
  return [...laterOptions(site), ...(site.complete ? neverKnown(site) : [])];
}

function laterOptions({ options, given }: PoolSite): readonly UnknownOption[] {
  return [...options.later].flatMap(([path, later]) => {
    const object = objectOf(path);
    const written = given.writtenIn(object).find(({ name }) => name === nameOf(path));
    return written ? [{ written, object, meaning: undefined, later }] : [];
  });
}

function neverKnown(site: PoolSite): readonly UnknownOption[] {
  const isOwn = isMadeFor(site);
  return knownObjects(site.options).flatMap((object) => {
    const known = [
      ...optionsKnownIn(object, site.options),
      ...[...site.options.later.keys()].filter((path) => objectOf(path) === object).map(nameOf),
    ];
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
