import packageJson from '../package.json' with { type: 'json' };
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { expect, test } from 'vitest';
import { run } from './testing/run.ts';

const shop = fileURLToPath(new URL('../../fixtures/shop', import.meta.url));

test('says what was understood of a deployment, and where that stands', async () => {
  const { status, out, err } = await run(shop, ['doctor']);
  expect({ status, err }).toEqual({ status: 0, err: '' });
  await expect(out.replace(packageJson.version, 'VERSION')).toMatchFileSnapshot('testing/doctor-shop.txt');
});

test('says what was not understood', async () => {
  const cwd = temporaryFolder({
    'src/db.ts': "import { Pool } from 'pg';\nexport const pool = new Pool({ connectionString: 'postgres://app:hunter2@db/shop' });\n",
    'src/broken.ts': "import 'pg';\n(((\n",
    'k8s/app.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: app }\nspec: { replicas: {{ n }} }\n',
  });
  const { out } = await run(cwd, ['doctor']);
  expect(out).toContain('pool pool: pg, of a version that is not known  src/db.ts:2:21');
  expect(out).toContain('not understood');
  expect(out).toContain('src/broken.ts:3:1');
  expect(out).toContain('k8s/app.yaml:4:');
  expect(out).not.toContain('hunter2');
});

test('names of files and services cannot act on a terminal', async () => {
  const name = 'a\u001b[31m::error::x';
  const { out } = await run(
    temporaryFolder({ 'compose.yaml': `services:\n  "${name.replace('\u001b', '\\e')}":\n    image: postgres:16\n` }),
    ['doctor'],
  );
  expect(out).toContain('database a␛[31m');
});

test('2: a path that is not there', async () => {
  expect((await run(temporaryFolder({}), ['doctor', 'nowhere'])).status).toBe(2);
});
