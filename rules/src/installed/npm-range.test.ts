import { expect, test } from 'vitest';
import { showVersion } from '../version.ts';
import { versionsAllowed } from './npm-range.ts';

test.each([
  ['8.11.3', '8.11.3 – 8.11.4'],
  ['=8.11.3', '8.11.3 – 8.11.4'],
  ['^8.11.0', '8.11.0 – 9.0.0'],
  ['^0.3.9', '0.3.9 – 0.4.0'],
  ['~8.11.2', '8.11.2 – 8.12.0'],
  ['8', '8.0.0 – 9.0.0'],
  ['8.x', '8.0.0 – 9.0.0'],
  ['7.1.0 - 8.2.0', '7.1.0 – 8.2.1'],
  ['>=7 <9', '7.0.0 – 9.0.0'],
  ['>7.18.2 <=8.11.3', '7.18.3 – 8.11.4'],
  ['<8', '0.0.0 – 8.0.0'],
  ['>=8', '8.0.0 –'],
  ['*', '0.0.0 –'],
  ['', '0.0.0 –'],
  ['^7.0.0 || ^8.11.0', '7.0.0 – 9.0.0'],
  ['^8.11.0 || >=10', '8.11.0 –'],
  ['6.0.0-beta.2', '6.0.0 – 6.0.1'],
])('%j', (range, expected) => {
  const { low, below } = versionsAllowed(range) ?? {};
  expect(`${low ? showVersion(low) : 'nothing'} – ${below ? showVersion(below) : ''}`.trim()).toBe(expected);
});

test.each([
  'latest',
  'workspace:*',
  'catalog:',
  'npm:other@^1.0.0',
  'file:../pg',
  'github:brianc/node-postgres#8.11.3',
  'https://x.example/pg-8.11.3.tgz',
  '^8 && ^9',
  '9'.repeat(100_000),
])('%.40j says nothing', (range) => {
  expect(versionsAllowed(range)).toBeUndefined();
});
