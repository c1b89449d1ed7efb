import { groupBy } from '@poolcheck/rules/group';
import { Git } from './git.ts';
import type { KnownFindings } from './known-findings.ts';
import { lint, type Linted, type Request } from './lint.ts';
import { repositoryOf } from './paths.ts';

/** What does not count, because it was there where the change branched off: the roots are checked as they were then. */
export function knownSince(roots: readonly Linted[], since: string | undefined, request: Request): readonly KnownFindings[] {
  if (since === undefined) return [];
  return [...groupBy(roots, ({ target }) => repositoryOf(target.root, {})).keys()].map((top) => {
    const git = new Git(top);
    const commit = git.branchedFrom(since);
    const before = lint({ ...request, contents: git.before(commit) });
    const fingerprints = new Set(
      before.flatMap(({ findings }) => findings.filter(({ suppressed }) => !suppressed).map(({ fingerprint }) => fingerprint)),
    );
    return { by: 'since', reason: `there at ${commit.slice(0, 12)}`, has: (fingerprint) => fingerprints.has(fingerprint) };
  });
}
