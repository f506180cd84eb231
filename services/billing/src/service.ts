import { isServedWith, routesOf } from '@tollgate/contracts/routes';
import { sandboxClockBounds } from '@tollgate/contracts/sandbox-clock';
import type { Clock } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import { createTrustedProxies } from '@tollgate/runtime/http/client-address';
import { createApiDocs } from './docs/api-docs.ts';
import { createFront } from '@tollgate/runtime/http/front';
import { createHealth } from '@tollgate/runtime/http/health';
import { createIdempotency } from '@tollgate/runtime/http/idempotency';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import type { SandboxClock } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import { createPgAccountDirectory } from './invoicing/pg-account-directory.ts';
import { createPgConnectedAccounts } from './processor/pg-connected-accounts.ts';
import { createPgCustomers } from './processor/pg-customers.ts';
import { createPgWebhookInbox } from './processor/pg-webhook-inbox.ts';
import { createPgWatermark } from './usage/pg-watermark.ts';
import { createPrismaCatalogue } from './catalogue/prisma-catalogue.ts';
import { createSandboxBank } from './processor/sandbox/sandbox-bank.ts';
import { createSandboxFailures } from './processor/sandbox/sandbox-failures.ts';
import { createSandboxPages } from './processor/sandbox/sandbox-pages.ts';
import { createSandboxProcessor } from './processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookReader } from './processor/sandbox/sandbox-webhook-reader.ts';
import { createSandboxWebhookSender } from './processor/sandbox/sandbox-webhook-sender.ts';
import { createStripeClient } from './processor/stripe/stripe-client.ts';
import { createStripeProcessor } from './processor/stripe/stripe-processor.ts';
import { createStripeWebhookReader } from './processor/stripe/stripe-webhook-reader.ts';
import { createAddPrice } from './catalogue/add-price.ts';
import { createApplyWebhooks } from './processor/apply-webhooks.ts';
import { createArchiveTool } from './catalogue/archive-tool.ts';
import { createChangeTool } from './catalogue/change-tool.ts';
import { createCloseDuePeriods, type CloseDuePeriods } from './invoicing/close-due-periods.ts';
import { createConnectPayoutAccount } from './processor/connect-payout-account.ts';
import { createSettlement } from './operate/create-settlement.ts';
import { createDisconnectPayoutAccount } from './processor/disconnect-payout-account.ts';
import { createFindInvoice } from './invoicing/find-invoice.ts';
import { createFindPayout } from './payouts/find-payout.ts';
import { createFindPayoutAttempts } from './payouts/find-payout-attempts.ts';
import { createFindPaymentMethod } from './processor/find-payment-method.ts';
import { createFindPrintedInvoice } from './invoicing/find-printed-invoice.ts';
import { createFindTool } from './catalogue/find-tool.ts';
import { createFollowAccounts } from './processor/follow-accounts.ts';
import { createListInvoices } from './invoicing/list-invoices.ts';
import { createListPayouts } from './payouts/list-payouts.ts';
import { createListPrices } from './catalogue/list-prices.ts';
import { createListTools } from './catalogue/list-tools.ts';
import { createMoveClock } from './operate/move-clock.ts';
import { createOpenDispute } from './operate/open-dispute.ts';
import { createPreviewInvoice } from './invoicing/preview-invoice.ts';
import { createReadBillingAccount } from './payouts/read-billing-account.ts';
import { createReadPendingBalance } from './payouts/read-pending-balance.ts';
import { createReadStatement } from './payouts/read-statement.ts';
import { createReadUsage } from './usage/read-usage.ts';
import type { Processor } from './processor/processor.ts';
import { createReceiveWebhook, type ReceiveWebhook } from './processor/receive-webhook.ts';
import { createReconcile } from './audit/reconcile.ts';
import { createRegisterTool } from './catalogue/register-tool.ts';
import { createRunDueWork, type RunDueWork } from './operate/run-due-work.ts';
import { createRemovePaymentMethod } from './processor/remove-payment-method.ts';
import { createSetUpPaymentMethod } from './processor/set-up-payment-method.ts';
import { createTraceEvent } from './trace/trace-event.ts';
import { createSweepProcessor } from './operate/sweep-processor.ts';
import type { ReadNotice } from './processor/webhook-ports.ts';
import type { Config, ProcessorConfig } from './config.ts';
import { createBillingHttp } from './edge/create-billing-http.ts';
import { createRenderInvoicePdf } from './invoicing/pdf/render-invoice-pdf.ts';
import { observeAnswers } from '@tollgate/runtime/http/observe-answers';
import { createOwnAddress } from './processor/own-address.ts';
import { payoutSettingsOf, traceSettingsOf } from './money-settings.ts';
import { readVersion } from './edge/read-version.ts';
import { createReplyOnce } from './catalogue/reply-once.ts';
import type { ProcessorUseCases } from './edge/use-cases.ts';
import { every } from '@tollgate/runtime/timing/every';
import { createNightlyLedgerCheck } from './audit/check-ledger-nightly.ts';
import { createForgetReplies } from './operate/forget-replies.ts';
import { refuseForeignMoney } from './processor/refuse-foreign-money.ts';
import { createTick } from './operate/tick.ts';

export interface BillingDeps {
  readonly clock: Clock;
  /** `clock`, where the operator may move it: with the sandbox processor only. */
  readonly sandboxClock?: SandboxClock | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

export type Billing = Service & Required<Pick<Service, 'handle' | 'readiness'>>;

/** The tool catalogue with its prices, what was used of the tools, and the invoices for it. */
export function createBilling(config: Config, { clock, sandboxClock, log, metrics }: BillingDeps): Billing {
  const maxConnections = Math.ceil(config.DATABASE_CONNECTIONS_MAX / 2);
  const catalogue = createPrismaCatalogue({ url: config.DATABASE_API_URL, maxConnections, log });
  const api = createDatabase({ url: config.DATABASE_API_URL, name: 'billing-api', maxConnections, log });
  const worker = createDatabase({ url: config.DATABASE_WORKER_URL, name: 'billing-worker', maxConnections: 2, log });
  const jobs = createJobsDatabase(config.DATABASE_WORKER_URL, log);
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issuer = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    operatorToken: config.OPERATOR_TOKEN,
  };
  const credentials = createCredentials({ database: worker, notifications, clock, log, config: issuer });
  const idempotency = createIdempotency({ schema: 'billing', clock });
  const minimumMicros = parseUsd(config.INVOICE_MINIMUM_USD);
  const closeDuePeriods = createCloseDuePeriods({ database: jobs, minimumMicros });

  const forgetReplies = createForgetReplies({ worker, idempotency, log });
  const processing = createProcessing(config, { api, worker, clock, log, closeDuePeriods });
  const http = createBillingHttp({
    ...processing.useCases,
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
    readUsage: createReadUsage({ database: api, scope: config.PLATFORM_FEE_FREE_SCOPE }),
    traceEvent: createTraceEvent({ api, worker, ...traceSettingsOf(config) }),
    listInvoices: createListInvoices({ database: api }),
    ...createInvoiceReading(api, worker),
    previewInvoice: createPreviewInvoice({ database: api, minimumMicros }),
    ...createPayoutReading(config, { api, worker, clock }),
    ...createOperating(config, { worker, sandboxClock, runDueWork: processing.runDueWork }),
    nowMs: clock.now,
  });

  const parts = combine('billing', [
    catalogue,
    api,
    worker,
    jobs,
    notifications,
    credentials,
    forgetReplies,
    createNightly(config, { clock, log, metrics }),
    processing.parts,
    http,
  ]);
  const readiness = async () => (await parts.readiness?.()) ?? {};
  const answerHealth = createHealth({ readiness, isStopping: () => false }); // where a listener stops, it answers itself
  const answerApiDocs = createApiDocs({ version: readVersion() });
  const handle = createFront({
    routes: routesOf('billing').filter(isServedWith(config.PROCESSOR)),
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

/** One invoice, as JSON and to print. */
function createInvoiceReading(api: Database, worker: Database) {
  const findInvoice = createFindInvoice({ database: api });
  const accounts = createPgAccountDirectory(worker);
  return {
    findInvoice,
    findPrintedInvoice: createFindPrintedInvoice({ findInvoice, accounts }),
    renderInvoicePdf: createRenderInvoicePdf(),
  };
}

/** Payouts as their builder sees them, and what the operator sees more. */
function createPayoutReading(config: Config, { api, worker, clock }: Omit<ProcessingDeps, 'log' | 'closeDuePeriods'>) {
  const reading = { database: api, scope: config.PLATFORM_FEE_FREE_SCOPE, nowMs: clock.now };
  return {
    listPayouts: createListPayouts(reading),
    findPayout: createFindPayout(reading),
    readStatement: createReadStatement(reading),
    findPayoutAttempts: createFindPayoutAttempts({ database: worker }),
  };
}

interface OperatingDeps extends Pick<BillingDeps, 'sandboxClock'> {
  readonly worker: Database;
  readonly runDueWork: RunDueWork;
}

/** What the operator asks for. */
function createOperating(config: Config, { worker, sandboxClock: clock, runDueWork }: OperatingDeps) {
  const watermark = createPgWatermark(worker);
  const trailMs = config.APPEND_DEADLINE_MS + config.CLOCK_SKEW_MAX_MS;
  const { endMs } = sandboxClockBounds;
  return {
    accounts: createPgAccountDirectory(worker),
    watermark,
    ...(clock && {
      sandboxClock: { clock, moveClock: createMoveClock({ clock, watermark, runDueWork, trailMs, endMs }) },
    }),
  };
}

/** Proves the books, on a connection of its own, since that may take minutes. */
function createNightly(config: Config, { clock, log, metrics }: BillingDeps): Service {
  const database = createDatabase({
    url: config.DATABASE_WORKER_URL,
    name: 'billing-nightly',
    maxConnections: 1,
    statementTimeoutMs: nightlyStatementTimeoutMs,
    whenStopped: 'cancel',
    log,
  });
  return createNightlyLedgerCheck({ database, clock, log, metrics });
}

const nightlyStatementTimeoutMs = 1_800_000;
const jobStatementTimeoutMs = 60_000;

/** The close stores on one, plans on the other. */
function createJobsDatabase(url: string, log: Logger): Database {
  return createDatabase({
    url,
    name: 'billing-jobs',
    maxConnections: 2,
    statementTimeoutMs: jobStatementTimeoutMs,
    log,
  });
}

interface ProcessingDeps extends BillingDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly closeDuePeriods: CloseDuePeriods;
}

interface Processing {
  readonly useCases: ProcessorUseCases;
  readonly runDueWork: RunDueWork;
  readonly parts: Service;
}

/**
 * The payment processor, the money that it moves when it is due, and its webhooks: stored in the one inbox, whoever sends
 * them, and applied from there.
 */
function createProcessing(config: Config, { api, worker, clock, log, closeDuePeriods }: ProcessingDeps): Processing {
  const name = `billing-${config.PROCESSOR}`;
  const database = createDatabase({ url: config.DATABASE_WORKER_URL, name, maxConnections: 2, log });
  const processor = createProcessor(config, { database, clock });
  const readNotice = createReadNotice(config, clock);
  // Stripe may be slow, and a row is held while it is asked: credentials must not wait for such a connection.
  const following = config.PROCESSOR === 'stripe' ? database : worker;
  const accounts = createPgConnectedAccounts({ api, worker: following, processor: processor.name, clock });
  const customers = createPgCustomers({ api, worker: following, processor: processor.name, clock });
  const inbox = createPgWebhookInbox({ worker, processor: processor.name, clock });

  const { DATABASE_WORKER_URL: url } = config;
  const patient = { statementTimeoutMs: jobStatementTimeoutMs, log };
  const settling = createDatabase({ url, name: 'billing-settling', maxConnections: 3, ...patient });
  const reconciling = createDatabase({ url, name: 'billing-reconcile', maxConnections: 1, ...patient });
  const scope = config.PLATFORM_FEE_FREE_SCOPE;
  const settlement = createSettlement({
    database: settling,
    clock,
    log,
    processor,
    scope,
    payouts: payoutSettingsOf(config),
    chargesAtOnce: config.PROCESSOR === 'stripe' ? 4 : 1,
  });
  const refresh = { ...createFollowAccounts({ processor, accounts, customers }), ...settlement.refresh };
  const sweepProcessor = createSweepProcessor({ database: settling, processor, refresh, log });
  const runDueWork = createRunDueWork({ closeDuePeriods, steps: [...settlement.steps, sweepProcessor] });
  const tick = createTick({ runDueWork, clock, log });

  const applyWebhooks = createApplyWebhooks({ refresh, inbox, onApplied: tick.announce, log });
  const applying = every({
    name: 'apply-webhooks',
    run: applyWebhooks,
    everyMs: webhookRoundMs,
    first: 'at once',
    log,
  });
  const receiveWebhook = createReceiveWebhook({ readNotice, inbox, onStored: applying.announce });
  const hosting =
    config.PROCESSOR === 'sandbox' && createHosting(config, { database, settling, clock, log, receiveWebhook });

  const readPendingBalance = createReadPendingBalance({ database: api, scope, nowMs: clock.now });
  const useCases = {
    readBillingAccount: createReadBillingAccount({ accounts, readPendingBalance }),
    connectPayoutAccount: createConnectPayoutAccount({ processor, accounts }),
    disconnectPayoutAccount: createDisconnectPayoutAccount({ accounts }),
    setUpPaymentMethod: createSetUpPaymentMethod({ processor, customers }),
    findPaymentMethod: createFindPaymentMethod({ customers }),
    removePaymentMethod: createRemovePaymentMethod({ processor, customers }),
    ...settlement.useCases,
    reconcile: createReconcile({ database: reconciling, processor }),
    receiveWebhook,
    ...(hosting && { hostedPages: hosting.pages, sandboxTrouble: hosting.trouble }),
    ownAddressOf: createOwnAddress(config.PUBLIC_URL),
  };
  const parts = combine('processing', [
    database,
    settling,
    refuseForeignMoney({ database: settling, processor: processor.name }),
    reconciling,
    tick,
    applying,
    ...(hosting ? [hosting.sending] : []),
  ]);
  return { useCases, runDueWork, parts };
}

interface ProcessorDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export function createProcessor(config: ProcessorConfig, { database, clock }: ProcessorDeps): Processor {
  if (config.PROCESSOR === 'sandbox') return createSandboxProcessor({ database, clock });
  const secretKey = given(config.STRIPE_SECRET_KEY);
  const stripe = createStripeClient({ secretKey, apiUrl: config.STRIPE_API_URL, timeoutMs: stripeTimeoutMs });
  return createStripeProcessor({ stripe, clock });
}

function createReadNotice(config: Config, clock: Clock): ReadNotice {
  return config.PROCESSOR === 'sandbox'
    ? createSandboxWebhookReader({ secret: given(config.SANDBOX_WEBHOOK_SECRET), clock })
    : createStripeWebhookReader({ secret: given(config.STRIPE_WEBHOOK_SECRET), clock });
}

/** `config.ts` has refused to start without it. */
function given(setting: string | undefined): string {
  if (setting === undefined) throw new Error('a setting of this processor is missing');
  return setting;
}

const stripeTimeoutMs = 10_000;

interface HostingDeps extends ProcessorDeps {
  readonly settling: Database;
  readonly log: Logger;
  readonly receiveWebhook: ReceiveWebhook;
}

/** What the sandbox does that a processor elsewhere does by itself: pages for people, trouble, and the sending of webhooks. */
function createHosting(config: Config, { database, settling, clock, log, receiveWebhook: deliver }: HostingDeps) {
  const secret = given(config.SANDBOX_WEBHOOK_SECRET);
  const sendWebhooks = createSandboxWebhookSender({ database, clock, secret, deliver });
  const sending = every({
    name: 'send-sandbox-webhooks',
    run: sendWebhooks,
    everyMs: webhookRoundMs,
    first: 'at once',
    log,
  });
  const told = { database, clock, onEvent: sending.announce };
  const trouble = {
    failures: createSandboxFailures({ database, clock }),
    openDispute: createOpenDispute({ database: settling, bank: createSandboxBank(told) }),
  };
  return { sending, pages: createSandboxPages(told), trouble };
}

/** Webhooks are announced; a round by itself finds what a crash, or another replica, left over. */
const webhookRoundMs = 5_000;
