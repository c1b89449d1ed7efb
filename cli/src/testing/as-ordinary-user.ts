const nobody = 65_534;

/** Runs as a user whom permissions hold back; root may read everything. */
export function asOrdinaryUser<T>(run: () => T): T {
  const mine = process.geteuid?.();
  if (mine !== 0) return run();
  process.seteuid?.(nobody);
  try {
    return run();
  } finally {
    process.seteuid?.(mine);
  }
}
