import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { parseUsd } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { createReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { wireBalance } from '../../src/balance/wire.ts';
import { createCollectAtOnce } from '../../src/collection/collect-invoices.ts';
import { wireCollection } from '../../src/collection/wire.ts';
import type { FeeBearer, FeeScope } from '../../src/fees/fee.ts';
import { wireInvoicing } from '../../src/invoicing/wire.ts';
import type { YoungBuilderSettings } from '../../src/payouts/plan-hold.ts';
import type { PayoutSettings } from '../../src/payouts/payout.ts';
import { wirePayouts } from '../../src/payouts/wire.ts';
import { createProcessorHooks } from '../../src/processor-hooks.ts';
import { collectCentsMax, type Processor } from '../../src/processor/processor.ts';
import { wireProcessor } from '../../src/processor/wire.ts';
import { wireRefunds } from '../../src/refunds/wire.ts';
import { minimumMicros } from './invoicing-fixture.ts';
import { silentLog } from './silent-log.ts';

export interface MoneyParts {
  readonly worker: Database;
  /** `worker`, if left out. */
  readonly api?: Database;
  /** `worker`, if left out. */
  readonly ofProcessor?: Database;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly scope?: FeeScope;
  readonly feeBearer?: FeeBearer | undefined;
  /** Silent, if left out. */
  readonly log?: Logger;
  readonly metrics?: Metrics;
  /** An invoice above this waits for the operator. */
  readonly collectMaxCents?: bigint;
  readonly young?: YoungBuilderSettings | undefined;
  readonly limits?: {
    readonly batchConsumersMax?: number;
    readonly batchUsageRowsMax?: number;
    readonly batchMax?: number;
    readonly batchBuildersMax?: number;
    readonly callMsMax?: number;
  };
}

export const payoutSettings: PayoutSettings = { delayMs: 7 * dayMs, minimumMicros: parseUsd('1.00') };
export const sandboxWebhookSecret = 'the sandbox signs webhooks with this in tests';
export const stripeWebhookSecret = 'whsec_of_these_tests';

export type Money = ReturnType<typeof wireMoney>;

/** All modules that move money, by their own wires. Nothing runs by itself. */
export function wireMoney({ worker, processor, clock, limits = {}, scope = 'lifetime', ...parts }: MoneyParts) {
  const { api = worker, ofProcessor = worker, log = silentLog, metrics, young, feeBearer } = parts;
  const { collectMaxCents = collectCentsMax } = parts;
  const databases = { api, worker, jobs: worker, settling: worker, ofProcessor };
  const replyOnce = createReplyOnce({ database: worker, idempotency: createIdempotency({ schema: 'billing', clock }) });
  const shared = {
    ...databases,
    ...limits,
    processor,
    clock,
    log,
    metrics,
    collectMaxCents,
    scope,
    feeBearer,
    minimumMicros,
    payouts: { ...payoutSettings, young },
  };
  const settings = {
    PROCESSOR: processor.name === 'stripe' ? 'stripe' : 'sandbox',
    SANDBOX_WEBHOOK_SECRET: sandboxWebhookSecret,
    SANDBOX_FUNDS_USD: '1000000',
    STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
    PUBLIC_URL: undefined,
  } as const;
  const hooks = createProcessorHooks(shared);
  const processing = wireProcessor(settings, { ...shared, replyOnce, hooks, onApplied: () => undefined });
  const { attempts } = processing;
  const invoicing = wireInvoicing(shared);
  const balance = wireBalance({
    api: databases.api,
    database: databases.settling,
    attempts,
    processorName: processor.name,
    collectAtOnce: createCollectAtOnce(shared),
    readUnbilled: invoicing.readUnbilled,
    readUnbilledCharges: invoicing.readUnbilledCharges,
    clock,
    log,
    ...limits,
  });
  const collection = wireCollection({
    database: databases.settling,
    worker,
    attempts,
    processorName: processor.name,
    terms: { scope, feeBearer: feeBearer ?? 'platform' },
    clock,
    log,
    metrics,
    atOnce: 2,
    maxCents: collectMaxCents,
    ...limits,
  });
  const refunds = wireRefunds({
    api: databases.api,
    database: databases.settling,
    processor,
    attempts,
    readUnbilled: invoicing.readUnbilled,
    printPdf: invoicing.printPdf,
    clock,
  });
  const payouts = wirePayouts(
    {
      api,
      worker,
      database: databases.settling,
      processor,
      attempts,
      scope,
      settings: shared.payouts,
      clock,
      log,
      metrics,
      ...limits,
    },
    { ...processing.useCases, ownAddressOf: processing.ownAddressOf, replyOnce },
  );
  return {
    ...processing,
    closeDuePeriods: invoicing.closeDuePeriods,
    useCases: { ...processing.useCases, ...balance.useCases, ...collection.useCases, ...refunds.useCases },
    /** Without what else becomes due then. */
    collectSteps: collection.dueSteps,
    collectionSteps: [...balance.dueSteps, ...collection.dueSteps, ...processing.dueSteps],
    payoutSteps: [...processing.dueSteps, ...payouts.dueSteps],
    dueSteps: [...balance.dueSteps, ...collection.dueSteps, ...processing.dueSteps, ...payouts.dueSteps],
  };
}

/** Where the processor is the sandbox. */
export function requireSandbox({ sandbox }: Money): NonNullable<Money['sandbox']> {
  if (sandbox === undefined) throw new Error('this processor is not the sandbox');
  return sandbox;
}
