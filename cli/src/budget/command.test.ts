import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { run } from '../testing/run.ts';

const fixtures = fileURLToPath(new URL('../../../rules/fixtures', import.meta.url));
const fixture = (name: string) => join(fixtures, name);

const budget = (name: string, ...argv: readonly string[]) => run(fixture(name), ['budget', ...argv]);

interface Shown {
  readonly deployments: readonly {
    readonly databases: readonly {
      readonly accepts: number;
      readonly total: Readonly<Record<'steady' | 'scaled' | 'rollout', { readonly least: number; readonly most: number | null }>>;
      readonly verdicts: Readonly<Record<string, string>>;
      readonly knobs: readonly { readonly name: string; readonly safe: number | null }[];
    }[];
  }[];
}

async function totals(name: string, ...argv: readonly string[]) {
  const { out } = await budget(name, '--format', 'json', ...argv);
  const database = (JSON.parse(out) as Shown).deployments[0]?.databases[0];
  const { steady, scaled, rollout } = database?.total ?? {};
  return { ...database, total: [steady?.least, scaled?.least, rollout?.least] };
}

describe('the situations', () => {
  test('an autoscaler counts with its maximum, and a rollout with a quarter more', async () => {
    expect(await totals('deploy-surge/bad-autoscaler')).toMatchObject({
      accepts: 97,
      total: [30, 90, 120],
      verdicts: { steady: 'fits', scaled: 'fits', rollout: 'over' },
    });
  });

  test('a pooler holds the connections of its clients', async () => {
    const { total } = await totals('connection-budget/bad-pooler-replicas');
    expect(total).toEqual([120, 120, 160]);
  });
});

describe('the largest that is safe', () => {
  test.each([
    ['deploy-surge/bad-autoscaler', 'services.bookings.instances', 7],
    ['deploy-surge/bad-autoscaler', 'services.bookings.pool', 8],
    ['deploy-surge/bad-autoscaler', 'databases.postgres.max_connections', 123],
    ['connection-budget/bad-pooler-replicas', 'poolers.pooler.connections', 24],
  ])('%s: %s is %i, and one more is not', async (name, knob, safe) => {
    const { knobs } = await totals(name);
    expect(knobs).toContainEqual(expect.objectContaining({ name: knob, safe }));
    const worse = knob.startsWith('databases.') ? safe - 1 : safe + 1;
    const rolloutOf = async (value: number) => (await totals(name, '--what-if', `${knob}=${value}`)).verdicts?.['rollout'];
    expect([await rolloutOf(safe), await rolloutOf(worse)]).toEqual(['fits', 'over']);
  });
});

describe('--what-if', () => {
  test('changes several numbers, each with what depends on it', async () => {
    const { total } = await totals(
      'deploy-surge/bad-autoscaler',
      '--what-if=services.bookings.instances=4',
      '--what-if=services.bookings.pool=5',
    );
    expect(total).toEqual([20, 20, 25]);
  });

  test.each([
    ['services.booking.instances=4', 'there is no such service. Did you mean "services.bookings.instances"?'],
    ['services.bookings.replicas=4', 'write services.NAME.instances'],
    ['constructor.bookings.instances=4', 'write services.NAME.instances'],
  ])('%s is refused', async (text, complaint) => {
    const { status, err } = await budget('deploy-surge/bad-autoscaler', '--what-if', text);
    expect([status, err]).toEqual([2, expect.stringContaining(complaint)]);
  });

  test('wants a number', async () => {
    const { status, err } = await budget('deploy-surge/bad-autoscaler', '--what-if', 'services.bookings.instances=many');
    expect([status, err]).toEqual([2, expect.stringContaining('Write name=number')]);
  });
});

describe('the exit status', () => {
  test.each([
    [1, 'connection-budget/bad-replicas'],
    [0, 'connection-budget/good-fits'],
    [0, 'deploy-surge/bad-written'],
  ])('%i for %s', async (status, name) => {
    expect((await budget(name)).status).toBe(status);
  });

  test('an option of the check is none of the budget', async () => {
    expect((await budget('connection-budget/good-fits', '--fail-on', 'never')).status).toBe(2);
  });
});

test.each(['pretty', 'markdown', 'mermaid', 'json', 'svg', 'html'])('%s', async (format) => {
  const { out } = await budget('connection-budget/bad-pooler-replicas', '--format', format);
  await expect(out).toMatchFileSnapshot(`snapshots/bad-pooler-replicas.${format}.txt`);
});

test('says when there is nothing to add up', async () => {
  const { status, out } = await run(temporaryFolder({ 'a.ts': 'export {};\n' }), ['budget']);
  expect([status, out]).toEqual([0, 'No database of which the limit and the clients are known was found.\n']);
});

test('a name that would act on the terminal or the page does not', async () => {
  const root = temporaryFolder({
    'compose.yaml':
      'services:\n  "api\\e[2J|<img>":\n    build: .\n    environment: {DATABASE_URL: "postgres://u:hunter2@db/x"}\n  db:\n    image: postgres:17\n',
    'package.json': '{"name":"api","main":"db.ts"}',
    'db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: process.env.DATABASE_URL });\n",
  });
  for (const format of ['pretty', 'markdown', 'mermaid', 'json', 'svg', 'html']) {
    const { out } = await run(root, ['budget', '--format', format]);
    expect(out).toContain('api');
    expect(out).not.toMatch(/\u001b|hunter2/);
    if (format !== 'json' && format !== 'pretty') expect(out.replace(/`[^`\n]*`/g, '')).not.toContain('<img>');
  }
});
