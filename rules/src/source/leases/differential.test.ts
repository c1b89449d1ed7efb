import fc from 'fast-check';
import { expect, test } from 'vitest';
import { projectOf } from '../../project.ts';
import { programOf } from '../program.ts';

/**
 * The static verdict against running the program: every branch both ways, every await fulfilled and rejected, loops up to twice.
 * A program leaks when one of these runs ends without a release.
 */
type Statement =
  | { readonly kind: Simple }
  /** A jump to the label `to` of those around it, counted from the outermost; without one, it does nothing. */
  | { readonly kind: 'jump'; readonly how: 'break' | 'continue'; readonly to: number }
  | { readonly kind: 'if'; readonly then: Block; readonly otherwise: Block }
  | { readonly kind: 'loop'; readonly form: 'while' | 'do' | 'of'; readonly labelled: boolean; readonly body: Block }
  | { readonly kind: 'block'; readonly body: Block }
  | { readonly kind: 'switch'; readonly cases: readonly Case[]; readonly fallback: Block | undefined }
  | { readonly kind: 'try'; readonly block: Block; readonly handler: Block | undefined; readonly finalizer: Block | undefined };

type Block = readonly Statement[];

interface Case {
  readonly body: Block;
  readonly falls: boolean;
}

/** How statements without others inside are written. */
const simple = {
  query: 'await c.query("x");',
  optionalQuery: 'await c?.query("x");',
  settled: 'await c.query("x").catch(() => {});',
  borrow: 'await borrow(c);',
  borrowSafely: 'await borrowSafely(c);',
  look: 'look(c);',
  release: 'c.release();',
  optionalRelease: 'c?.release();',
  destructured: 'release();',
  closure: 'finish();',
  helper: 'giveBack(c);',
  asyncHelper: 'await giveBackLater(c);',
  chain: 'await c.query("x").finally(() => c.release());',
  return: 'return;',
  throw: 'throw new Error();',
  break: 'break;',
  continue: 'continue;',
} as const;

type Simple = keyof typeof simple;

const releasing: readonly Simple[] = ['release', 'optionalRelease', 'destructured', 'closure', 'helper', 'asyncHelper'];

const functions = `
  function giveBack(client: PoolClient) { client.release(); }
  async function giveBackLater(client: PoolClient) { client.release(); }
  async function borrow(client: PoolClient) { await client.query('y'); }
  async function borrowSafely(client: PoolClient) { try { await client.query('y'); } catch { return; } }
  function look(client: PoolClient) { return client.escapeLiteral('y'); }`;

const kinds = (...names: readonly Simple[]) => fc.constantFrom(...names).map((kind): Statement => ({ kind }));

const { statement } = fc.letrec<{ block: Block; statement: Statement }>((tie) => ({
  block: fc.array(tie('statement'), { maxLength: 3, depthIdentifier: 'nesting' }),
  statement: fc.oneof(
    { depthIdentifier: 'nesting', maxDepth: 4, withCrossShrink: true },
    { weight: 3, arbitrary: kinds('query', 'optionalQuery', 'settled', 'borrow', 'borrowSafely', 'look', 'chain') },
    { weight: 3, arbitrary: kinds(...releasing) },
    { weight: 2, arbitrary: kinds('return', 'throw', 'break', 'continue') },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('jump' as const),
        how: fc.constantFrom('break' as const, 'continue' as const),
        to: fc.nat(3),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('if' as const), then: tie('block'), otherwise: tie('block') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('loop' as const),
        form: fc.constantFrom('while' as const, 'do' as const, 'of' as const),
        labelled: fc.boolean(),
        body: tie('block'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('block' as const), body: tie('block') }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('switch' as const),
        cases: fc.array(fc.record({ body: tie('block'), falls: fc.boolean() }), { minLength: 1, maxLength: 2 }),
        fallback: fc.option(tie('block'), { nil: undefined }),
      }),
    },
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

/** What a statement stands in: where `break` and `continue` may lead. */
interface Around {
  readonly breaks: boolean;
  readonly continues: boolean;
  readonly labels: readonly { readonly name: string; readonly isLoop: boolean }[];
}

const nothingAround: Around = { breaks: false, continues: false, labels: [] };

function inLoop({ labels }: Around, labelled: boolean): Around {
  return { breaks: true, continues: true, labels: labelled ? [...labels, { name: `l${labels.length}`, isLoop: true }] : labels };
}

function inSwitch(around: Around): Around {
  return { ...around, breaks: true };
}

function inBlock(around: Around): Around {
  return { ...around, labels: [...around.labels, { name: `l${around.labels.length}`, isLoop: false }] };
}

type Jump = 'break' | 'continue' | `break ${string}` | `continue ${string}`;

/** Where a jump leads; undefined where it may not stand. */
function jumpOf(statement: Statement, { breaks, continues, labels }: Around): Jump | undefined {
  if (statement.kind === 'break') return breaks ? 'break' : undefined;
  if (statement.kind === 'continue') return continues ? 'continue' : undefined;
  if (statement.kind !== 'jump') return undefined;
  const label = labels[statement.to];
  return label && `${statement.how === 'continue' && label.isLoop ? 'continue' : 'break'} ${label.name}`;
}

function render(statements: Block, around: Around): string {
  return statements.map((statement) => renderStatement(statement, around)).join(' ');
}

function renderStatement(statement: Statement, around: Around): string {
  switch (statement.kind) {
    case 'jump':
    case 'break':
    case 'continue':
      return `${jumpOf(statement, around) ?? ''};`;
    case 'if':
      return `if (coin()) { ${render(statement.then, around)} } else { ${render(statement.otherwise, around)} }`;
    case 'loop':
      return renderLoop(statement, inLoop(around, statement.labelled));
    case 'block': {
      const inside = inBlock(around);
      return `${inside.labels.at(-1)?.name}: { ${render(statement.body, inside)} }`;
    }
    case 'switch': {
      const cases = statement.cases.map(({ body, falls }) => `case coin(): ${render(body, inSwitch(around))}${falls ? '' : ' break;'}`);
      const fallback = statement.fallback ? ` default: ${render(statement.fallback, inSwitch(around))}` : '';
      return `switch (true) { ${cases.join(' ')}${fallback} }`;
    }
    case 'try': {
      const handler = statement.handler ? ` catch { ${render(statement.handler, around)} }` : '';
      const finalizer = statement.finalizer ? ` finally { ${render(statement.finalizer, around)} }` : '';
      return `try { ${render(statement.block, around)} }${handler}${finalizer}`;
    }
    default:
      return simple[statement.kind];
  }
}

function renderLoop({ form, labelled, body }: Extract<Statement, { kind: 'loop' }>, inside: Around): string {
  const label = labelled ? `${inside.labels.at(-1)?.name}: ` : '';
  const block = `{ ${render(body, inside)} }`;
  if (form === 'do') return `${label}do ${block} while (coin());`;
  return `${label}${form === 'while' ? 'while (coin())' : 'for (const each of some)'} ${block}`;
}

type Completion = 'normal' | 'throw' | 'return' | Jump;

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

  block(statements: Block, around: Around): Completion {
    for (const statement of statements) {
      const completion = this.#statement(statement, around);
      if (completion !== 'normal') return completion;
    }
    return 'normal';
  }

  #statement(statement: Statement, around: Around): Completion {
    switch (statement.kind) {
      case 'jump':
      case 'break':
      case 'continue':
        return jumpOf(statement, around) ?? 'normal';
      case 'if':
        return this.block(this.#coin() ? statement.then : statement.otherwise, around);
      case 'loop':
        return this.#loop(statement, inLoop(around, statement.labelled));
      case 'block': {
        const inside = inBlock(around);
        const completion = this.block(statement.body, inside);
        return completion === `break ${inside.labels.at(-1)?.name}` ? 'normal' : completion;
      }
      case 'switch':
        return this.#switch(statement, inSwitch(around));
      case 'try':
        return this.#try(statement, around);
      default:
        return this.#simple(statement.kind);
    }
  }

  #simple(kind: Simple): Completion {
    if (kind === 'return' || kind === 'throw') return kind;
    if (kind === 'chain' || releasing.includes(kind)) this.released = true;
    const canFail = kind === 'query' || kind === 'optionalQuery' || kind === 'borrow' || kind === 'chain';
    return canFail && this.#coin() ? 'throw' : 'normal';
  }

  #loop({ form, labelled, body }: Extract<Statement, { kind: 'loop' }>, inside: Around): Completion {
    const label = labelled ? inside.labels.at(-1)?.name : undefined;
    for (let turn = 0; (form === 'do' && turn === 0) || (turn < 2 && this.#coin()); turn++) {
      const completion = this.block(body, inside);
      if (completion === 'break' || completion === `break ${label}`) return 'normal';
      if (completion !== 'normal' && completion !== 'continue' && completion !== `continue ${label}`) return completion;
    }
    return 'normal';
  }

  #switch({ cases, fallback }: Extract<Statement, { kind: 'switch' }>, inside: Around): Completion {
    const matched = cases.findIndex(() => this.#coin());
    const from = matched === -1 ? cases.length : matched;
    for (const { body, falls } of cases.slice(from)) {
      const completion = this.block(body, inside);
      if (completion !== 'normal') return completion === 'break' ? 'normal' : completion;
      if (!falls) return 'normal';
    }
    const completion = this.block(fallback ?? [], inside);
    return completion === 'break' ? 'normal' : completion;
  }

  #try({ block, handler, finalizer }: Extract<Statement, { kind: 'try' }>, around: Around): Completion {
    let completion = this.block(block, around);
    if (completion === 'throw' && handler) completion = this.block(handler, around);
    const last = finalizer ? this.block(finalizer, around) : 'normal';
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
    run.block(program, nothingAround);
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
  const runs = programs.map(
    (program, at) =>
      `async function run${at}() { const c = await pool.connect(); const { release } = c; const finish = () => c.release(); ${render(program, nothingAround)} }`,
  );
  const source = `import { Pool, type PoolClient } from 'pg'; const pool = new Pool();
    ${functions}
    ${runs.join('\n')}`;
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
        if (leaks !== undefined)
          expect([render(program, nothingAround), verdicts[at] !== undefined]).toEqual([render(program, nothingAround), leaks]);
      }
    }),
    { numRuns: programs / batch, seed: 20_261_130, endOnFailure: true },
  );
});
