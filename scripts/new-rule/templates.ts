/** A rule that finds what its bad example shows. */
export function rule(name: string): string {
  return `import { moduleRule } from '../rule.ts';

export default moduleRule({
  id: '${name}',
  severity: 'warning',
  summary: 'One sentence: what is wrong in production when this rule speaks.',
  messages: {
    wrong: '{pool} does this, so that happens.',
  },
  *check(module, program) {
    for (const site of program.pools) {
      if (site.module !== module || site.name !== 'wrong') continue;
      yield { at: site.place, message: 'wrong', data: { pool: site.name } };
    }
  },
});
`;
}

/** The part of a page that is written by hand. */
export const page = `<!-- Above: npm run docs, from bad-example, good-example -->

## Why

What happens in production, and how it comes about; a link for each number.

## What to watch

What is seen before and while it happens: metrics, log lines, error codes.

## How to mend it

What to write instead.

## What is reported

Which forms, and on what this rule stays silent though it may look alike.

## Proof

The file under \`proof/\` that shows it on the real program, or why that cannot be.

## When to turn it off

The situations in which it is right and does not matter.
`;

export const bad = `import { Pool } from 'pg';

export const wrong = new Pool({ max: 5, connectionTimeoutMillis: 5_000 });
`;

export const good = `import { Pool } from 'pg';

export const right = new Pool({ max: 5, connectionTimeoutMillis: 5_000 });
`;

export const near = `export const wrong = new Map<string, number>();
`;
