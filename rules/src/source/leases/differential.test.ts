import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

/**
 * The static verdict against running the program: every branch both ways, every await fulfilled and rejected, loops up to twice.
 * A program leaks when one of these runs ends without a release.
 */
type Statement =
  | { readonly kind: 'query' | 'release' | 'helper' | 'borrow' | 'return' | 'throw' | 'break' | 'continue' | 'settled' | 'chain' }
  | { readonly kind: 'if'; readonly then: Block; readonly otherwise: Block }
  | { readonly kind: 'while'; readonly body: Block }
  | { readonly kind: 'try'; readonly block: Block; readonly handler: Block | undefined; readonly finalizer: Block | undefined };

type Block = readonly Statement[];

const { statement } = fc.letrec<{ block: Block; statement: Statement }>((tie) => ({
  block: fc.array(tie('statement'), { maxLength: 3, depthIdentifier: 'nesting' }),
  statement: fc.oneof(
    { depthIdentifier: 'nesting', maxDepth: 4, withCrossShrink: true },
    {
      weight: 6,
      arbitrary: fc
        .constantFrom('query', 'release', 'release', 'helper', 'borrow', 'settled', 'chain')
        .map((kind): Statement => ({ kind })),
    },
    { weight: 2, arbitrary: fc.constantFrom('return', 'throw', 'break', 'continue').map((kind): Statement => ({ kind })) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('if' as const), then: tie('block'), otherwise: tie('block') }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('while' as const), body: tie('block') }) },
    {
      weight: 3,
      arbitrary: fc
        .record({
          kind: fc.constant('try' as const),
          block: tie('block'),
          handler: fc.option(tie('block'), { nil: undefined }),
          finalizer: fc.option(tie('block'), { nil: undefined }),
        })
        .filter(({ handler, finalizer }) => handler !== undefined || finalizer !== undefined),
    },
  ),
}));

const program: fc.Arbitrary<Block> = fc.array(statement, { minLength: 2, maxLength: 5 });

function render(statements: Block, inLoop: boolean): string {
  return statements.map((statement) => renderStatement(statement, inLoop)).join(' ');
}

function renderStatement(statement: Statement, inLoop: boolean): string {
  switch (statement.kind) {
    case 'query':
      return 'await c.query("x");';
    case 'release':
      return 'c.release();';
    case 'helper':
      return 'giveBack(c);';
    case 'borrow':
      return 'await borrow(c);';
    case 'settled':
      return 'await c.query("x").catch(() => {});';
    case 'chain':
      return 'await c.query("x").finally(() => c.release());';
    case 'return':
      return 'return;';
    case 'throw':
      return 'throw new Error();';
    case 'break':
    case 'continue':
      return inLoop ? `${statement.kind};` : ';';
    case 'if':
      return `if (coin()) { ${render(statement.then, inLoop)} } else { ${render(statement.otherwise, inLoop)} }`;
    case 'while':
      return `while (coin()) { ${render(statement.body, true)} }`;
    case 'try': {
      const handler = statement.handler ? ` catch { ${render(statement.handler, inLoop)} }` : '';
      const finalizer = statement.finalizer ? ` finally { ${render(statement.finalizer, inLoop)} }` : '';
      return `try { ${render(statement.block, inLoop)} }${handler}${finalizer}`;
    }
  }
}

type Completion = 'normal' | 'throw' | 'return' | 'break' | 'continue';

/** Runs a program with given coin flips, and those that it asks for beyond them come up false. */
class Run {
  released = false;
  readonly flips: boolean[];
  #asked = 0;

  constructor(flips: readonly boolean[]) {
    this.flips = [...flips];
  }

  #coin(): boolean {
    const at = this.#asked++;
    this.flips[at] ??= false;
    return this.flips[at];
  }

  block(statements: Block, inLoop: boolean): Completion {
    for (const statement of statements) {
      const completion = this.#statement(statement, inLoop);
      if (completion !== 'normal') return completion;
    }
    return 'normal';
  }

  #statement(statement: Statement, inLoop: boolean): Completion {
    switch (statement.kind) {
      case 'query':
      case 'borrow':
        return this.#coin() ? 'throw' : 'normal';
      case 'settled':
        return 'normal';
      case 'chain':
        this.released = true;
        return this.#coin() ? 'throw' : 'normal';
      case 'release':
      case 'helper':
        this.released = true;
        return 'normal';
      case 'return':
      case 'throw':
        return statement.kind;
      case 'break':
      case 'continue':
        return inLoop ? statement.kind : 'normal';
      case 'if':
        return this.block(this.#coin() ? statement.then : statement.otherwise, inLoop);
      case 'while':
        return this.#loop(statement.body);
      case 'try':
        return this.#try(statement, inLoop);
    }
  }

  #loop(body: Block): Completion {
    for (let turn = 0; turn < 2 && this.#coin(); turn++) {
      const completion = this.block(body, true);
      if (completion === 'break') return 'normal';
      if (completion === 'throw' || completion === 'return') return completion;
    }
    return 'normal';
  }

  #try({ block, handler, finalizer }: Extract<Statement, { kind: 'try' }>, inLoop: boolean): Completion {
    let completion = this.block(block, inLoop);
    if (completion === 'throw' && handler) completion = this.block(handler, inLoop);
    const last = finalizer ? this.block(finalizer, inLoop) : 'normal';
    return last === 'normal' ? completion : last;
  }
}

const mostRuns = 3_000;

/** Whether some run leaks; undefined when there are too many to try. */
function leaksWhenRun(program: Block): boolean | undefined {
  let flips: readonly boolean[] | undefined = [];
  for (let runs = 0; flips; runs++) {
    if (runs > mostRuns) return undefined;
    const run: Run = new Run(flips);
    run.block(program, false);
    if (!run.released) return true;
    flips = nextFlips(run.flips);
  }
  return false;
}

/** The flips of the next run, as a counter that may change its length: the last false becomes true. */
function nextFlips(flips: readonly boolean[]): readonly boolean[] | undefined {
  const last = flips.lastIndexOf(false);
  return last === -1 ? undefined : [...flips.slice(0, last), true];
}

/** The verdicts on many programs, read as functions of one file. */
function verdictsOn(programs: readonly Block[]): readonly (string | undefined)[] {
  const functions = programs.map(
    (program, at) => `async function run${at}() { const c = await pool.connect(); ${render(program, false)} }`,
  );
  const source = `import { Pool, type PoolClient } from 'pg'; const pool = new Pool();
    function giveBack(client: PoolClient) { client.release(); }
    async function borrow(client: PoolClient) { await client.query('y'); }
    ${functions.join('\n')}`;
  const read = programOf(projectOf({ 'src/a.ts': source }));
  const [module] = read.modules;
  return module ? read.leases.in(module).map((site) => read.leases.leak(site)?.kind) : [];
}

const programs = Number(process.env['POOLCHECK_PROGRAMS'] ?? 3_000);
const batch = 100;

test(`${programs} programs leak exactly when a run of them does`, { timeout: 1_200_000 }, () => {
  fc.assert(
    fc.property(fc.array(program, { minLength: batch, maxLength: batch }), (generated) => {
      const verdicts = verdictsOn(generated);
      expect(verdicts).toHaveLength(generated.length);
      for (const [at, program] of generated.entries()) {
        const leaks = leaksWhenRun(program);
        if (leaks !== undefined) expect([render(program, false), verdicts[at] !== undefined]).toEqual([render(program, false), leaks]);
      }
    }),
    { numRuns: programs / batch, seed: 20_261_130, endOnFailure: true },
  );
});
