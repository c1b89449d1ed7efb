const nobody = 65_534;

/** Runs as a user whom permissions hold back; root may read everything. */
export async function asOrdinaryUser<T>(run: () => T): Promise<Awaited<T>> {
  const mine = process.geteuid?.();
  if (mine !== 0) return await run();
  process.seteuid?.(nobody);
  try {
    return await run();
  } finally {
    process.seteuid?.(mine);
  }
}
