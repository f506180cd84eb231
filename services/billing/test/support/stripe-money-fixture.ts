import { byOperator } from './by-operator.ts';
import { toIso } from '@tollgate/kernel/clock';
import { createDatabase, onlyRow } from '@tollgate/database/database';
import { startStripeDouble } from '@tollgate/testkit/stripe-double/start-stripe-double';
import { signStripeWebhook, type StripeEvent } from '@tollgate/testkit/stripe-double/stripe-webhooks';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createRunDueWork } from '../../src/operate/run-due-work.ts';
import { createSweepProcessor } from '../../src/operate/sweep-processor.ts';
import { frozenClock } from './frozen-clock.ts';
import { createInvoicingFixture, perCall } from './invoicing-fixture.ts';
import { stripeSecretKey } from './open-stripe.ts';
import { putWatermark } from './put-rollup.ts';
import { silentLog as log } from './silent-log.ts';
import { stripeWebhookSecret as secret, wireMoney } from './wire-money.ts';

const builderId = '0000000b-0000-4000-8000-000000000000';
const consumerId = '0000000c-0000-4000-8000-000000000000';
const returnUrl = 'https://anybody.example/back';

/** The platform's money at Stripe before anything moves: it pays Stripe's fees. */
const floatCents = 10_000;

export type StripeMoneyFixture = Awaited<ReturnType<typeof createStripeMoneyFixture>>;

/**
 * One builder, whose tool costs a cent a call, one consumer, and all that moves money between them, by way of Stripe's
 * double. No webhook arrives unless a test brings it.
 */
export async function createStripeMoneyFixture() {
  const invoicing = await createInvoicingFixture();
  const { owner, worker, database: under } = invoicing;
  const clock = frozenClock('2026-01-02T00:00:00Z');
  const double = await startStripeDouble({ secretKey: stripeSecretKey, nowMs: clock.now });
  double.banks.setBalance(floatCents);
  const following = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-following', log });
  const api = createDatabase({ url: under.urlFor('billing_api'), name: 'test-api', log });
  await invoicing.putTool({ slug: 'tool', ownerId: builderId, price: perCall('0.01') });

  /** As after a start: nothing is remembered but what the database has. */
  function newProcess() {
    const stripe = createStripeClient({ secretKey: stripeSecretKey, apiUrl: double.baseUrl, timeoutMs: 1_000 });
    const processor = createStripeProcessor({ stripe, clock, intervalMs: 0 });
    const money = wireMoney({ worker, ofProcessor: following, api: following, processor, clock });
    const { refresh } = money;
    const sweep = createSweepProcessor({ database: worker, processor, refresh, log, batchMax: 2 });
    const { closeDuePeriods } = invoicing;
    const runDueWork = createRunDueWork({ closeDuePeriods, steps: [...money.dueSteps, sweep], clock, runMs: Infinity });
    return { ...money, processor, runDue: async () => void (await runDueWork()) };
  }
  let current = newProcess();

  async function reach(time: string): Promise<void> {
    clock.set(Date.parse(time));
    await putWatermark(owner, time);
    await current.runDue();
  }

  async function read<Row extends object>(text: string): Promise<Row> {
    return onlyRow(await owner.query<Row>(text));
  }

  /** The consumer's card and the builder's account, as both have been entered and found good. */
  async function connect() {
    const { processor, refresh } = current;
    const { payoutAccounts, customers } = processor;
    const accountKey = { idempotencyKey: `payout-account:${builderId}`, reference: builderId };
    const { processorAccountId } = await payoutAccounts.create(accountKey);
    const customerKey = { idempotencyKey: `customer:${consumerId}`, reference: consumerId };
    const { processorCustomerId } = await customers.create(customerKey);
    const note = (table: string, idAtStripe: string, values: readonly string[]) =>
      owner.query(
        `insert into billing.${table} (account_id, processor, ${idAtStripe}, created_at) values ($1, 'stripe', $2, $3)`,
        [...values, toIso(clock.now())],
      );
    await note('connected_account', 'processor_account_id', [builderId, processorAccountId]);
    await note('processor_customer', 'processor_customer_id', [consumerId, processorCustomerId]);
    const onboard = async (answer: 'complete' | 'refuse') =>
      double.people.answerOnboarding((await payoutAccounts.createLink({ processorAccountId, returnUrl })).url, answer);
    const enterCard = async () => {
      const { url } = await customers.createSetupLink({ processorCustomerId, returnUrl });
      double.people.answerSetup(url, 'complete');
      return (await customers.readPaymentMethod(processorCustomerId))?.paymentMethodId ?? '';
    };
    const paymentMethodId = await enterCard();
    await onboard('complete');
    await refresh.account(processorAccountId);
    await refresh.customer(processorCustomerId);
    return { paymentMethodId, processorAccountId, processorCustomerId, onboard, enterCard };
  }

  function signed(event: StripeEvent) {
    const body = JSON.stringify(event, null, 2);
    const seconds = Math.floor(clock.now() / 1_000);
    return { rawBody: Buffer.from(body), signature: signStripeWebhook(body, { secret, seconds }) };
  }

  return {
    clock,
    double,
    owner,
    /** As an account reads over the API. */
    api,
    worker,
    processor: () => current.processor,
    reach,
    runDue: () => current.runDue(),
    restart: () => void (current = newProcess()),
    /** To go back to; all connections end. */
    backUp: under.backUp,
    connect,
    async useTool(period: string, calls: number) {
      await invoicing.addUsage({ consumerId, tool: 'tool', hour: `${period}-10T00:00:00.000Z`, calls });
    },
    setUpPaymentMethod: () => current.useCases.setUpPaymentMethod({ accountId: consumerId, returnUrl }),
    /** The consumer tops up its balance. */
    topUp: async (amountCents: bigint) =>
      (await current.useCases.orderTopUp({ accountId: consumerId, amountCents, idempotencyKey: 'one', by: byOperator }))
        .topUp,
    /** The consumer wants so much of its unused balance back. */
    refundBalance: async (amountCents: bigint) =>
      (
        await current.useCases.refundBalance({
          accountId: consumerId,
          amountCents,
          idempotencyKey: 'one',
          by: byOperator,
        })
      ).refund,
    /** Reads the balance of the consumer, in cents. */
    balance: async () => (await current.useCases.findBalance(consumerId)).balanceMicros / 10_000n,
    refresh: () => current.refresh,
    async refund(amountCents: bigint) {
      const { id: invoiceId } = await read<{ id: string }>('select invoice_id as id from billing.invoice');
      return (
        await current.useCases.refundInvoice({ invoiceId, amountCents, idempotencyKey: undefined, by: byOperator })
      ).refund;
    },
    /** Each as Stripe signs it, all at once; then they are applied. */
    async deliver(events: readonly StripeEvent[]) {
      await Promise.all(events.map((event) => current.useCases.receiveWebhook(signed(event))));
      await current.useCases.applyWebhooks();
    },
    /** How things stand, in words. */
    standing: () =>
      read<{ invoice: string; payout: string | null; refunds: string | null; attempts: string }>(
        `select (select string_agg(status, ' ' order by number) from billing.invoice) as invoice,
          (select string_agg(status, ' ' order by period) from billing.payout) as payout,
          (select string_agg(cause || ' ' || status, ', ' order by created_at) from billing.refund) as refunds,
          (select string_agg(kind || ' ' || status, ', ' order by started_at, kind) from billing.processor_attempt) as attempts`,
      ),
    /** The rows that differ with Stripe in a period. */
    async reconcile(period: string): Promise<readonly string[]> {
      const reconcile = createReconcile({ database: worker, processor: current.processor });
      const { steps } = await reconcile({ period, accountId: undefined });
      return steps
        .filter(({ name }) => ['ledger_processor', 'own_payouts', 'cash_balance'].includes(name))
        .flatMap(({ rows }) => rows);
    },
    /** Compares our cash with what Stripe holds for us, and runs the ledger check: all is well if nothing differs. */
    async differences() {
      const { micros } = await read<{ micros: string }>(
        `select coalesce(sum(balance_micros), 0)::text as micros from billing.ledger_account where kind = 'cash'`,
      );
      const atStripe = BigInt(double.state.balanceCents - floatCents) * 10_000n;
      const { differences } = await checkLedger(worker);
      return { cashMicros: BigInt(micros) - atStripe, ledger: differences };
    },
    async drop() {
      for (const database of [following, api]) await database.stop();
      await double.close();
      await invoicing.drop();
    },
  };
}
