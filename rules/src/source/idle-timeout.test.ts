import { textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { keepAliveTimeoutOf } from './idle-timeout.ts';
import { readModule } from './module.ts';
import type { HttpServer } from './servers.ts';
import { anyEnvironment, type Environment, type Literal, type Setting } from './setting.ts';

const { module } = readModule(textOf('src/main.ts', 'x'));
const place = { text: module.text, range: { start: 0, end: 1 } };
const literal = (value: Literal): Setting => ({ kind: 'literal', value, place });
const variable: Setting = { kind: 'number', by: 'Number', place, of: { kind: 'env', name: 'KEEP_ALIVE', place } };

function server(framework: string, keepAliveTimeout: Setting | undefined, complete = true): HttpServer {
  return { module, place, framework, variable: undefined, port: undefined, keepAliveTimeout, maxConnections: undefined, complete };
}

/** "low–high source" */
function timeout(made: HttpServer, environment: Environment = anyEnvironment): string | undefined {
  const known = keepAliveTimeoutOf(made, environment);
  return known && `${known.low}–${known.high} ${known.source}`;
}

describe('unset', () => {
  test.each([
    ['express', '5000–5000 defaulted'],
    ['node:http', '5000–5000 defaulted'],
    ['https', '5000–5000 defaulted'],
    ['fastify', '5000–72000 defaulted'],
    ['@nestjs/core', '5000–72000 defaulted'],
    ['restify', undefined],
    ['constructor', undefined],
  ])('in %s', (framework, expected) => {
    expect(timeout(server(framework, undefined))).toBe(expected);
  });

  test('but perhaps set somewhere that was not seen', () => {
    expect(timeout(server('express', undefined, false))).toBeUndefined();
  });
});

describe('set', () => {
  test.each<readonly [string, Setting, string | undefined]>([
    ['express', literal(65_000), '65000–65000 written'],
    ['express', literal(0), 'Infinity–Infinity written'],
    ['fastify', literal(0), '5000–72000 defaulted'],
    ['express', literal(NaN), undefined],
    ['express', literal(-1), undefined],
    ['express', literal('65000'), undefined],
    ['express', { kind: 'unknown', place }, undefined],
    [
      'express',
      { kind: 'either', test: { kind: 'unknown', place }, options: [literal(1_000), literal(0)], place },
      '1000–Infinity written',
    ],
    ['restify', literal(65_000), undefined],
  ])('in %s', (framework, setting, expected) => {
    expect(timeout(server(framework, setting))).toBe(expected);
  });

  test('from the environment', () => {
    const made = server('express', variable);
    expect(timeout(made)).toBeUndefined();
    expect(timeout(made, () => ({ state: 'set', value: '30000', place }))).toBe('30000–30000 written');
    expect(timeout(made, () => ({ state: 'unset' }))).toBeUndefined();
  });
});
