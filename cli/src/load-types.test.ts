import { temporaryFolder } from '@poolcheck/rules/testing/temporary-folder';
import { expect, test, vi } from 'vitest';
import { UserError } from './exit.ts';
import { loadTypes } from './load-types.ts';
import { run } from './testing/run.ts';

for (const compiler of ['ts-morph', 'typescript']) {
  vi.doMock(compiler, () => {
    throw new Error(`${compiler} was loaded`);
  });
}

test('a compiler is loaded only when types are asked for', async () => {
  const root = temporaryFolder({ 'tsconfig.json': '{}', 'a.ts': "import { Pool } from 'pg';\nexport const pool = new Pool();\n" });
  expect(await run(root, [])).toMatchObject({ status: 0, out: expect.stringContaining('require-acquire-timeout') });
  expect(await run(root, ['--types'])).toMatchObject({ status: 2, err: expect.stringContaining('/src/types/') });
});

test('a checker that is not installed is for the user to install', async () => {
  const missing = async () => {
    const code = 'ERR_MODULE_NOT_FOUND';
    await Promise.reject(Object.assign(new Error("Cannot find package 'ts-morph' imported from types.js"), { code }));
    return await import('./types/types.ts');
  };
  await expect(loadTypes(missing)).rejects.toThrow(
    new UserError('--types needs ts-morph, which is not installed: npm install --save-dev ts-morph'),
  );
});

test('another failure is ours', async () => {
  await expect(loadTypes(() => Promise.reject(new Error('broken')))).rejects.toThrow(new Error('broken'));
});
