/** The command's exit statuses: part of its contract. */
export const exit = {
  /** Nothing at or above the failing severity. */
  clean: 0,
  found: 1,
  /** A bad option, a bad configuration, a named path that cannot be read, or a bug of ours. */
  failed: 2,
  /** A folder was named and nothing to check was found in it. */
  nothingToCheck: 3,
} as const;

/** What the user has to put right; printed without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
