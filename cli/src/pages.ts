import { readFileSync } from 'node:fs';
import { pageOf } from '@poolcheck/rules/catalogue';

/** Where the pages are: in the package, or, when it was not built, in its repository. */
const homes = [new URL('../', import.meta.url), new URL('../../', import.meta.url)];

/** The text of a rule's page. */
export function pageText(id: string): string | undefined {
  for (const home of homes) {
    try {
      return readFileSync(new URL(pageOf(id), home), 'utf8');
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return undefined;
}
