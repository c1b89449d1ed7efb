import type { Rule } from './rule.ts';
import connectionBudget from './rules/connection-budget.ts';
import deploySurge from './rules/deploy-surge.ts';
import destroysHealthyClient from './rules/destroys-healthy-client.ts';
import ineffectiveSetting from './rules/ineffective-setting.ts';
import invalidPoolSize from './rules/invalid-pool-size.ts';
import keepAliveUnit from './rules/keep-alive-unit.ts';
import nginxConnectionLimits from './rules/nginx-connection-limits.ts';
import nginxInvalidDirective from './rules/nginx-invalid-directive.ts';
import noDoubleRelease from './rules/no-double-release.ts';
import noMigrationsThroughPooler from './rules/no-migrations-through-pooler.ts';
import noModulePoolInWorker from './rules/no-module-pool-in-worker.ts';
import noNestedAcquire from './rules/no-nested-acquire.ts';
import noOpenTransactionOnRelease from './rules/no-open-transaction-on-release.ts';
import noPoolEndPerRequest from './rules/no-pool-end-per-request.ts';
import noPoolPerRequest from './rules/no-pool-per-request.ts';
import noSessionStateInTransactionMode from './rules/no-session-state-in-transaction-mode.ts';
import noSessionStateOnPool from './rules/no-session-state-on-pool.ts';
import noSharedSingleClient from './rules/no-shared-single-client.ts';
import noSlowCallInTransaction from './rules/no-slow-call-in-transaction.ts';
import noTransactionOnPool from './rules/no-transaction-on-pool.ts';
import noUnsettledTransaction from './rules/no-unsettled-transaction.ts';
import noUseAfterRelease from './rules/no-use-after-release.ts';
import pgbouncerAuth from './rules/pgbouncer-auth.ts';
import pgbouncerInvalidValue from './rules/pgbouncer-invalid-value.ts';
import pgbouncerPoolLimits from './rules/pgbouncer-pool-limits.ts';
import pgbouncerTimeouts from './rules/pgbouncer-timeouts.ts';
import pgbouncerUnknownSetting from './rules/pgbouncer-unknown-setting.ts';
import poolerCapacity from './rules/pooler-capacity.ts';
import poolerRestart from './rules/pooler-restart.ts';
import preparedStatementsInTransactionMode from './rules/prepared-statements-in-transaction-mode.ts';
import releaseBrokenClient from './rules/release-broken-client.ts';
import releaseInFinally from './rules/release-in-finally.ts';
import requireAcquireTimeout from './rules/require-acquire-timeout.ts';
import requirePoolErrorHandler from './rules/require-pool-error-handler.ts';
import requirePoolShutdown from './rules/require-pool-shutdown.ts';
import requireStatementTimeout from './rules/require-statement-timeout.ts';
import serverlessPoolSize from './rules/serverless-pool-size.ts';
import serviceLinkEnv from './rules/service-link-env.ts';
import timeoutOrder from './rules/timeout-order.ts';
import unknownPoolOption from './rules/unknown-pool-option.ts';
import unsupportedStartupParameter from './rules/unsupported-startup-parameter.ts';
import upstreamKeepalive from './rules/upstream-keepalive.ts';
import upstreamKeepaliveSize from './rules/upstream-keepalive-size.ts';
import upstreamKeepaliveTimeout from './rules/upstream-keepalive-timeout.ts';
import upstreamRetryNonIdempotent from './rules/upstream-retry-non-idempotent.ts';

/** Every rule, by id. Defaults, schema, pages' index and the ESLint plugin follow from this list. */
export const catalogue: readonly Rule[] = [
  connectionBudget,
  deploySurge,
  destroysHealthyClient,
  ineffectiveSetting,
  invalidPoolSize,
  keepAliveUnit,
  nginxConnectionLimits,
  nginxInvalidDirective,
  noDoubleRelease,
  noMigrationsThroughPooler,
  noModulePoolInWorker,
  noNestedAcquire,
  noOpenTransactionOnRelease,
  noPoolEndPerRequest,
  noPoolPerRequest,
  noSessionStateInTransactionMode,
  noSessionStateOnPool,
  noSharedSingleClient,
  noSlowCallInTransaction,
  noTransactionOnPool,
  noUnsettledTransaction,
  noUseAfterRelease,
  pgbouncerAuth,
  pgbouncerInvalidValue,
  pgbouncerPoolLimits,
  pgbouncerTimeouts,
  pgbouncerUnknownSetting,
  poolerCapacity,
  poolerRestart,
  preparedStatementsInTransactionMode,
  releaseBrokenClient,
  releaseInFinally,
  requireAcquireTimeout,
  requirePoolErrorHandler,
  requirePoolShutdown,
  requireStatementTimeout,
  serverlessPoolSize,
  serviceLinkEnv,
  timeoutOrder,
  unknownPoolOption,
  unsupportedStartupParameter,
  upstreamKeepalive,
  upstreamKeepaliveSize,
  upstreamKeepaliveTimeout,
  upstreamRetryNonIdempotent,
];

/** The page of a rule, from the repository's root. */
export function pageOf(id: string): string {
  return `docs/rules/${id}.md`;
}
