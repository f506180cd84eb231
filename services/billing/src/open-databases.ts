import { createDatabase, type Database, type DatabaseOptions } from '@tollgate/database/database';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Clock } from '@tollgate/kernel/clock';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import { createCredentials, type Credentials } from '@tollgate/runtime/auth/credentials';
import type { Config } from './config.ts';

/** One pool per kind of work, so that no kind waits for the connections of another. */
export interface Databases {
  /** Acts for one account at a time, under row-level policies. */
  readonly api: Database;
  /** Sees all accounts, in short statements. */
  readonly worker: Database;
  /** Closes periods: one connection stores while the other plans. */
  readonly jobs: Database;
  /** Collects, refunds and pays out. */
  readonly settling: Database;
  /** The sandbox keeps its state here. With Stripe, rows wait here for Stripe's answer. */
  readonly ofProcessor: Database;
  readonly reconciling: Database;
  /** For the nightly check, which starts and stops it. */
  readonly nightly: Database;
}

const jobTimeoutMs = 60_000;
const nightlyTimeoutMs = 1_800_000;

export function openDatabases(config: Config, log: Logger): { databases: Databases; parts: readonly Service[] } {
  const ofWorker = (name: string, options: Partial<DatabaseOptions>) =>
    createDatabase({ url: config.DATABASE_WORKER_URL, name, isPipelined: true, log, ...options });
  const apiConnections = apiConnectionsOf(config);
  const databases = {
    api: createDatabase({ url: config.DATABASE_API_URL, name: 'billing-api', maxConnections: apiConnections, log }),
    worker: ofWorker('billing-worker', { maxConnections: 2 }),
    jobs: ofWorker('billing-jobs', { maxConnections: 2, statementTimeoutMs: jobTimeoutMs }),
    settling: ofWorker('billing-settling', { maxConnections: 3, statementTimeoutMs: jobTimeoutMs }),
    ofProcessor: ofWorker(`billing-${config.PROCESSOR}`, { maxConnections: 2 }),
    reconciling: ofWorker('billing-reconcile', { maxConnections: 1, statementTimeoutMs: jobTimeoutMs }),
    nightly: ofWorker('billing-nightly', {
      maxConnections: 1,
      statementTimeoutMs: nightlyTimeoutMs,
      whenStopped: 'cancel',
    }),
  };
  const { nightly: _nightly, ...started } = databases;
  return { databases, parts: Object.values(started) };
}

/** Half of the connections for requests; the catalogue has the other half. */
export function apiConnectionsOf(config: Pick<Config, 'DATABASE_CONNECTIONS_MAX'>): number {
  return Math.ceil(config.DATABASE_CONNECTIONS_MAX / 2);
}

export interface CredentialsDeps {
  readonly worker: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Default: a connection of their own. */
  readonly notifications?: Notifications | undefined;
}

/** Checks the API keys and tokens of callers. Notifications tell at once which ones were revoked. */
export function openCredentials(
  config: Config,
  deps: CredentialsDeps,
): { readonly credentials: Credentials; readonly parts: readonly Service[] } {
  const { worker, clock, log } = deps;
  const notifications = deps.notifications ?? createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issuer = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    publicUrl: config.PUBLIC_URL,
    operatorToken: config.OPERATOR_TOKEN,
    wrongOperatorTokensPerMinute: config.WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE,
  };
  const credentials = createCredentials({ database: worker, notifications, clock, log, config: issuer });
  return { credentials, parts: [notifications, credentials] };
}
