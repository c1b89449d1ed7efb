/** Computes a value when it is first asked for, and keeps it. */
export function lazy<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** Computes the answer to each question when it is first asked, and keeps it. */
export function remembered<Key, Answer>(answer: (key: Key) => Answer): (key: Key) => Answer {
  const known = new Map<Key, { readonly value: Answer }>();
  return (key) => {
    const entry = known.get(key) ?? { value: answer(key) };
    known.set(key, entry);
    return entry.value;
  };
}
