import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import { createOwnAddress } from '@tollgate/runtime/http/requests/own-address';
import type { Config } from '../config.ts';
import { createApplyWebhooks, createReceiveWebhook } from './apply-webhooks.ts';
import { createAttempts, type Attempts, createObserveAttempts } from './create-attempts.ts';
import { createFollowAccounts, createRefreshAccount, createRefreshCustomer } from './follow-accounts.ts';
import { createFollowOwnPayout } from './follow-own-payout.ts';
import { paymentMethodController } from './payment-method.controller.ts';
import type { ProcessorHooks } from './processor-hooks.ts';
import type { Processor } from './processor.ts';
import { fundsCentsOf, requireSetting } from './open-processor.ts';
import { createCheckProcessorSetup, refuseForeignMoney } from './check-processor-setup.ts';
import { createSandboxWebhookReader } from './sandbox/sandbox-webhook-reader.ts';
import { wireSandbox } from './sandbox/wire.ts';
import { createStripeWebhookReader } from './stripe/stripe-webhook-reader.ts';
import type { ReadNotice } from './webhook-ports.ts';
import { webhooksController } from './webhooks.controller.ts';
import { createPaymentMethods } from './payment-methods.ts';
import { createPayoutAccounts } from './payout-accounts.ts';

export type ProcessorSettings = Pick<
  Config,
  'PROCESSOR' | 'SANDBOX_WEBHOOK_SECRET' | 'SANDBOX_FUNDS_USD' | 'STRIPE_WEBHOOK_SECRET' | 'PUBLIC_URL'
>;

export interface ProcessorDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly settling: Database;
  readonly ofProcessor: Database;
  readonly processor: Processor;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly replyOnce: ReplyOnce;
  readonly hooks: ProcessorHooks;
  /** Called after webhooks were applied: they may have made work due. */
  readonly onApplied: () => void;
  readonly callMsMax?: number;
}

/** A stored webhook is announced. The round every 5 s finds webhooks that a crash or another replica left over. */
const webhookRound = { everyMs: 5_000, first: 'at once' } as const;

/** Wires attempts, the accounts and customers at the processor, and its webhooks. */
export function wireProcessor(settings: ProcessorSettings, deps: ProcessorDeps) {
  const { processor, settling, clock, log, metrics, hooks } = deps;
  const accounts = wireAccounts(settings, deps);
  const attempts = createAttempts({ ...deps, database: settling, ...hooks });
  const followOwnPayout = createFollowOwnPayout({ ...deps, database: settling });
  const refresh = { ...accounts.refresh, ...refreshMoney(attempts, hooks), own_payout: followOwnPayout };
  const webhooks = wireWebhooks(settings, { ...deps, refresh });
  const { receiveWebhook } = webhooks;
  const sandbox =
    settings.PROCESSOR === 'sandbox'
      ? wireSandbox({
          database: deps.ofProcessor,
          clock,
          log,
          secret: requireSetting(settings.SANDBOX_WEBHOOK_SECRET),
          fundsCents: fundsCentsOf(settings),
          deliver: receiveWebhook,
          everyMs: webhookRound.everyMs,
        })
      : undefined;
  const { useCases } = accounts;
  const ownAddressOf = createOwnAddress(settings.PUBLIC_URL);
  return {
    attempts,
    refresh,
    sandbox,
    ownAddressOf,
    useCases: { ...useCases, receiveWebhook, applyWebhooks: webhooks.applyWebhooks },
    dueSteps: [attempts.resolve, ...(metrics ? [createObserveAttempts({ database: settling, metrics })] : [])],
    controllers: [
      paymentMethodController({ ...useCases, replyOnce: deps.replyOnce, ownAddressOf }),
      webhooksController(receiveWebhook),
      ...(sandbox?.controllers ?? []),
    ],
    parts: [
      refuseForeignMoney({ database: settling, processor: processor.name }),
      webhooks.applying,
      createCheckProcessorSetup({ processor, log, metrics }),
      ...(sandbox?.parts ?? []),
    ],
  };
}

/** Wires the payout accounts of builders and the payment methods of consumers. */
function wireAccounts(
  { PROCESSOR }: ProcessorSettings,
  { api, worker, ofProcessor, processor, clock, log, hooks }: ProcessorDeps,
) {
  // Stripe may be slow, and a row stays locked until it answers. The worker's connections must stay free for
  // credentials.
  const database = PROCESSOR === 'stripe' ? ofProcessor : worker;
  const refreshAccount = createRefreshAccount({ database, processor, log });
  const refreshCustomer = createRefreshCustomer({ database, processor, ...hooks });
  return {
    refresh: createFollowAccounts({ processor, refreshAccount, refreshCustomer }),
    useCases: {
      ...createPayoutAccounts({ api, database, processor, refreshAccount, clock }),
      ...createPaymentMethods({ api, processor, refreshCustomer, clock }),
    },
  };
}

function refreshMoney(attempts: Attempts, { followDispute, followForeignRefund }: ProcessorHooks) {
  return {
    charge: async (objectId: string) => void (await attempts.refresh('charge', objectId)),
    async refund(objectId: string) {
      const foreign = await attempts.refresh('refund', objectId);
      if (foreign !== undefined) await followForeignRefund(foreign);
    },
    transfer: async (objectId: string) => void (await attempts.refresh('transfer', objectId)),
    dispute: followDispute,
  };
}

interface WebhooksDeps extends ProcessorDeps {
  readonly refresh: Parameters<typeof createApplyWebhooks>[0]['refresh'];
}

/** Wires the inbox of webhooks, which is the same for every processor, and the round that applies them. */
function wireWebhooks(settings: ProcessorSettings, { worker: database, refresh, onApplied, ...deps }: WebhooksDeps) {
  const { processor, clock, log } = deps;
  const applyWebhooks = createApplyWebhooks({ refresh, database, processor, clock, onApplied, log });
  const applying = every({ ...webhookRound, name: 'apply-webhooks', run: applyWebhooks, log });
  const readNotice = createReadNotice(settings, clock);
  const onStored = applying.announce;
  const receiveWebhook = createReceiveWebhook({ readNotice, database, processor, clock, onStored });
  return { applyWebhooks, applying, receiveWebhook };
}

function createReadNotice(settings: ProcessorSettings, clock: Clock): ReadNotice {
  return settings.PROCESSOR === 'sandbox'
    ? createSandboxWebhookReader({ secret: requireSetting(settings.SANDBOX_WEBHOOK_SECRET), clock })
    : createStripeWebhookReader({ secret: requireSetting(settings.STRIPE_WEBHOOK_SECRET), clock });
}
