import { expect, test } from 'vitest';
import { termsIn } from './budget-terms.js';

test('every factor is a term, and so are the database and its limit', () => {
  const rows = [
    { name: 'api', terms: ['5 instances × 2 processes × at least 10 connections'] },
    { name: 'pgbouncer (shop)', terms: ['web through pgbouncer: 1 instance × 0–1 connection'] },
  ];
  const databases = [{ name: 'db', accepts: 97, rows }];
  expect(termsIn({ deployments: [{ name: 'k8s', databases }] })).toEqual([
    { environment: 'k8s', term: 'db accepts', said: '97' },
    { environment: 'k8s', term: 'api to', said: 'db' },
    { environment: 'k8s', term: 'api instance', said: '5' },
    { environment: 'k8s', term: 'api process', said: '2' },
    { environment: 'k8s', term: 'api connection', said: 'at least 10' },
    { environment: 'k8s', term: 'pgbouncer (shop) to', said: 'db' },
    { environment: 'k8s', term: 'pgbouncer (shop) (web through pgbouncer) instance', said: '1' },
    { environment: 'k8s', term: 'pgbouncer (shop) (web through pgbouncer) connection', said: '0–1' },
  ]);
});

test('a limit that is not known is said to be so', () => {
  const databases = [{ name: 'db', accepts: null, rows: [] }];
  expect(termsIn({ deployments: [{ name: '.', databases }] })).toEqual([{ environment: '.', term: 'db accepts', said: 'unknown' }]);
});
