import type { Trace as ApiTrace } from '@tollgate/contracts/trace';
import { loadConfig, type Environment } from '@tollgate/runtime/config/load-config';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createProcessClock } from '@tollgate/runtime/sandbox-clock/create-process-clock';
import { checkLedger, type LedgerReport } from './audit/check-ledger.ts';
import { createConfirmInvoice } from './collection/confirm-invoice.ts';
import { createReconcile } from './audit/reconcile.ts';
import { createTraceEvent } from './trace/trace-event.ts';
import { processorConfigSchema, traceConfigSchema } from './config.ts';
import type { ReconcileScope } from './audit/reconciliation.ts';
import { toApiReconciliation } from './audit/to-api-reconciliation.ts';
import { toApiTrace, viewerOf } from './trace/to-api-trace.ts';
import { traceSettingsOf } from './money-settings.ts';
import { refuseForeignMoney } from './processor/refuse-foreign-money.ts';
import { openProcessor } from './processor/open-processor.ts';

export interface OperatorOptions {
  /** The database, as role billing_worker. */
  readonly workerUrl: string;
  readonly log: Logger;
}

const statementTimeoutMs = 3_600_000;

/** `tollgate ledger check`. It only reads. */
export function runLedgerCheck(options: OperatorOptions): Promise<LedgerReport> {
  return withDatabase(options, checkLedger);
}

export interface ReconcileOptions extends OperatorOptions {
  /** The environment with the processor's settings. */
  readonly environment: Environment;
}

/**
 * `tollgate reconcile`, in the form of the operator's route. It only reads, here and at the processor. Throws if another
 * processor moved the money of these books: then every object would differ.
 */
export function runReconcile(scope: ReconcileScope, options: ReconcileOptions) {
  const config = loadConfig(processorConfigSchema, options.environment);
  return withDatabase(options, async (database) => {
    await refuseForeignMoney({ database, processor: config.PROCESSOR }).start();
    const { workerUrl, log } = options;
    // The sandbox's objects change with the sandbox clock, which is the machine's if nobody moved it.
    const settings = { SANDBOX_CLOCK: config.PROCESSOR === 'sandbox', DATABASE_WORKER_URL: workerUrl };
    const { clock, services } = createProcessClock(
      { ...settings, SANDBOX_CLOCK: settings.SANDBOX_CLOCK ? 'on' : 'off' },
      { part: 'follower', log },
    );
    for (const service of services) await service.start();
    try {
      const reconcile = createReconcile({ database, processor: openProcessor(config, { database, clock }) });
      return toApiReconciliation(await reconcile(scope));
    } finally {
      for (const service of services) await service.stop();
    }
  });
}

/** `tollgate invoice confirm`. Throws `not_found` or `invoice_not_held`. */
export async function runConfirmInvoice(id: string, options: OperatorOptions): Promise<void> {
  const { workerUrl, log } = options;
  const { clock, services } = createProcessClock(
    { SANDBOX_CLOCK: 'on', DATABASE_WORKER_URL: workerUrl },
    { part: 'follower', log },
  );
  for (const service of services) await service.start();
  try {
    await withDatabase(options, (database) => createConfirmInvoice({ database, clock })(id, { kind: 'command' }));
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

/** `tollgate trace`: one event with both sides of its money, in the form of the API's route. */
export function runTrace(eventId: string, { environment, ...options }: TraceOptions): Promise<ApiTrace> {
  const settings = traceSettingsOf(loadConfig(traceConfigSchema, environment));
  return withDatabase(options, async (database) => {
    const traceEvent = createTraceEvent({ api: database, worker: database, ...settings });
    const trace = await traceEvent({ eventId });
    return toApiTrace(trace, viewerOf(trace)) as ApiTrace; // numbers beyond 2^53 are objects that print as numbers
  });
}
