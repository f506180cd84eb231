import { toIso } from '@tollgate/kernel/clock';
import { createDatabase } from '@tollgate/database/database';
import type { TestDatabase } from '@tollgate/testkit/postgres';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { createSandboxProcessor } from '../../../src/processor/sandbox/sandbox-processor.ts';
import { createSandboxWebhookSender } from '../../../src/processor/sandbox/sandbox-webhook-sender.ts';
import type { CardSetup, PageAnswer } from '../../../src/processor/sandbox/hosted-pages.ts';
import { createRunDueWork } from '../../../src/operate/run-due-work.ts';
import type { SignedWebhook } from '../../../src/processor/webhook-ports.ts';
import type { FeeBearer, FeeScope } from '../../../src/fees/fee.ts';
import { frozenClock } from '../frozen-clock.ts';
import { createInvoicingFixture } from '../invoicing-fixture.ts';
import { putWatermark } from '../put-rollup.ts';
import { silentLog as log } from '../silent-log.ts';
import { requireSandbox, sandboxWebhookSecret, wireMoney } from '../wire-money.ts';
import { mortalDatabase, mortalProcessor, Mortal } from './crash.ts';

interface MoneyWorldOptions {
  readonly startMs: number;
  readonly scope: FeeScope;
  readonly feeBearer?: FeeBearer;
  /** One's own, dropped with the world; else the usual one. */
  readonly database?: TestDatabase;
}

const returnUrl = 'http://localhost/back';
const watermarkTrailMs = 7_000;

export type MoneyWorld = Awaited<ReturnType<typeof createMoneyWorld>>;

/** Billing with the sandbox processor on a real database, in one process that can die, and a clock that is moved by hand. */
export async function createMoneyWorld({ startMs, scope, feeBearer, database }: MoneyWorldOptions) {
  const fixture = await createInvoicingFixture(database);
  const clock = frozenClock(toIso(startMs));
  const open = (role: string, name: string) =>
    createDatabase({
      url: fixture.database.urlFor(role),
      name,
      maxConnections: 2,
      ...(role === 'billing_worker' && { isPipelined: true }),
      log,
    });
  const [workerItself, apiItself, sandbox] = [
    open('billing_worker', 'sim-worker'),
    open('billing_api', 'sim-api'),
    open('billing_worker', 'sim-sandbox'),
  ];
  const mortal = new Mortal();
  const [worker, api] = [mortalDatabase(workerItself, mortal), mortalDatabase(apiItself, mortal)];
  const processor = mortalProcessor(createSandboxProcessor({ database: sandbox, clock, delayMs: 0 }), mortal);

  const limits = { batchConsumersMax: 3, batchUsageRowsMax: 4 }; // so that some invoices are made in parts
  const money = wireMoney({ api, worker, ofProcessor: sandbox, processor, clock, scope, feeBearer, limits });
  const { useCases, closeDuePeriods, dueSteps: steps } = money;
  const runDueWork = createRunDueWork({ closeDuePeriods, steps, clock, runMs: Infinity });
  const { hostedPages, bank, failures } = requireSandbox(money);
  return {
    clock,
    /** Sees and may do everything, and never dies. */
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
      grantCredit: useCases.grantCredit,
      orderTopUp: useCases.orderTopUp,
      refundBalance: useCases.refundBalance,
      findBalance: useCases.findBalance,
      async enterCard(accountId: string, setup: CardSetup) {
        await hostedPages.answerCardSetup(tokenOf(await useCases.setUpPaymentMethod({ accountId, returnUrl })), setup);
      },
      removeCard: useCases.removePaymentMethod,
      async onboard(accountId: string, answer: PageAnswer) {
        const link = await useCases.connectPayoutAccount({ accountId, returnUrl });
        await hostedPages.answerOnboarding(tokenOf(link), answer);
      },
      disconnect: useCases.disconnectPayoutAccount,
    },
    /** As when a webhook tells of it. */
    followDispute: money.refresh.dispute,
    /** Lets the watermark follow the clock, and does what is due. */
    async runDueWork() {
      await putWatermark(fixture.owner, toIso(clock.now() - watermarkTrailMs));
      await runDueWork();
    },
    /** Sends the processor's webhooks, some of them twice and in another order, and applies what came. */
    async passWebhooks(random: SeededRandom) {
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
