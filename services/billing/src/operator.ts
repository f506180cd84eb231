import type { Trace as ApiTrace } from '@tollgate/contracts/operator/trace';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { isUuid } from '@tollgate/kernel/uuid';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createProcessClock } from '@tollgate/runtime/sandbox-clock/create-process-clock';
import { checkLedger, type LedgerReport } from './audit/check-ledger.ts';
import { createConfirmInvoice } from './collection/void-invoice.ts';
import { createReconcile } from './audit/reconcile.ts';
import { createTraceEvent } from './trace/trace-event.ts';
import { processorConfigSchema, traceConfigSchema } from './config.ts';
import { findAccount, listAccounts, type AccountListQuery } from './invoicing/sql-accounts.ts';
import type { AllInvoicesQuery } from './invoicing/sql-list-invoices.ts';
import {
  listAccountsForOperator,
  listInvoicesForOperator,
  listPayoutsForOperator,
  type OperatorList,
} from './operate/list-for-operator.ts';
import { readMoneyStatus, type MoneyStatus } from './operate/read-money-status.ts';
import type { AllPayoutsQuery } from './payouts/sql-list-payouts.ts';
import { type ReconcileScope, toApiReconciliation } from './audit/reconciliation.ts';
import { toApiTrace, viewerOf } from './trace/to-api-trace.ts';
import { traceSettingsOf } from './money-settings.ts';
import { refuseForeignMoney } from './processor/check-processor-setup.ts';
import { openProcessor } from './processor/open-processor.ts';

export interface OperatorOptions {
  /** The database, as role billing_worker. */
  readonly workerUrl: string;
  readonly log: Logger;
}

export type { MoneyStatus, OperatorList };

const statementTimeoutMs = 3_600_000;

/** `tollgate operator ledger check`. It only reads. */
export function runLedgerCheck(options: OperatorOptions): Promise<LedgerReport> {
  return withDatabase(options, checkLedger);
}

export interface ReconcileOptions extends OperatorOptions {
  /** The environment with the processor's settings. */
  readonly environment: Environment;
}

/**
 * `tollgate operator reconcile`, in the form of the operator's route. It only reads, here and at the processor. Throws if another
 * processor moved the money of these books: then every object would differ.
 */
export function runReconcile(scope: ReconcileScope, options: ReconcileOptions) {
  const config = loadConfig(processorConfigSchema, options.environment);
  return withDatabase(options, async (database) => {
    await refuseForeignMoney({ database, processor: config.PROCESSOR }).start();
    return withClock(config.PROCESSOR, options, async (clock) => {
      const reconcile = createReconcile({ database, processor: openProcessor(config, { database, clock }) });
      return toApiReconciliation(await reconcile(scope));
    });
  });
}

/** `tollgate operator invoice confirm`. Throws `not_found` or `invoice_not_held`. */
export async function runConfirmInvoice(id: string, options: OperatorOptions): Promise<void> {
  await withClock('sandbox', options, (clock) =>
    withDatabase(options, (database) => createConfirmInvoice({ database, clock })(id, { kind: 'command' })),
  );
}

/** With the sandbox, its clock, which is the machine's if nobody moved it. */
async function withClock<T>(
  processor: string,
  { workerUrl, log }: OperatorOptions,
  work: (clock: Clock) => Promise<T>,
): Promise<T> {
  const { clock, services } = createProcessClock(
    { SANDBOX_CLOCK: processor === 'sandbox' ? 'on' : 'off', DATABASE_WORKER_URL: workerUrl },
    { part: 'follower', log },
  );
  for (const service of services) await service.start();
  try {
    return await work(clock);
  } finally {
    for (const service of services) await service.stop();
  }
}

async function withDatabase<T>({ workerUrl: url, log }: OperatorOptions, work: (database: Database) => Promise<T>) {
  const database = createDatabase({ url, name: 'operator', maxConnections: 2, statementTimeoutMs, log });
  try {
    return await work(database);
  } finally {
    await database.stop();
  }
}

export interface TraceOptions extends OperatorOptions {
  /** The environment with the settings of fees and payouts. */
  readonly environment: Environment;
}

/** `tollgate operator trace`: one event with both sides of its money, in the form of the API's route. */
export function runTrace(eventId: string, { environment, ...options }: TraceOptions): Promise<ApiTrace> {
  const settings = traceSettingsOf(loadConfig(traceConfigSchema, environment));
  return withDatabase(options, async (database) => {
    const traceEvent = createTraceEvent({ api: database, worker: database, ...settings });
    const trace = await traceEvent({ eventId });
    return toApiTrace(trace, viewerOf(trace)) as ApiTrace; // numbers beyond 2^53 are objects that print as numbers
  });
}

/** `tollgate operator accounts`. */
export function runListAccounts(query: AccountListQuery, options: OperatorOptions): Promise<OperatorList> {
  const email = query.email === undefined ? undefined : storedFormOf(query.email);
  return withDatabase(options, (database) => listAccountsForOperator(database, { ...query, email }));
}

export interface OfAccount {
  /** Only the rows of this account: its id or e-mail. Throws `not_found` for an e-mail that no account has. */
  readonly account?: string | undefined;
}

/** `tollgate operator invoices`. */
export function runListInvoices(
  { account, ...query }: Omit<AllInvoicesQuery, 'consumerId'> & OfAccount,
  options: OperatorOptions,
): Promise<OperatorList> {
  return withDatabase(options, async (database) =>
    listInvoicesForOperator(database, { ...query, consumerId: await idOfAccount(database, account) }),
  );
}

/** `tollgate operator payouts`. */
export function runListPayouts(
  { account, ...query }: Omit<AllPayoutsQuery, 'builderId'> & OfAccount,
  options: OperatorOptions,
): Promise<OperatorList> {
  return withDatabase(options, async (database) =>
    listPayoutsForOperator(database, { ...query, builderId: await idOfAccount(database, account) }),
  );
}

async function idOfAccount(database: Database, account: string | undefined): Promise<string | undefined> {
  if (account === undefined) return undefined;
  const found = isUuid(account)
    ? await findAccount(database, account)
    : (await listAccounts(database, { email: storedFormOf(account), limit: 1 })).rows[0];
  if (found) return found.accountId;
  throw new AppError('not_found', `There is no account with the ${isUuid(account) ? 'id' : 'e-mail'} ${account}.`);
}

/** Returns an e-mail in its stored form: accounts have theirs in lower case. */
function storedFormOf(email: string): string {
  return email.trim().toLowerCase();
}

/** The part of `tollgate operator status` that is about money. It only reads. Throws if another processor moved the money. */
export function runReadMoneyStatus({ environment, ...options }: TraceOptions): Promise<MoneyStatus> {
  const { processor, payouts } = traceSettingsOf(loadConfig(traceConfigSchema, environment));
  return withDatabase(options, async (database) => {
    await refuseForeignMoney({ database, processor }).start();
    return withClock(processor, options, (clock) =>
      readMoneyStatus(database, {
        processor,
        payoutMinimumMicros: payouts.minimumMicros,
        payoutDelayMs: payouts.delayMs,
        nowMs: clock.now(),
      }),
    );
  });
}
