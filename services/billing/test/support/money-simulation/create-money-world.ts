import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import type { TestDatabase } from '@tollgate/testkit/postgres';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createSandboxProcessor } from '../../../src/processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookSender } from '../../../src/processor/sandbox/sandbox-webhook-sender.ts';
import type { CardSetup, PageAnswer } from '../../../src/processor/sandbox/hosted-pages.ts';
import type { SandboxBank } from '../../../src/processor/sandbox/sandbox-bank.ts';
import { createRunDueWork } from '../../../src/operate/run-due-work.ts';
import type { ScriptedFailures } from '../../../src/processor/sandbox/scripted-failures.ts';
import type { VoidInvoice } from '../../../src/collection/void-invoice.ts';
import type { RefundInvoice } from '../../../src/refunds/refund-invoice.ts';
import type { SignedWebhook } from '../../../src/processor/webhook-ports.ts';
import type { FeeScope } from '../../../src/fees/fee-scope.ts';
import { createInvoicingFixture, type InvoicingFixture } from '../invoicing-fixture.ts';
import { putWatermark } from '../put-rollup.ts';
import { requireSandbox, sandboxWebhookSecret, wireMoney } from '../wire-money.ts';
import { mortalDatabase, mortalProcessor, Mortal } from './crash.ts';

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
    readonly refundInvoice: RefundInvoice;
    readonly voidInvoice: VoidInvoice;
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

  const limits = { batchConsumersMax: 3 };
  const money = wireMoney({ api, worker, ofProcessor: sandbox, processor, clock, scope, limits });
  const { useCases, closeDuePeriods, dueSteps: steps } = money;
  const runDueWork = createRunDueWork({ closeDuePeriods, steps });
  const { hostedPages, bank, failures } = requireSandbox(money);
  return {
    clock,
    owner: fixture.owner,
    mortal,
    scope,
    putTool: fixture.putTool,
    addUsage: fixture.addUsage,
    bank,
    failures,
    checkLedgerOn: workerItself,
    useCases: {
      refundInvoice: useCases.refundInvoice,
      voidInvoice: useCases.voidInvoice,
      async enterCard(accountId, setup) {
        await hostedPages.answerCardSetup(tokenOf(await useCases.setUpPaymentMethod({ accountId, returnUrl })), setup);
      },
      removeCard: useCases.removePaymentMethod,
      async onboard(accountId, answer) {
        await hostedPages.answerOnboarding(
          tokenOf(await useCases.connectPayoutAccount({ accountId, returnUrl })),
          answer,
        );
      },
      disconnect: useCases.disconnectPayoutAccount,
    },
    followDispute: money.refresh.dispute,
    async runDueWork() {
      await putWatermark(fixture.owner, toIso(clock.now() - watermarkTrailMs));
      await runDueWork(clock.now());
    },
    async passWebhooks(random) {
      const twice = async (webhook: SignedWebhook) => {
        await useCases.receiveWebhook(webhook);
        if (random.chance(0.2)) await useCases.receiveWebhook(webhook);
      };
      await createSandboxWebhookSender({ database: sandbox, clock, secret: sandboxWebhookSecret, deliver: twice })();
      await useCases.applyWebhooks();
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
