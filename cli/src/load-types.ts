import type { Project } from '@poolcheck/rules/project';
import type { Types } from '@poolcheck/rules/source/types/oracle';
import { UserError } from './exit.ts';

/** Opens a type checker on a root, which is a real path. Throws a UserError when nothing there says how it is compiled. */
export type TypesIn = (root: string, project: Project) => Types;

/** The type checker, which takes longer to load than all the rest and is installed by who wants it. */
export async function loadTypes(load = () => import('./types/types.ts')): Promise<TypesIn> {
  try {
    return (await load()).typesIn;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new UserError('--types needs ts-morph, which is not installed: npm install --save-dev ts-morph');
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes('ts-morph');
}
