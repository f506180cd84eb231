import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import type { TestDatabase } from '@tollgate/testkit/postgres';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createPgConnectedAccounts } from '../../../src/processor/pg-connected-accounts.ts';
import { createPgCustomers } from '../../../src/processor/pg-customers.ts';
import { createPgWebhookInbox } from '../../../src/processor/pg-webhook-inbox.ts';
import { createSandboxBank } from '../../../src/processor/sandbox/sandbox-bank.ts';
import { createSandboxFailures } from '../../../src/processor/sandbox/sandbox-failures.ts';
import { createSandboxPages } from '../../../src/processor/sandbox/sandbox-pages.ts';
import { createSandboxProcessor } from '../../../src/processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookReader } from '../../../src/processor/sandbox/sandbox-webhook-reader.ts';
import { createSandboxWebhookSender } from '../../../src/processor/sandbox/sandbox-webhook-sender.ts';
import { createApplyWebhooks } from '../../../src/processor/apply-webhooks.ts';
import { createCloseDuePeriods } from '../../../src/invoicing/close-due-periods.ts';
import { createConnectPayoutAccount } from '../../../src/processor/connect-payout-account.ts';
import { createSettlement } from '../../../src/operate/create-settlement.ts';
import { createDisconnectPayoutAccount } from '../../../src/processor/disconnect-payout-account.ts';
import type { CardSetup, PageAnswer } from '../../../src/processor/sandbox/hosted-pages.ts';
import type { SandboxBank } from '../../../src/operate/open-dispute.ts';
import { createReceiveWebhook } from '../../../src/processor/receive-webhook.ts';
import { createRemovePaymentMethod } from '../../../src/processor/remove-payment-method.ts';
import { createRunDueWork } from '../../../src/operate/run-due-work.ts';
import type { ScriptedFailures } from '../../../src/processor/sandbox/scripted-failures.ts';
import { createSetUpPaymentMethod } from '../../../src/processor/set-up-payment-method.ts';
import type { FeeScope } from '../../../src/fees/fee-scope.ts';
import { createInvoicingFixture, minimumMicros, type InvoicingFixture } from '../invoicing-fixture.ts';
import { putWatermark } from '../put-rollup.ts';
import { mortalDatabase, mortalProcessor, Mortal } from './crash.ts';

const payoutSettings = { delayMs: 7 * 86_400_000, minimumMicros: parseUsd('1.00') } as const;

/** Billing with the sandbox processor on a real database, in one process that can die, and a clock that is moved by hand. */
export interface MoneyWorld {
  readonly clock: MovableClock;
  /** Sees and may do everything, and never dies. */
  readonly owner: Database;
  readonly mortal: Mortal;
  readonly scope: FeeScope;
  readonly putTool: InvoicingFixture['putTool'];
  readonly addUsage: InvoicingFixture['addUsage'];
  readonly bank: SandboxBank;
  readonly failures: ScriptedFailures;
  readonly checkLedgerOn: Database;
  readonly useCases: {
    readonly refundInvoice: ReturnType<typeof createSettlement>['useCases']['refundInvoice'];
    readonly voidInvoice: ReturnType<typeof createSettlement>['useCases']['voidInvoice'];
    enterCard(consumerId: string, setup: CardSetup): Promise<void>;
    removeCard(consumerId: string): Promise<void>;
    onboard(builderId: string, answer: PageAnswer): Promise<void>;
    disconnect(builderId: string): Promise<void>;
  };
  /** As when a webhook tells of it. */
  followDispute(disputeObjectId: string): Promise<void>;
  /** Lets the watermark follow the clock, and does what is due. */
  runDueWork(): Promise<void>;
  /** Sends the processor's webhooks, some of them twice and in another order, and applies what came. */
  passWebhooks(random: SeededRandom): Promise<void>;
  drop(): Promise<void>;
}

interface MoneyWorldOptions {
  readonly startMs: number;
  readonly scope: FeeScope;
  /** One's own, dropped with the world; else the usual one. */
  readonly database?: TestDatabase;
}

const secret = 'the simulation signs its webhooks with this';
const returnUrl = 'http://localhost/back';
const watermarkTrailMs = 7_000;

export async function createMoneyWorld(options: MoneyWorldOptions): Promise<MoneyWorld> {
  const { scope } = options;
  const fixture = await createInvoicingFixture(options.database);
  const log = createLogger({ name: 'money-simulation', level: 'silent' });
  const clock = createMovableClock(options.startMs);
  clock.freeze(true);
  const open = (role: string, name: string) =>
    createDatabase({ url: fixture.database.urlFor(role), name, maxConnections: 2, log });
  const [workerItself, apiItself, sandbox] = [
    open('billing_worker', 'sim-worker'),
    open('billing_api', 'sim-api'),
    open('billing_worker', 'sim-sandbox'),
  ];
  const mortal = new Mortal();
  const [worker, api] = [mortalDatabase(workerItself, mortal), mortalDatabase(apiItself, mortal)];
  const processor = mortalProcessor(createSandboxProcessor({ database: sandbox, clock, delayMs: 0 }), mortal);

  const stores = { api, worker, processor: processor.name, clock };
  const accounts = createPgConnectedAccounts(stores);
  const customers = createPgCustomers(stores);
  const inbox = createPgWebhookInbox({ worker, processor: processor.name, clock });
  const settlement = createSettlement({ database: worker, clock, log, processor, scope, payouts: payoutSettings });
  const closeDuePeriods = createCloseDuePeriods({ database: worker, minimumMicros, batchConsumersMax: 3 });
  const runDueWork = createRunDueWork({ closeDuePeriods, steps: settlement.steps });
  const refresh = {
    account: (id: string) => accounts.refresh(id, () => processor.payoutAccounts.read(id)),
    customer: (id: string) => customers.refresh(id, () => processor.customers.readPaymentMethod(id)),
    ...settlement.refresh,
  };
  const applyWebhooks = createApplyWebhooks({ refresh, inbox, onApplied: () => undefined, log });
  const readNotice = createSandboxWebhookReader({ secret, clock });
  const receive = createReceiveWebhook({ readNotice, inbox, onStored: () => undefined });

  const nothing = () => undefined;
  const pages = createSandboxPages({ database: sandbox, clock, onEvent: nothing });
  const setUp = createSetUpPaymentMethod({ processor, customers });
  const connect = createConnectPayoutAccount({ processor, accounts });
  return {
    clock,
    owner: fixture.owner,
    mortal,
    scope,
    putTool: fixture.putTool,
    addUsage: fixture.addUsage,
    bank: createSandboxBank({ database: sandbox, clock, onEvent: nothing }),
    failures: createSandboxFailures({ database: sandbox, clock }),
    checkLedgerOn: workerItself,
    useCases: {
      refundInvoice: settlement.useCases.refundInvoice,
      voidInvoice: settlement.useCases.voidInvoice,
      async enterCard(accountId, setup) {
        await pages.answerCardSetup(tokenOf(await setUp({ accountId, returnUrl })), setup);
      },
      removeCard: createRemovePaymentMethod({ processor, customers }),
      async onboard(accountId, answer) {
        await pages.answerOnboarding(tokenOf(await connect({ accountId, returnUrl })), answer);
      },
      disconnect: createDisconnectPayoutAccount({ accounts }),
    },
    followDispute: settlement.refresh.dispute,
    async runDueWork() {
      await putWatermark(fixture.owner, toIso(clock.now() - watermarkTrailMs));
      await runDueWork(clock.now());
    },
    async passWebhooks(random) {
      const twice = async (webhook: Parameters<typeof receive>[0]) => {
        await receive(webhook);
        if (random.chance(0.2)) await receive(webhook);
      };
      await createSandboxWebhookSender({ database: sandbox, clock, secret, deliver: twice })();
      await applyWebhooks();
    },
    async drop() {
      for (const database of [workerItself, apiItself, sandbox]) await database.stop();
      await fixture.drop();
    },
  };
}

function tokenOf({ url }: { readonly url: string }): string {
  return new URL(url, 'http://localhost').searchParams.get('token') ?? '';
}
