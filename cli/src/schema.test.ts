import { catalogue } from '@poolcheck/rules/catalogue';
import { Ajv } from 'ajv';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { configurationSchema } from './schema.ts';

const published = new URL('../schema/poolcheck.schema.json', import.meta.url).pathname;

test('the published schema is that of the catalogue (npx vitest run -u writes it)', async () => {
  const text = await format(JSON.stringify(configurationSchema(catalogue)), { ...(await resolveConfig(published)), filepath: published });
  await expect(text).toMatchFileSnapshot(published);
});

const validate = new Ajv().compile(
  configurationSchema([{ id: 'a', severity: 'error', summary: 'A.', messages: {}, looksAt: 'deployment', check: () => [] }]),
);

test.each([
  {},
  { rules: { a: 'off' }, ignore: ['x/'] },
  { rules: null, ignore: null },
  { overrides: [{ files: ['x/'], rules: { a: 'info' } }] },
  { suppressions: { reason: 'optional' } },
])('%j is valid', (data) => {
  expect(validate(data)).toBe(true);
});

test.each([
  { rule: {} },
  { rules: { b: 'off' } },
  { rules: { a: 'on' } },
  { ignore: 'x' },
  { ignore: ['{a,b}'] },
  { overrides: [{ rules: { a: 'off' } }] },
  { suppressions: { reason: 'no' } },
])('%j is not', (data) => {
  expect(validate(data)).toBe(false);
});
