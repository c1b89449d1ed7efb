/** The answer for the first item that has one. */
export function firstOf<Item, Answer>(items: Iterable<Item>, answer: (item: Item) => Answer | undefined): Answer | undefined {
  for (const item of items) {
    const found = answer(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
