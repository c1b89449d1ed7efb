import { lexSql } from '@poolcheck/parsers/sql/lexer';
import { textOf } from '@poolcheck/parsers/text';
import fc from 'fast-check';
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';
import { beforeAll, expect, test } from 'vitest';
import { classify } from './classify.ts';
import type { Local, SqlEffect } from './effect.ts';

/*
 * classify() against the real grammar: what PostgreSQL's parser makes of a statement, read from its tree, is what we make of its tokens.
 */

beforeAll(loadModule);

function ours(sql: string): readonly SqlEffect[] {
  const pieces = [{ kind: 'sql', value: sql, range: { start: 0, end: sql.length } }] as const;
  return lexSql({ text: textOf('a.sql', sql), pieces }, 'postgresql').flatMap((statement) => classify(statement, 'postgresql'));
}

type Node = Readonly<Record<string, unknown>>;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function child(node: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (isNode(at) ? at[key] : undefined), node);
}

function text(node: unknown, ...path: readonly string[]): string | undefined {
  const value = child(node, ...path);
  return typeof value === 'string' ? value : undefined;
}

function list(node: unknown, ...path: readonly string[]): readonly unknown[] {
  const value = child(node, ...path);
  return Array.isArray(value) ? value : [];
}

function theirs(sql: string): readonly SqlEffect[] {
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => {
    const [type, node] = Object.entries(stmt ?? {})[0] ?? ['', undefined];
    return readers[type]?.(node) ?? [];
  });
}

const readers: Readonly<Record<string, (node: unknown) => readonly SqlEffect[]>> = {
  TransactionStmt: transaction,
  VariableSetStmt: variable,
  DiscardStmt: (node) => [{ kind: 'discard', what: text(node, 'target')?.replace('DISCARD_', '').toLowerCase() }],
  ListenStmt: (node) => [{ kind: 'listen', channel: text(node, 'conditionname')?.toLowerCase() }],
  UnlistenStmt: () => [{ kind: 'unlisten' }],
  NotifyStmt: () => [{ kind: 'notify' }],
  PrepareStmt: (node) => [{ kind: 'prepare', name: text(node, 'name')?.toLowerCase() }],
  ExecuteStmt: (node) => [{ kind: 'execute', name: text(node, 'name')?.toLowerCase() }],
  DeallocateStmt: (node) => [{ kind: 'deallocate', name: text(node, 'name')?.toLowerCase() ?? 'all' }],
  LoadStmt: () => [{ kind: 'load' }],
  DoStmt: (node) => [{ kind: 'do-block' }, ...block(node)],
  LockStmt: () => [{ kind: 'lock-tables', scope: 'transaction' }],
  DeclareCursorStmt: (node) => [{ kind: 'cursor', hold: (Number(child(node, 'options')) & 0x20) !== 0 }],
  CreateStmt: (node) => temporary('table', child(node, 'relation'), child(node, 'oncommit')),
  ViewStmt: (node) => temporary('view', child(node, 'view'), undefined),
  CreateSeqStmt: (node) => temporary('sequence', child(node, 'sequence'), undefined),
  CreateTableAsStmt: (node) => [
    ...temporary('table', child(node, 'into', 'rel'), child(node, 'into', 'onCommit')),
    ...calls(child(node, 'query')),
  ],
  ExplainStmt: (node) => (list(node, 'options').some((option) => text(option, 'DefElem', 'defname') === 'analyze') ? calls(node) : []),
  SelectStmt: (node) => [
    ...temporary('table', child(node, 'intoClause', 'rel'), undefined),
    ...(list(node, 'lockingClause').length > 0 ? [{ kind: 'lock-rows' } as const] : []),
    ...calls(node),
  ],
  InsertStmt: calls,
  UpdateStmt: calls,
  DeleteStmt: calls,
  CallStmt: (node) => calls(child(node, 'funccall')),
  CopyStmt: calls,
};

function transaction(node: unknown): readonly SqlEffect[] {
  const chain = child(node, 'chain') === true;
  const name = text(node, 'savepoint_name')?.toLowerCase();
  switch (text(node, 'kind')) {
    case 'TRANS_STMT_BEGIN':
    case 'TRANS_STMT_START':
      return [{ kind: 'begin' }];
    case 'TRANS_STMT_COMMIT':
      return [{ kind: 'commit', chain }];
    case 'TRANS_STMT_ROLLBACK':
      return [{ kind: 'rollback', chain }];
    case 'TRANS_STMT_SAVEPOINT':
      return [{ kind: 'savepoint', name }];
    case 'TRANS_STMT_RELEASE':
      return [{ kind: 'release-savepoint', name }];
    case 'TRANS_STMT_ROLLBACK_TO':
      return [{ kind: 'rollback-to', name }];
    case 'TRANS_STMT_PREPARE':
      return [{ kind: 'prepare-transaction' }];
    default:
      return [];
  }
}

function variable(node: unknown): readonly SqlEffect[] {
  const name = text(node, 'name')?.toLowerCase();
  const local = child(node, 'is_local') === true;
  const kind = text(node, 'kind');
  if (kind === 'VAR_RESET_ALL') return [{ kind: 'reset', name: 'all' }];
  if (kind === 'VAR_RESET' || (kind === 'VAR_SET_DEFAULT' && !local)) return [{ kind: 'reset', name }];
  if (kind === 'VAR_SET_MULTI') return [{ kind: name === 'session characteristics' ? 'session-characteristics' : 'set-transaction' }];
  if (name === 'role') return [{ kind: 'set-role', local }];
  return [name === 'session_authorization' ? { kind: 'session-authorization', local } : { kind: 'set', name, local }];
}

function temporary(object: string, relation: unknown, onCommit: unknown): readonly SqlEffect[] {
  if (text(relation, 'relpersistence') !== 't' && text(relation, 'schemaname') !== 'pg_temp') return [];
  return [{ kind: 'temp-table', object, onCommitDrop: onCommit === 'ONCOMMIT_DROP' }];
}

/** The calls anywhere below. */
function calls(node: unknown): readonly SqlEffect[] {
  if (!isNode(node)) return [];
  return Object.entries(node).flatMap(([type, below]) => [...(type === 'FuncCall' ? call(below) : []), ...calls(below)]);
}

function call(node: unknown): readonly SqlEffect[] {
  const names = list(node, 'funcname').map((part) => text(part, 'String', 'sval') ?? '');
  const name = names.at(-1) ?? '';
  if (names.length > 1 && names[0] !== 'pg_catalog') return [];
  if (name === 'set_config') return [setConfig(list(node, 'args'))];
  if (name === 'pg_notify') return [{ kind: 'notify' }];
  if (/^pg_advisory_unlock/.test(name)) return [{ kind: 'advisory-unlock', function: name }];
  if (!/^pg_(try_)?advisory_/.test(name)) return [];
  return [{ kind: 'advisory-lock', scope: name.includes('xact') ? 'transaction' : 'session', function: name }];
}

const ofBlocks = /^(set|set-config|set-role|reset|listen|unlisten|load|temp-table|advisory-|session-|notify)/;

/** What the statements and expressions in the body of a DO block do to its session. */
function block(node: unknown): readonly SqlEffect[] {
  const elements = list(node, 'args').map((arg) => child(arg, 'DefElem'));
  const argument = (defname: string) =>
    text(
      elements.find((element) => text(element, 'defname') === defname),
      'arg',
      'String',
      'sval',
    );
  if ((argument('language') ?? 'plpgsql') !== 'plpgsql') return [];
  const queries = expressions(parsePlPgSQLSync(`DO $do$${argument('as') ?? ''}$do$`));
  return queries.flatMap(theirs).filter(({ kind }) => ofBlocks.test(kind));
}

/** The SQL of statements, and expressions as queries. */
function expressions(node: unknown): readonly string[] {
  if (!isNode(node)) return [];
  const query = text(node, 'PLpgSQL_expr', 'query');
  if (query !== undefined) return [child(node, 'PLpgSQL_expr', 'parseMode') === 0 ? query : `SELECT ${query}`];
  return Object.values(node).flatMap(expressions);
}

function setConfig(args: readonly unknown[]): SqlEffect {
  const argument = (position: number, name: string) => {
    const named = args.find((arg) => text(arg, 'NamedArgExpr', 'name') === name);
    return constant(named === undefined ? args[position] : child(named, 'NamedArgExpr', 'arg'));
  };
  return {
    kind: 'set-config',
    name: text(argument(0, 'setting_name'), 'sval', 'sval')?.toLowerCase(),
    local: isLocal(argument(2, 'is_local')),
  };
}

function constant(node: unknown): unknown {
  return child(node, 'A_Const') ?? child(node, 'TypeCast', 'arg', 'A_Const');
}

function isLocal(node: unknown): Local {
  if (child(node, 'isnull') === true) return false;
  if (child(node, 'boolval') !== undefined) return child(node, 'boolval', 'boolval') === true;
  const value = text(node, 'sval', 'sval');
  return value === undefined ? 'unknown' : value === 'true' || value === 't';
}

type Part = string | fc.Arbitrary<string>;

/** Parts with blanks and comments between them, keywords in any case. */
function phrase(...parts: readonly Part[]): fc.Arbitrary<string> {
  const written = parts.map((part) => (typeof part === 'string' ? cased(part) : part));
  const blank = fc.constantFrom(' ', ' ', '\n\t', ' /* ; a /* b */ */ ', ' -- BEGIN;\n');
  return fc.tuple(fc.tuple(...written), blank).map(([list, gap]) => list.filter((part) => part !== '').join(gap));
}

function cased(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(
    words,
    words.toLowerCase(),
    words.replace(/\B[A-Z]/g, (letter) => letter.toLowerCase()),
  );
}

const either = (...options: readonly Part[]) => fc.oneof(...options.map((option) => (typeof option === 'string' ? cased(option) : option)));
const maybe = (...parts: readonly Part[]) => fc.oneof(fc.constant(''), phrase(...parts));

const name = fc.constantFrom('a', 'b_1', 'Mixed', '"Quoted"', '"to"', '"a b"', 'größe', 'transaction', 'temp');
const guc = fc.constantFrom(
  'statement_timeout',
  'search_path',
  'app.tenant',
  '"TimeZone"',
  'a."B".c',
  'role',
  'names',
  'local',
  'session_authorization',
);
const is = either('=', 'TO');
const value = fc.constantFrom("'x = y'", '5', '-1', 'on', 'a, "b", \'c\'', "'to'", 'DEFAULT');
const scope = maybe(either('LOCAL', 'SESSION'));
const work = maybe(either('WORK', 'TRANSACTION'));
const chain = maybe(either('AND CHAIN', 'AND NO CHAIN'));
const modes = either('READ ONLY', 'ISOLATION LEVEL SERIALIZABLE', 'ISOLATION LEVEL READ COMMITTED, READ WRITE');

const settingName = fc.constantFrom("'app.Tenant'", '$1', "'a' || 'b'", "'x'::text");
const isLocalArgument = fc.constantFrom('true', 'FALSE', "'t'", "'false'::bool", 'NULL', '$3', 'NOT true', 'true AND false', '1 = 1');
const called = fc.oneof(
  phrase('set_config(', settingName, ',', fc.constantFrom("f(1, 'x')", '$2', "''"), ',', isLocalArgument, ')'),
  phrase('set_config(is_local', fc.constantFrom('=>', ':='), isLocalArgument, ", setting_name => 'q', new_value => '')"),
  phrase(
    fc.constantFrom('', 'pg_catalog.', '"pg_catalog".', 'other.'),
    fc.constantFrom(
      'pg_advisory_lock',
      'pg_try_advisory_lock_shared',
      'PG_ADVISORY_XACT_LOCK',
      '"pg_try_advisory_xact_lock"',
      'pg_advisory_unlock_all',
    ),
    fc.constantFrom('(1)', '($1, 2)', "(hashtext('pg_advisory_lock(1)'))", '()'),
  ),
  fc.constantFrom("pg_notify('a', 'b')", 'now()', "'set_config(1)'", 'set_config', 'lower(a)'),
);
const expression = fc.oneof(
  called,
  phrase('CASE WHEN', called, 'IS NULL THEN 1 ELSE 2 END'),
  phrase('(SELECT', called, ')'),
  phrase('coalesce(1,', called, ')'),
);
const lock = either('FOR UPDATE', 'FOR NO KEY UPDATE OF t', 'FOR SHARE SKIP LOCKED', 'FOR KEY SHARE NOWAIT');
const plain = phrase('SELECT', expression, maybe('FROM t'), maybe('WHERE', expression, 'IS NOT NULL'));
const select = fc.oneof(
  phrase('SELECT', expression, 'FROM t', maybe('ORDER BY 1'), maybe(lock)),
  phrase('SELECT * FROM (SELECT 1', lock, ') AS s'),
  phrase('SELECT 1 INTO', either('temp', 'TEMP a', 'TEMPORARY TABLE a', 'LOCAL TEMP a', 'TABLE a', 'a', 'pg_temp.a'), 'FROM t'),
  phrase('WITH', maybe('RECURSIVE'), 'c AS (', plain, ')', plain, maybe(lock)),
  phrase('WITH c AS (SELECT 1', lock, ') SELECT 2'),
  phrase('(', plain, ')'),
  phrase('(', plain, ') UNION ALL (', plain, ')'),
  phrase('VALUES (', expression, ')'),
);
const change = fc.oneof(
  phrase('INSERT INTO temp', plain),
  phrase('INSERT INTO t VALUES (', expression, ') RETURNING', expression),
  phrase('WITH c AS (', plain, ') INSERT INTO t SELECT * FROM c'),
  phrase('UPDATE t SET a =', expression, 'WHERE id = (SELECT id FROM t', lock, ')'),
  phrase('WITH c AS (SELECT id FROM t', lock, ') UPDATE t SET a =', expression),
  phrase('DELETE FROM t WHERE', expression, 'IS NULL'),
  phrase('CALL p(', expression, ')'),
  phrase('COPY (', plain, ') TO STDOUT'),
  phrase('EXPLAIN', maybe(either('ANALYZE', '(ANALYZE, VERBOSE)', 'VERBOSE')), plain),
);
const create = fc.oneof(
  phrase(
    'CREATE',
    maybe(either('TEMP', 'TEMPORARY', 'LOCAL TEMP', 'GLOBAL TEMPORARY', 'UNLOGGED')),
    'TABLE',
    maybe('IF NOT EXISTS'),
    either('a', 'pg_temp.a', 'temp'),
    '(b int)',
    maybe(either('ON COMMIT DROP', 'ON COMMIT DELETE ROWS', 'ON COMMIT PRESERVE ROWS')),
  ),
  phrase('CREATE', maybe('TEMP'), 'TABLE a', maybe('ON COMMIT DROP'), 'AS', maybe('WITH c AS (SELECT 1)'), plain),
  phrase('CREATE MATERIALIZED VIEW a AS', plain),
  phrase('CREATE', maybe('OR REPLACE'), maybe('TEMP'), 'VIEW', either('a', 'pg_temp.a'), 'AS', plain),
  phrase('CREATE', maybe('TEMPORARY'), 'SEQUENCE a'),
  phrase('CREATE POLICY p ON t FOR UPDATE USING (', expression, 'IS NULL)'),
  phrase('CREATE FUNCTION f() RETURNS int LANGUAGE sql BEGIN ATOMIC', plain, ';', plain, '; END'),
);
const session = fc.oneof(
  phrase('SET', scope, guc, is, value),
  phrase(
    'SET',
    scope,
    either("TIME ZONE 'UTC'", 'TIME ZONE LOCAL', 'TIME ZONE DEFAULT', "NAMES 'utf8'", 'NAMES DEFAULT', "SCHEMA 'a'", 'XML OPTION DOCUMENT'),
  ),
  phrase('SET', scope, either('ROLE a', 'ROLE NONE', "SESSION AUTHORIZATION 'a'", 'SESSION AUTHORIZATION DEFAULT')),
  phrase('SET', scope, either(phrase('TRANSACTION', modes), phrase('SESSION CHARACTERISTICS AS TRANSACTION', modes))),
  phrase('RESET', either('ALL', 'TIME ZONE', 'SESSION AUTHORIZATION', 'TRANSACTION ISOLATION LEVEL', guc)),
  phrase('DISCARD', either('ALL', 'PLANS', 'SEQUENCES', 'TEMP')),
  phrase('SET CONSTRAINTS ALL DEFERRED'),
  phrase(either('LISTEN', 'UNLISTEN', 'NOTIFY'), name),
  phrase('UNLISTEN *'),
  phrase("NOTIFY a, 'SET x'"),
  phrase('PREPARE', name, maybe('(int)'), 'AS', plain),
  phrase('EXECUTE', name, maybe('(1)')),
  phrase('DEALLOCATE', maybe('PREPARE'), fc.oneof(name, cased('ALL'))),
  phrase(
    'DECLARE',
    name,
    maybe(either('BINARY', 'NO SCROLL', 'INSENSITIVE')),
    'CURSOR',
    maybe(either('WITH HOLD', 'WITHOUT HOLD')),
    'FOR',
    plain,
  ),
  phrase("LOAD 'auto_explain'"),
  phrase('LOCK', maybe('TABLE'), 't', maybe('IN SHARE MODE')),
);
const inBlock = fc.oneof(
  phrase('SET', scope, guc, is, value),
  phrase('RESET', guc),
  phrase('PERFORM', called),
  phrase('LISTEN a'),
  phrase("LOAD 'auto_explain'"),
  phrase('CREATE', maybe('TEMP'), 'TABLE a (b int)', maybe('ON COMMIT DROP')),
  phrase('IF', called, 'IS NULL THEN', fc.constantFrom('NULL', 'SET a = 1', 'RESET ALL'), '; END IF'),
  phrase('FOR i IN 1..3 LOOP', maybe('SET a = 1;'), 'PERFORM', called, '; END LOOP'),
  phrase('INSERT INTO t SELECT', called),
  fc.constantFrom("EXECUTE 'SET a = 1'", "RAISE NOTICE 'SET a = 1'", '/* SET a = 1; */ NULL'),
);
const doBlock = fc.oneof(
  phrase('DO $$ BEGIN', inBlock, ';', inBlock, '; END $$', maybe('LANGUAGE plpgsql')),
  phrase("DO LANGUAGE 'plpgsql' $a$ DECLARE x int := 1; BEGIN BEGIN", inBlock, '; EXCEPTION WHEN others THEN', inBlock, '; END; END $a$'),
  phrase("DO 'SET a = 1' LANGUAGE plperl"),
);
const ending = fc.oneof(
  phrase('BEGIN', work, maybe(modes)),
  phrase('START TRANSACTION', maybe(modes)),
  phrase(either('COMMIT', 'END', 'ROLLBACK', 'ABORT'), work, chain),
  phrase('SAVEPOINT', name),
  phrase('RELEASE', maybe('SAVEPOINT'), name),
  phrase('ROLLBACK', work, 'TO', maybe('SAVEPOINT'), name),
  phrase(either('PREPARE TRANSACTION', 'COMMIT PREPARED', 'ROLLBACK PREPARED'), "'id'"),
);
const other = fc.constantFrom(
  'ALTER ROLE a SET search_path = b',
  'TRUNCATE t',
  'GRANT EXECUTE ON FUNCTION f TO a',
  'VACUUM',
  'DROP TABLE temp',
  'ALTER SYSTEM SET x = 1',
);
const statement = fc.oneof(session, doBlock, ending, select, change, create, other);
const script = fc.array(statement, { minLength: 1, maxLength: 3 });

const sorted = (effects: readonly SqlEffect[]) => effects.map((effect) => JSON.stringify(effect)).sort();

const allKinds: readonly SqlEffect['kind'][] = [
  ...(['begin', 'commit', 'rollback', 'prepare-transaction', 'savepoint', 'release-savepoint', 'rollback-to', 'set-transaction'] as const),
  ...(['set', 'set-config', 'set-role', 'session-authorization', 'session-characteristics', 'reset', 'discard'] as const),
  ...(['listen', 'unlisten', 'notify', 'advisory-lock', 'advisory-unlock', 'temp-table', 'cursor'] as const),
  ...(['prepare', 'execute', 'deallocate', 'load', 'lock-rows', 'lock-tables', 'do-block'] as const),
];

test("agrees with PostgreSQL's own parser", () => {
  const seen = new Set<SqlEffect['kind']>();
  const compared = new Set<string>();
  fc.assert(
    fc.property(script, (statements) => {
      for (const each of statements) compared.add(each);
      const sql = statements.join(';\n');
      const expected = theirs(sql);
      expect(sorted(ours(sql))).toEqual(sorted(expected));
      for (const { kind } of expected) seen.add(kind);
    }),
    { numRuns: 5000 },
  );
  expect(compared.size).toBeGreaterThanOrEqual(5000);
  expect([...seen].sort()).toEqual([...allKinds].sort());
});
