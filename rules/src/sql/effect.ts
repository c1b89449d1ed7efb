/**
 * What a statement does to its connection or transaction, so that it matters which one it is sent through. `undefined` names and
 * `'unknown'` stand for what a hole or a parameter decides.
 */
export type SqlEffect =
  | { readonly kind: 'begin' }
  /** `chain` opens the next transaction at once. */
  | { readonly kind: 'commit'; readonly chain: boolean }
  | { readonly kind: 'rollback'; readonly chain: boolean }
  /** `PREPARE TRANSACTION`: the connection's transaction is over. */
  | { readonly kind: 'prepare-transaction' }
  | { readonly kind: 'savepoint'; readonly name: string | undefined }
  | { readonly kind: 'release-savepoint'; readonly name: string | undefined }
  | { readonly kind: 'rollback-to'; readonly name: string | undefined }
  | { readonly kind: 'set-transaction' }
  /** A parameter, by its lower-case name. `local` ends with the transaction. */
  | { readonly kind: 'set'; readonly name: string | undefined; readonly local: Local }
  | { readonly kind: 'set-config'; readonly name: string | undefined; readonly local: Local }
  | { readonly kind: 'set-role'; readonly local: boolean }
  | { readonly kind: 'session-authorization'; readonly local: boolean }
  | { readonly kind: 'session-characteristics' }
  /** `all` for RESET ALL; SET … TO DEFAULT is one too. */
  | { readonly kind: 'reset'; readonly name: string | undefined }
  | { readonly kind: 'discard'; readonly what: string | undefined }
  | { readonly kind: 'listen'; readonly channel: string | undefined }
  | { readonly kind: 'unlisten' }
  | { readonly kind: 'notify' }
  /** MySQL's GET_LOCK is one of session scope. */
  | { readonly kind: 'advisory-lock'; readonly scope: 'session' | 'transaction'; readonly function: string }
  | { readonly kind: 'advisory-unlock'; readonly function: string }
  /** `object`: table, view or sequence. */
  | { readonly kind: 'temp-table'; readonly object: string; readonly onCommitDrop: boolean }
  | { readonly kind: 'cursor'; readonly hold: boolean }
  | { readonly kind: 'prepare'; readonly name: string | undefined }
  | { readonly kind: 'execute'; readonly name: string | undefined }
  /** `all` for DEALLOCATE ALL. */
  | { readonly kind: 'deallocate'; readonly name: string | undefined }
  | { readonly kind: 'load' }
  /** SELECT … FOR UPDATE or SHARE as the statement itself: locks that are to outlive it. */
  | { readonly kind: 'lock-rows' }
  | { readonly kind: 'lock-tables'; readonly scope: 'session' | 'transaction' }
  | { readonly kind: 'unlock-tables' }
  /** MySQL's `@name`, assigned. */
  | { readonly kind: 'user-variable'; readonly name: string | undefined }
  | { readonly kind: 'use-database'; readonly name: string | undefined }
  /** DO: what its body does to the session follows. */
  | { readonly kind: 'do-block' };

export type Local = boolean | 'unknown';
