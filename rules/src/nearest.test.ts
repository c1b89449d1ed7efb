import { expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

const ids = ['release-in-finally', 'no-pool-per-request', 'connection-budget'];

test.each([
  ['release-in-finaly', 'release-in-finally'],
  ['no-pool-per-requests', 'no-pool-per-request'],
  ['conection-buget', 'connection-budget'],
])('%s means %s', (word, meant) => expect(nearest(word, ids)).toBe(meant));

test('nothing is near a word of another kind', () => {
  expect(nearest('x', ids)).toBeUndefined();
  expect(didYouMean('keepalive', ids)).toBe('');
});

test('a very long word costs nothing', () => expect(nearest('x'.repeat(1e6), ids)).toBeUndefined());

test('the nearest of several wins', () => expect(nearest('errors', ['error', 'mirrors'])).toBe('error'));
