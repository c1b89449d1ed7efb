import { changing } from '../changing.ts';
import type { Driver, Gives, Method, PoolOptions, Resource } from '../driver.ts';
import { close, each, emitter } from '../facts.ts';

export const mariadbOptions: PoolOptions = {
  argument: 0,
  max: { names: ['connectionLimit'], default: 10 },
  acquireTimeout: { names: ['acquireTimeout'], unit: 'ms', default: 10_000 },
  min: { names: ['minimumIdle'] },
  idleTimeout: { names: ['idleTimeout'], unit: 's' },
  // https://github.com/mariadb-corporation/mariadb-connector-nodejs/tree/main/lib/config
  others: {
    '': (
      'allowPublicKeyRetrieval arrayParenthesis autoJsonMap bigIntAsNumber bigNumberStrings bitOneIsBoolean bulk ' +
      'cachingRsaPublicKey charset charsetNumber checkDuplicate checkNumberRange collation compress ' +
      'connectAttributes connectTimeout dateStrings debug debugCompress debugLen decimalAsNumber ' +
      'enableKeepAlive forceVersionCheck foundRows fullResult infileStreamFactory initSql initializationTimeout ' +
      'insertIdAsNumber jsonStrings keepAliveDelay keepAliveInitialDelay keepEof leakDetectionTimeout logPackets logParam ' +
      'logger maxAllowedColumns maxAllowedPacket metaAsArray metaEnumerable minDelayValidation multipleStatements ' +
      'namedPlaceholders nestTables noControlAfterUse password permitConnectionWhenExpired permitLocalInfile ' +
      'permitRedirect permitSetMultiParamEntries pingTimeout pipelining prepareCacheLength queryTimeout ' +
      'removeNodeErrorCount resetAfterUse restrictedAuth rowsAsArray rsaPublicKey sessionVariables ' +
      'skipSetTimezone socketPath socketTimeout ssl stream supportBigInt supportBigNumbers timezone trace typeCast'
    ).split(' '),
  },
  unknownOption: 'ignored',
  target: { url: [], host: ['host'], port: ['port'], database: ['database'], user: ['user'] },
  defaultPort: 3306,
  urlArgument: true,
  urlOptions: true,
};

const release: Method = { does: 'release' };

/** https://github.com/mariadb-corporation/mariadb-connector-nodejs/blob/main/lib/connection-promise.js: what stands behind the SQL are values */
const promising = each('query execute', { does: 'query', sql: 0, text: 'sql', ignoresCallback: true } as const);
const callingBack = each('query execute', { does: 'query', sql: 0, text: 'sql' } as const);

type Statements = Readonly<Record<string, Method>>;

function pool(statements: Statements, lease: string, as: Gives['as']): Resource {
  return {
    role: 'pool',
    methods: { ...emitter, ...statements, getConnection: { does: 'acquire', gives: { resource: lease, as } }, end: close },
    options: mariadbOptions,
  };
}

function lease(statements: Statements): Resource {
  return {
    role: 'lease',
    methods: {
      ...emitter,
      ...statements,
      beginTransaction: { does: 'transaction', step: 'begins' },
      commit: { does: 'transaction', step: 'commits' },
      rollback: { does: 'transaction', step: 'rolls back' },
      release,
      end: release,
      close: release,
      destroy: { does: 'release', destroys: 'always' },
    },
    secondRelease: 'ignored',
    rollsBackOnRelease: true,
    // https://github.com/mariadb-corporation/mariadb-connector-nodejs/blob/main/CHANGELOG.md: 3.0.0
    resetsOnRelease: { option: 'resetAfterUse', default: changing(true, ['mariadb@3.0.0', false]) },
  };
}

export const mariadb: Driver = {
  name: 'mariadb',
  engine: 'mysql',
  source: 'https://github.com/mariadb-corporation/mariadb-connector-nodejs/blob/main/documentation/promise-api.md',
  packages: {
    mariadb: {
      createPool: { calls: { resource: 'pool', as: 'value' } },
      createConnection: { calls: { resource: 'connection', as: 'promise' } },
      Pool: { type: 'pool' },
      PoolConnection: { type: 'lease' },
      Connection: { type: 'connection' },
    },
    'mariadb/callback': {
      createPool: { calls: { resource: 'callbackPool', as: 'value' } },
      createConnection: { calls: { resource: 'connection', as: 'value' } },
      Pool: { type: 'callbackPool' },
      PoolConnection: { type: 'callbackLease' },
      Connection: { type: 'connection' },
    },
  },
  resources: {
    pool: pool(promising, 'lease', 'promise'),
    callbackPool: pool(callingBack, 'callbackLease', 'callback'),
    lease: lease(promising),
    callbackLease: lease(callingBack),
    connection: {
      role: 'connection',
      methods: { ...emitter, ...callingBack, end: close, destroy: close },
      options: mariadbOptions,
      badPerRequest: true,
    },
  },
};
