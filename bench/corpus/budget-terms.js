// The terms of a printed budget, one by one.

/** The terms of `poolcheck budget --format json`: each factor of each client, what it connects to, and what that accepts. */
export function termsIn({ deployments }) {
  return deployments.flatMap(({ name, databases }) =>
    databases.flatMap((database) => [
      { environment: name, term: `${database.name} accepts`, said: String(database.accepts ?? 'unknown') },
      ...database.rows.flatMap((row) => termsOfRow(row, database.name)).map((term) => ({ environment: name, ...term })),
    ]),
  );
}

/** `[worker: ]4 instances × 10 connections` is two terms, and that they go to this database is another. */
function termsOfRow({ name, terms }, database) {
  const factors = terms.flatMap((written) => {
    const [, part, product = ''] = /^(?:(.*): )?([^:]*)$/s.exec(written) ?? [];
    return product.split(' × ').map((factor) => {
      const [, said, nouns = ''] = /^((?:at least )?[\d–]+) (.+)$/.exec(factor) ?? [];
      const noun = nouns.replace(/(?<=ss)es$|(?<!s)s$/, '');
      return { term: `${name}${part ? ` (${part})` : ''} ${noun}`, said: said ?? factor };
    });
  });
  return [{ term: `${name} to`, said: database }, ...factors];
}
