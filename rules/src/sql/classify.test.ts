import { lexSql } from '@poolcheck/parsers/sql/lexer';
import type { SqlPiece } from '@poolcheck/parsers/sql/source';
import type { SqlDialect } from '@poolcheck/parsers/sql/token';
import { textOf } from '@poolcheck/parsers/text';
import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import type { SqlEffect } from './effect.ts';

/** The effects of SQL in which `${…}` is a hole. */
function effects(sql: string, dialect: SqlDialect = 'postgresql'): readonly SqlEffect[] {
  const pieces: SqlPiece[] = [];
  let at = 0;
  for (const match of sql.matchAll(/\$\{.*?\}|$/g)) {
    pieces.push({ kind: 'sql', value: sql.slice(at, match.index), range: { start: at, end: match.index } });
    at = match.index + match[0].length;
    if (match[0]) pieces.push({ kind: 'hole', range: { start: match.index, end: at } });
  }
  return lexSql({ text: textOf('a.sql', sql), pieces }, dialect).flatMap((statement) => classify(statement, dialect));
}

type Case = readonly [sql: string, ...effects: readonly SqlEffect[]];

function cases(dialect: SqlDialect, list: readonly Case[]): void {
  const named = list.map(([sql, ...expected]) => ({ sql, expected }));
  test.each(named)('$sql', ({ sql, expected }) => expect(effects(sql, dialect)).toEqual(expected));
}

const tempTable: SqlEffect = { kind: 'temp-table', object: 'table', onCommitDrop: false };
const sessionLock: SqlEffect = { kind: 'advisory-lock', scope: 'session', function: 'pg_advisory_lock' };

describe('transactions', () => {
  cases('postgresql', [
    ['BEGIN', { kind: 'begin' }],
    ['/* x */ begin isolation level serializable', { kind: 'begin' }],
    ['START TRANSACTION READ ONLY', { kind: 'begin' }],
    ['COMMIT', { kind: 'commit', chain: false }],
    ['END TRANSACTION', { kind: 'commit', chain: false }],
    ['COMMIT AND CHAIN', { kind: 'commit', chain: true }],
    ['ROLLBACK AND NO CHAIN', { kind: 'rollback', chain: false }],
    ['ABORT', { kind: 'rollback', chain: false }],
    ['SAVEPOINT a', { kind: 'savepoint', name: 'a' }],
    ['SAVEPOINT sp_${n}', { kind: 'savepoint', name: undefined }],
    ['RELEASE "A"', { kind: 'release-savepoint', name: 'a' }],
    ['RELEASE SAVEPOINT a', { kind: 'release-savepoint', name: 'a' }],
    ['ROLLBACK WORK TO SAVEPOINT a', { kind: 'rollback-to', name: 'a' }],
    ['ROLLBACK TO savepoint', { kind: 'rollback-to', name: 'savepoint' }],
    ["PREPARE TRANSACTION 'a'", { kind: 'prepare-transaction' }],
    ["COMMIT PREPARED 'a'"],
    ['SET TRANSACTION READ ONLY', { kind: 'set-transaction' }],
    ['SET CONSTRAINTS ALL DEFERRED'],
    ['BEGIN; SELECT 1; COMMIT', { kind: 'begin' }, { kind: 'commit', chain: false }],
    ['CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT pg_advisory_lock(1); END'],
    ['CREATE FUNCTION f() RETURNS int AS $$ BEGIN SET x = 1; END $$ LANGUAGE plpgsql'],
    ['DO $$ BEGIN COMMIT; END $$', { kind: 'do-block' }],
    ['DO $$ BEGIN SET LOCAL a = 1; END $$', { kind: 'do-block' }, { kind: 'set', name: 'a', local: true }],
    ['DO $$ BEGIN IF a THEN SET b = 1; END IF; END $$', { kind: 'do-block' }, { kind: 'set', name: 'b', local: false }],
    ['DO $$ DECLARE a int := 1; BEGIN CREATE TEMP TABLE t (); END $$', { kind: 'do-block' }, tempTable],
    ['DO LANGUAGE plpgsql $$ BEGIN PERFORM pg_advisory_lock(1); END $$', { kind: 'do-block' }, sessionLock],
    ["DO $$ BEGIN EXECUTE 'SET a = 1'; RAISE NOTICE 'pg_advisory_lock(1)'; END $$", { kind: 'do-block' }],
    ['DO $$ set(1) $$ LANGUAGE plperl', { kind: 'do-block' }],
    ['DO $$ BEGIN SET ${a} = 1; END $$', { kind: 'do-block' }],
    ['LOCK TABLE a IN EXCLUSIVE MODE', { kind: 'lock-tables', scope: 'transaction' }],
  ]);
});

describe('parameters', () => {
  cases('postgresql', [
    ['SET statement_timeout = 5', { kind: 'set', name: 'statement_timeout', local: false }],
    ["SET SESSION app.Tenant TO 'x'", { kind: 'set', name: 'app.tenant', local: false }],
    ['SET LOCAL search_path TO a, b', { kind: 'set', name: 'search_path', local: true }],
    ['SET search_path TO ${schema}, public', { kind: 'set', name: 'search_path', local: false }],
    ["SET TIME ZONE 'UTC'", { kind: 'set', name: 'timezone', local: false }],
    ["SET NAMES 'utf8'", { kind: 'set', name: 'client_encoding', local: false }],
    ["SET SCHEMA 'a'", { kind: 'set', name: 'search_path', local: false }],
    ['SET x TO DEFAULT', { kind: 'reset', name: 'x' }],
    ['SET TIME ZONE LOCAL', { kind: 'reset', name: 'timezone' }],
    ['SET LOCAL x TO DEFAULT', { kind: 'set', name: 'x', local: true }],
    ['SET app.${name} = 1', { kind: 'set', name: undefined, local: false }],
    ['SET LOCAL ${assignment}', { kind: 'set', name: undefined, local: true }],
    ['SET ${name} = 1', { kind: 'set', name: undefined, local: 'unknown' }],
    ['SET ${scope} x = 1'],
    ['SET ${assignment}'],
    ['SET ROLE a', { kind: 'set-role', local: false }],
    ['SET LOCAL ROLE ${role}', { kind: 'set-role', local: true }],
    ["SET role = 'a'", { kind: 'set-role', local: false }],
    ['SET SESSION AUTHORIZATION a', { kind: 'session-authorization', local: false }],
    ['SET SESSION SESSION AUTHORIZATION a', { kind: 'session-authorization', local: false }],
    ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY', { kind: 'session-characteristics' }],
    ['RESET ALL', { kind: 'reset', name: 'all' }],
    ['RESET app.tenant', { kind: 'reset', name: 'app.tenant' }],
    ['RESET SESSION AUTHORIZATION', { kind: 'reset', name: 'session_authorization' }],
    ['DISCARD ALL', { kind: 'discard', what: 'all' }],
    ['UPDATE t SET search_path = 1'],
    ['ALTER ROLE a SET search_path = b'],
  ]);
});

describe('set_config', () => {
  const config = (name: string | undefined, local: boolean | 'unknown') => ({ kind: 'set-config', name, local }) as const;
  cases('postgresql', [
    ["SELECT set_config('app.Tenant', $1, false)", config('app.tenant', false)],
    ["SELECT set_config('a.b', '${id}', true)", config('a.b', true)],
    ["SELECT pg_catalog.set_config('a.b', $1, 'f'::bool)", config('a.b', false)],
    ["SELECT set_config('a.b', f(1, 2), NULL)", config('a.b', false)],
    ["SELECT set_config('a.b', $1, $2)", config('a.b', 'unknown')],
    ["SELECT set_config('a.b', $1, ${local})", config('a.b', 'unknown')],
    ["SELECT set_config('a.b', $1, NOT true)", config('a.b', 'unknown')],
    ["SELECT set_config('a.' || $1, $2, true)", config(undefined, true)],
    ["SELECT set_config('a.${name}', $1, true)", config(undefined, true)],
    ['SELECT set_config(${args})', config(undefined, 'unknown')],
    ["SELECT set_config(is_local => true, setting_name := 'a.b', new_value => '')", config('a.b', true)],
    ["WITH x AS (SELECT set_config('a.b', $1, false)) SELECT 1", config('a.b', false)],
    ["WITH RECURSIVE x AS (SELECT 1) INSERT INTO t SELECT set_config('a.b', $1, false)", config('a.b', false)],
    ["SELECT set_config('a', $1, true), set_config('b', $2, false)", config('a', true), config('b', false)],
    ["SELECT audit.set_config('a.b', $1, false)"],
    ['SELECT set_config FROM t'],
    ["CREATE VIEW v AS SELECT set_config('a.b', '', false)"],
    ["CREATE FUNCTION set_config(a text, b text, c bool) RETURNS text AS '' LANGUAGE sql"],
    ["EXPLAIN SELECT set_config('a.b', '', false)"],
    ["EXPLAIN ANALYZE SELECT set_config('a.b', '', false)", config('a.b', false)],
    ["CREATE TABLE t AS SELECT set_config('a.b', '', false)", config('a.b', false)],
  ]);
});

describe('what is kept on the server connection', () => {
  const sessionLock = (name: string) => ({ kind: 'advisory-lock', scope: 'session', function: name }) as const;
  cases('postgresql', [
    ['LISTEN Jobs', { kind: 'listen', channel: 'jobs' }],
    ['LISTEN ${channel}', { kind: 'listen', channel: undefined }],
    ['UNLISTEN *', { kind: 'unlisten' }],
    ["NOTIFY jobs, 'x'", { kind: 'notify' }],
    ["SELECT pg_notify('jobs', $1)", { kind: 'notify' }],
    ['SELECT pg_advisory_lock($1)', sessionLock('pg_advisory_lock')],
    ['SELECT pg_try_advisory_lock_shared(${a}, 2) AS ok', sessionLock('pg_try_advisory_lock_shared')],
    ['SELECT PG_ADVISORY_XACT_LOCK(1)', { kind: 'advisory-lock', scope: 'transaction', function: 'pg_advisory_xact_lock' }],
    ['SELECT pg_advisory_unlock_all()', { kind: 'advisory-unlock', function: 'pg_advisory_unlock_all' }],
    ['SELECT pg_advisory_${kind}(1)'],
    ["SELECT 'pg_advisory_lock(1)' -- pg_advisory_lock(1)"],
    ['CREATE TEMP TABLE a (b int)', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ['CREATE TEMPORARY TABLE IF NOT EXISTS a ON COMMIT DROP AS SELECT 1', { kind: 'temp-table', object: 'table', onCommitDrop: true }],
    ['CREATE LOCAL TEMP TABLE ${name} (b int) ON COMMIT DELETE ROWS', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ['CREATE TABLE pg_temp.a (b int)', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ['CREATE OR REPLACE TEMP VIEW a AS SELECT 1', { kind: 'temp-table', object: 'view', onCommitDrop: false }],
    ['CREATE TEMP SEQUENCE a', { kind: 'temp-table', object: 'sequence', onCommitDrop: false }],
    ['SELECT 1 INTO TEMP a FROM b', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ['SELECT 1 INTO TEMPORARY TABLE a', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ['SELECT 1 INTO temp FROM b'],
    ['INSERT INTO temp SELECT 1'],
    ['CREATE ${temp} TABLE a (b int)'],
    ['CREATE TABLE temp (a int)'],
    ['DECLARE c CURSOR WITH HOLD FOR SELECT 1', { kind: 'cursor', hold: true }],
    // A variable of T-SQL, whose queries some packages send like any others.
    ['DECLARE @place geography = geography::Point(1, 2, 4326)'],
    ['DECLARE c NO SCROLL CURSOR FOR SELECT 1', { kind: 'cursor', hold: false }],
    ['PREPARE a (int) AS SELECT $1', { kind: 'prepare', name: 'a' }],
    ['PREPARE transaction AS SELECT 1', { kind: 'prepare', name: 'transaction' }],
    ['EXECUTE a (1)', { kind: 'execute', name: 'a' }],
    ['DEALLOCATE PREPARE a', { kind: 'deallocate', name: 'a' }],
    ['DEALLOCATE ALL', { kind: 'deallocate', name: 'all' }],
    ["LOAD 'auto_explain'", { kind: 'load' }],
  ]);
});

describe('row locks', () => {
  cases('postgresql', [
    ['SELECT * FROM a WHERE b = $1 FOR UPDATE', { kind: 'lock-rows' }],
    ['SELECT * FROM a FOR NO KEY UPDATE SKIP LOCKED', { kind: 'lock-rows' }],
    ['WITH c AS (SELECT 1) SELECT * FROM c FOR SHARE', { kind: 'lock-rows' }],
    ['((SELECT * FROM a FOR KEY SHARE))', { kind: 'lock-rows' }],
    ['UPDATE a SET b = 1 WHERE id = (SELECT id FROM a FOR UPDATE SKIP LOCKED)'],
    ['WITH c AS (SELECT id FROM a FOR UPDATE) UPDATE a SET b = 1 FROM c'],
    ['CREATE POLICY p ON a FOR UPDATE USING (true)'],
  ]);
});

describe('nothing is said', () => {
  cases('postgresql', [
    [''],
    ['${sql}'],
    ['${verb} TRANSACTION'],
    ['BEGIN${mode}'],
    ['SELECT 1'],
    ['TRUNCATE a'],
    ['constructor'],
    ["'begin'"],
    ['"begin"'],
  ]);
});

describe('MySQL', () => {
  const variable = (name: string | undefined) => ({ kind: 'user-variable', name }) as const;
  const set = (name: string) => ({ kind: 'set', name, local: false }) as const;
  cases('mysql', [
    ['BEGIN WORK', { kind: 'begin' }],
    ['START TRANSACTION', { kind: 'begin' }],
    ['START REPLICA'],
    ['END'],
    ['COMMIT', { kind: 'commit', chain: false }],
    ['SET autocommit = 0', set('autocommit')],
    ["SET SESSION sql_mode = '', time_zone = '+00:00'", set('sql_mode'), set('time_zone')],
    ['SET @@session.wait_timeout = 1, @@global.a = 2, @@b = 3, GLOBAL c = 4', set('wait_timeout'), set('b')],
    ['SET @a = 1, @b := 2', variable('a'), variable('b')],
    ['SET NAMES utf8mb4', set('names')],
    ['SET CHARACTER SET utf8', set('names')],
    ['SET TRANSACTION READ ONLY', { kind: 'set-transaction' }],
    ['SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', { kind: 'session-characteristics' }],
    ['SET GLOBAL TRANSACTION READ ONLY'],
    ['SET ROLE a', { kind: 'set-role', local: false }],
    ["SET PASSWORD = 'x'"],
    ['SET ${name} = 1', { kind: 'set', name: undefined, local: 'unknown' }],
    ["SET @got = GET_LOCK('a', 1)", variable('got'), { kind: 'advisory-lock', scope: 'session', function: 'get_lock' }],
    ["SELECT GET_LOCK('a', 10)", { kind: 'advisory-lock', scope: 'session', function: 'get_lock' }],
    ["DO RELEASE_LOCK('a')", { kind: 'advisory-unlock', function: 'release_lock' }],
    ['LOCK TABLES a WRITE', { kind: 'lock-tables', scope: 'session' }],
    ['LOCK INSTANCE FOR BACKUP'],
    ['UNLOCK TABLES', { kind: 'unlock-tables' }],
    ['FLUSH TABLES WITH READ LOCK', { kind: 'lock-tables', scope: 'session' }],
    ['SELECT @a := @b + 1, @@c FROM t WHERE d = @e', variable('a')],
    ['SELECT a, b INTO @x, @`y` FROM t WHERE c = @z', variable('x'), variable('y')],
    ['INSERT INTO t VALUES (@a)'],
    ['SELECT a FROM t WHERE b = ? FOR UPDATE', { kind: 'lock-rows' }],
    ['SELECT a FROM t LOCK IN SHARE MODE', { kind: 'lock-rows' }],
    ['CREATE TEMPORARY TABLE a (b int)', { kind: 'temp-table', object: 'table', onCommitDrop: false }],
    ["PREPARE s FROM 'SELECT 1'", { kind: 'prepare', name: 's' }],
    ['EXECUTE s USING @a', { kind: 'execute', name: 's' }],
    ['DROP PREPARE s', { kind: 'deallocate', name: 's' }],
    ['DROP TABLE prepare'],
    ['USE `Shop`', { kind: 'use-database', name: 'shop' }],
    ["LOAD DATA INFILE 'x' INTO TABLE t"],
    ['CREATE PROCEDURE p() BEGIN COMMIT; END'],
  ]);
});
