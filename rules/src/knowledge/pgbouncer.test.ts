import { expect, test } from 'vitest';
import { isKnownTo, pgbouncerDefault, pgbouncerSetting, trackedParameters } from './pgbouncer.ts';
import type { Version } from '../version.ts';
import { pgbouncerSettings } from './pgbouncer-settings.ts';

test('each section names a key once, in lower case', () => {
  for (const settings of Object.values(pgbouncerSettings)) {
    const names = settings.map((setting) => setting.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([]);
  }
});

test('an enum has values, its default among them, and nothing else has', () => {
  for (const { type, values, default: value } of Object.values(pgbouncerSettings).flat()) {
    expect(values !== undefined).toBe(type === 'enum');
    if (values && value !== undefined) expect(values).toContain(value);
  }
});

test('what a setting inherits exists', () => {
  for (const { inherits } of Object.values(pgbouncerSettings).flat()) {
    if (inherits !== undefined) expect(pgbouncerSetting('pgbouncer', inherits)?.name).toBe(inherits);
  }
});

test('a key belongs to its section', () => {
  expect(pgbouncerSetting('pgbouncer', 'default_pool_size')?.since).toEqual([1, 0, 0]);
  expect(pgbouncerSetting('databases', 'default_pool_size')).toBeUndefined();
  expect(pgbouncerSetting('users', 'pool_size')?.since).toEqual([1, 23, 0]);
});

test('a key is known from a version on, and sometimes no longer', () => {
  const knows = (name: string, version: Version) => {
    const setting = pgbouncerSetting('pgbouncer', name);
    return setting && isKnownTo(setting, version);
  };
  expect(knows('max_prepared_statements', [1, 20, 1])).toBe(false);
  expect(knows('max_prepared_statements', [1, 21, 0])).toBe(true);
  expect(knows('suspend_timeout', [1, 25, 2])).toBe(true);
  expect(knows('suspend_timeout', [1, 26, 0])).toBe(false);
});

test('a default may depend on the version', () => {
  expect(pgbouncerDefault('default_pool_size', undefined)).toBe('20');
  expect(pgbouncerDefault('max_prepared_statements', [1, 23, 1])).toBe('0');
  expect(pgbouncerDefault('max_prepared_statements', [1, 24, 0])).toBe('200');
  expect(pgbouncerDefault('max_prepared_statements', undefined)).toBeUndefined();
  expect(pgbouncerDefault('auth_file', [1, 25, 0])).toBeUndefined();
});

test('what is tracked depends on the version', () => {
  const tracked = (...args: Parameters<typeof trackedParameters>) => {
    const { always, maybe } = trackedParameters(...args);
    return { always: [...always], maybe: [...maybe] };
  };
  const basic = ['client_encoding', 'datestyle', 'timezone', 'standard_conforming_strings', 'application_name'];
  const byServer = ['default_transaction_read_only', 'search_path', 'scram_iterations'];
  expect(tracked([1, 19, 1])).toEqual({ always: basic, maybe: [] });
  expect(tracked([1, 20, 0])).toEqual({ always: [...basic, 'intervalstyle'], maybe: [] });
  expect(tracked([1, 26, 1])).toEqual({ always: [...basic, 'intervalstyle', 'session_authorization'], maybe: byServer });
  expect(tracked(undefined)).toEqual({ always: basic, maybe: ['intervalstyle', 'session_authorization', ...byServer] });
});
