import type { Driver, Method } from '../driver.ts';
import { close, each, emitter } from '../facts.ts';

const statements = each('query any anyFirst exists many manyFirst maybeOne maybeOneFirst one oneFirst', { does: 'query', sql: 0 } as const);

const scoped: Method = { does: 'scoped', gives: 'connection', callback: 0 };
const connection = { type: 'connection' } as const;

/** There are only scoped forms: nobody can keep a connection. */
export const slonik: Driver = {
  name: 'Slonik',
  engine: 'postgresql',
  source: 'https://github.com/gajus/slonik#api',
  packages: {
    slonik: {
      createPool: { calls: { resource: 'pool', as: 'promise' } },
      DatabasePool: { type: 'pool' },
      CommonQueryMethods: connection,
      DatabaseConnection: connection,
      DatabasePoolConnection: connection,
      DatabaseTransactionConnection: connection,
    },
  },
  resources: {
    pool: {
      role: 'pool',
      methods: { ...emitter, ...statements, connect: scoped, transaction: scoped, end: close },
      options: {
        argument: 0,
        // There is no acquire timeout: `connectionTimeout` covers dialling only. Statements end after 60 s by default.
        max: { names: ['maximumPoolSize'], default: 10 },
        min: { names: ['minimumPoolSize'] },
        idleTimeout: { names: ['idleTimeout'], unit: 'ms' },
        target: { url: [], host: [], port: [], database: [], user: [] },
        urlArgument: true,
        // https://github.com/gajus/slonik/blob/main/CHANGELOG.md: until then they were read, and not sent.
        since: { statementTimeout: 'slonik@25.1.0', idleInTransactionSessionTimeout: 'slonik@25.1.0' },
        // https://github.com/gajus/slonik#statement-timeout: they are startup parameters, also when nothing is said.
        startup: {
          within: {},
          byDefault: [
            { option: 'statementTimeout', parameter: 'statement_timeout', off: 'DISABLE_TIMEOUT' },
            { option: 'idleInTransactionSessionTimeout', parameter: 'idle_in_transaction_session_timeout', off: 'DISABLE_TIMEOUT' },
          ],
        },
      },
    },
    connection: { role: 'connection', methods: { ...statements, transaction: scoped } },
  },
};
