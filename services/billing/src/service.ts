import { routesOf } from '@tollgate/contracts/routes';
import type { Clock } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import { createTrustedProxies } from '@tollgate/runtime/http/client-address';
import { createApiDocs } from '@tollgate/runtime/http/api-docs';
import { createFront } from '@tollgate/runtime/http/front';
import { createHealth } from '@tollgate/runtime/http/health';
import { createIdempotency } from '@tollgate/runtime/http/idempotency';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/runtime/lifecycle/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/runtime/postgres/database';
import { createNotifications } from '@tollgate/runtime/postgres/notifications';
import { createPgUsageReader } from './adapters/pg-usage-reader.ts';
import { createPrismaCatalogue } from './adapters/prisma-catalogue.ts';
import { createAddPrice } from './app/add-price.ts';
import { createArchiveTool } from './app/archive-tool.ts';
import { createChangeTool } from './app/change-tool.ts';
import { checkLedger, type LedgerReport } from './app/check-ledger.ts';
import { createCloseDuePeriods } from './app/close-due-periods.ts';
import { createFindInvoice } from './app/find-invoice.ts';
import { createFindTool } from './app/find-tool.ts';
import { createListInvoices } from './app/list-invoices.ts';
import { createListPrices } from './app/list-prices.ts';
import { createListTools } from './app/list-tools.ts';
import { createPreviewInvoice } from './app/preview-invoice.ts';
import { createReadUsage } from './app/read-usage.ts';
import { createRegisterTool } from './app/register-tool.ts';
import { createRunDueWork } from './app/run-due-work.ts';
import type { Config } from './config.ts';
import { createBillingHttp } from './http/create-billing-http.ts';
import { observeAnswers } from './http/observe-answers.ts';
import { readVersion } from './http/read-version.ts';
import { createReplyOnce } from './http/reply-once.ts';
import { createForgetReplies } from './jobs/forget-replies.ts';
import { createTick } from './jobs/tick.ts';

export interface BillingDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

export type Billing = Service & Required<Pick<Service, 'handle' | 'readiness'>>;

/** The tool catalogue with its prices, what was used of the tools, and the invoices for it. */
export function createBilling(config: Config, { clock, log, metrics }: BillingDeps): Billing {
  const maxConnections = Math.ceil(config.DATABASE_CONNECTIONS_MAX / 2);
  const catalogue = createPrismaCatalogue({ url: config.DATABASE_API_URL, maxConnections, log });
  const api = createDatabase({ url: config.DATABASE_API_URL, name: 'billing-api', maxConnections, log });
  const worker = createDatabase({ url: config.DATABASE_WORKER_URL, name: 'billing-worker', maxConnections: 2, log });
  const jobs = createJobsDatabase(config.DATABASE_WORKER_URL, log);
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issuer = { issuer: config.TOKEN_ISSUER, audience: config.TOKEN_AUDIENCE };
  const credentials = createCredentials({ database: worker, notifications, clock, log, config: issuer });
  const idempotency = createIdempotency({ schema: 'billing', clock });
  const minimumMicros = parseUsd(config.INVOICE_MINIMUM_USD);
  const closeDuePeriods = createCloseDuePeriods({ database: jobs, minimumMicros });

  const forgetReplies = createForgetReplies({ worker, idempotency, log });
  const tick = createTick({ runDueWork: createRunDueWork({ closeDuePeriods }), clock, log });
  const http = createBillingHttp({
    credentials,
    catalogue,
    replyOnce: createReplyOnce({ catalogue, idempotency }),
    registerTool: createRegisterTool({ clock }),
    findTool: createFindTool({ clock }),
    listTools: createListTools({ clock }),
    changeTool: createChangeTool({ clock }),
    archiveTool: createArchiveTool({ clock }),
    addPrice: createAddPrice({ clock }),
    listPrices: createListPrices({ clock }),
    readUsage: createReadUsage({ usage: createPgUsageReader(api) }),
    listInvoices: createListInvoices({ database: api }),
    findInvoice: createFindInvoice({ database: api }),
    previewInvoice: createPreviewInvoice({ database: api, minimumMicros }),
    nowMs: clock.now,
  });

  const parts = combine('billing', [catalogue, api, worker, jobs, notifications, credentials, forgetReplies, tick, http]);
  const readiness = async () => (await parts.readiness?.()) ?? {};
  const answerHealth = createHealth({ readiness, isStopping: () => false }); // where a listener stops, it answers itself
  const answerApiDocs = createApiDocs({ version: readVersion() });
  const handle = createFront({
    routes: routesOf('billing'),
    log,
    clock,
    handle: (request, response) => {
      if (answerHealth(request, response) || answerApiDocs(request, response)) return;
      http.handle(request, response);
    },
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    ...(metrics && { onAnswered: observeAnswers(metrics) }),
  });
  return { ...parts, readiness, handle };
}

const jobStatementTimeoutMs = 60_000;

/** A statement for a batch of consumers may take longer than one for a request. */
function createJobsDatabase(url: string, log: Logger): Database {
  return createDatabase({
    url,
    name: 'billing-jobs',
    maxConnections: 1,
    statementTimeoutMs: jobStatementTimeoutMs,
    log,
  });
}

const checkTimeoutMs = 3_600_000;

/** The operator's `ledger check`: reads, and changes nothing. */
export async function runLedgerCheck(workerUrl: string, { log }: { log: Logger }): Promise<LedgerReport> {
  const name = 'ledger-check';
  const database = createDatabase({ url: workerUrl, name, maxConnections: 1, statementTimeoutMs: checkTimeoutMs, log });
  try {
    return await checkLedger(database);
  } finally {
    await database.stop();
  }
}
