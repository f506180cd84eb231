import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { toIso } from '@tollgate/kernel/clock';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { sandboxCards } from '../../src/processor/sandbox/sandbox-cards.ts';
import type { CardName } from '../../src/processor/sandbox/hosted-pages.ts';
import type { Processor } from '../../src/processor/processor.ts';
import { putAutoTopUp } from '../../src/balance/sql-auto-top-up.ts';
import { createRunDueWork } from '../../src/operate/run-due-work.ts';
import type { FeeBearer, FeeScope } from '../../src/fees/fee.ts';
import { byOperator } from './by-operator.ts';
import { putWatermark } from './put-rollup.ts';
import { createSandboxMoney } from './sandbox-money.ts';
import { requireSandbox } from './wire-money.ts';
import { silentLog as log } from './silent-log.ts';

interface Granted {
  readonly key?: string;
  readonly expires?: string;
  /** Default: the year's beginning, before all calls of these tests. */
  readonly from?: string;
  readonly on?: Database;
}

interface Parts {
  readonly database?: Database;
  readonly processor?: Processor;
  readonly callMsMax?: number;
  readonly log?: Logger;
  readonly metrics?: Metrics;
  readonly collectMaxCents?: bigint;
  readonly feeBearer?: FeeBearer;
}

export type CollectionFixture = Awaited<ReturnType<typeof createCollectionFixture>>;

/** Consumers who are charged by the sandbox for what real closes have billed. */
export async function createCollectionFixture(scope: FeeScope = 'lifetime') {
  const limits = { batchMax: 3 };
  const base = await createSandboxMoney({ limits, scope });
  const { owner, worker, clock, processor, money, closeDuePeriods } = base;

  /** Does what is due now. With the parts of another database handle or processor, if they are given. */
  async function runDue({ database = worker, processor: by = processor, ...more }: Parts = {}): Promise<void> {
    const { log: heardBy = log, metrics, collectMaxCents = maxCents, feeBearer, ...limit } = more;
    const parts = { worker: database, processor: by, log: heardBy, feeBearer, limits: { ...limits, ...limit } };
    const { collectionSteps: steps } = base.build({
      ...parts,
      ...(metrics && { metrics }),
      ...(collectMaxCents !== undefined && { collectMaxCents }),
    });
    await createRunDueWork({ closeDuePeriods, steps, clock, runMs: Infinity })();
  }

  let maxCents: bigint | undefined;

  return {
    ...base,
    confirmInvoice: money.useCases.confirmInvoice,
    /** From now on, an invoice above this waits for the operator. */
    setCollectMax(cents: bigint) {
      maxCents = cents;
    },
    voidInvoice: money.useCases.voidInvoice,
    refundInvoice: money.useCases.refundInvoice,
    returnStrayMoney: money.useCases.returnStrayMoney,
    findBalance: money.useCases.findBalance,
    /** The operator puts so many cents on the balance of a consumer. */
    async grant(accountId: string, amountCents: bigint, { key, expires, from, on = worker }: Granted = {}) {
      await createAuthRows(owner).putAccount(accountId);
      const credit = { accountId, amountCents, reason: 'test', idempotencyKey: key, by: byOperator };
      const { grantCredit } = base.build({ worker: on, processor }).useCases;
      const effectiveFromMs = Date.parse(from ?? '2026-01-01T00:00:00Z');
      return grantCredit({
        ...credit,
        effectiveFromMs,
        expiresAtMs: expires === undefined ? null : Date.parse(expires),
      });
    },
    /** A consumer tops its balance up by so many cents. In words, as the answer says. */
    async topUp(accountId: string, amountCents: bigint, { key, on = worker }: Omit<Granted, 'expires' | 'from'> = {}) {
      const { orderTopUp } = base.build({ worker: on, processor }).useCases;
      const ordered = { accountId, amountCents, idempotencyKey: key, by: byOperator };
      const { topUp, isReplayed } = await orderTopUp(ordered);
      return [topUp.status, topUp.failureCode, isReplayed ? 'again' : undefined].filter(Boolean).join(' ');
    },
    /** A consumer wants its unused balance back, or so many cents of it. In words: what went back, and each part. */
    async refundBalance(
      accountId: string,
      amountCents?: bigint,
      { key, on = worker }: Omit<Granted, 'expires' | 'from'> = {},
    ) {
      const { refundBalance } = base.build({ worker: on, processor }).useCases;
      const { refund, isReplayed } = await refundBalance({
        accountId,
        amountCents,
        idempotencyKey: key,
        by: byOperator,
      });
      const parts = refund.parts.map(({ amountCents: cents, status, failureCode }) => {
        return [cents, status, failureCode].filter((word) => word !== null).join(' ');
      });
      return `${refund.amountCents}: ${parts.join(', ')}${isReplayed ? ' again' : ''}`;
    },
    /** From now on the balance is topped up by itself; amounts are cents. */
    async setAutoTopUp(accountId: string, below: number, { amount, max }: { amount: number; max: number }) {
      const set = { belowCents: BigInt(below), amountCents: BigInt(amount), monthlyMaxCents: BigInt(max) };
      await owner.transaction((tx) => putAutoTopUp(tx, { accountId, ...set, nowMs: clock.now() }));
    },
    /** One text an alert about automatic top-ups. */
    async balanceAlerts() {
      const text = `select concat_ws(' ', left(account_id::text, 1), type, failure_code, spent_cents, 'of', cap_cents) as line
        from billing.balance_alert order by raised_at, type`;
      return (await owner.query<{ line: string }>(text)).map(({ line }) => line);
    },
    /** The consumer's bank decides a dispute of its only top-up, and billing hears of it. */
    async disputeTopUp(accountId: string, amountCents: bigint, outcome: 'won' | 'lost') {
      const text = `select a.object_id from billing.top_up t join billing.processor_attempt a on a.subject_id = t.top_up_id
        where t.account_id = $1 order by t.created_at limit 1`;
      const { object_id: chargeObjectId } = onlyRow(await owner.query<{ object_id: string }>(text, [accountId]));
      const dispute = await requireSandbox(money).bank.dispute({ chargeObjectId, amountCents, outcome });
      if (dispute === undefined) throw new Error('the charge has less than that left');
      await money.refresh.dispute(dispute.objectId);
      return dispute.objectId;
    },
    runDue,
    /** Ages and collects invoices; no credit expires. */
    async collectOnly() {
      for (const step of money.collectSteps) await step(clock.now());
    },
    /** Three processes do what is due at once. */
    async runDueAtOnce() {
      const url = base.database.urlFor('billing_worker');
      const others = [1, 2, 3].map((each) => createDatabase({ url, name: `test-worker-${each}`, log }));
      await Promise.all(others.map((database) => runDue({ database })));
      await Promise.all(others.map((each) => each.stop()));
    },
    /** Puts a card on a consumer's file at the processor, of which billing then learns; null removes it. */
    async putCard(consumerId: string, card: CardName | null) {
      const keyed = { idempotencyKey: `customer:${consumerId}`, reference: consumerId };
      const { processorCustomerId } = await processor.customers.create(keyed);
      await owner.query(
        `insert into billing.processor_customer (account_id, processor, processor_customer_id, created_at)
         values ($1, $2, $3, $4) on conflict do nothing`,
        [consumerId, processor.name, processorCustomerId, toIso(clock.now())],
      );
      const { brand, last4 } = card === null ? { brand: null, last4: null } : sandboxCards[card];
      await owner.query(
        `update sandbox.customer set payment_method_id = case when $2::text is not null then gen_random_uuid()::text end,
           brand = $2, last4 = $3, exp_month = $4, exp_year = $5 where customer_id = $1`,
        [processorCustomerId, brand, last4, card && 12, card && 2030],
      );
      await money.refresh.customer(processorCustomerId);
    },
    /** Everything is counted through this time, and what is due then is done: closes, aging, collection. */
    async reach(time: string) {
      clock.set(Date.parse(time));
      await putWatermark(owner, time);
      await runDue();
    },
    ...createViews(owner),
  };
}

function createViews(owner: Database) {
  const textsOf = async (text: string): Promise<string[]> =>
    (await owner.query<{ line: string }>(text)).map(({ line }) => line);
  return {
    /** One text an invoice: period, status, cents, when it is next collected. In the order of numbers. */
    invoices: () =>
      textsOf(`select concat_ws(' ', left(consumer_id::text, 1), period, status, total_cents,
        'again at ' || to_char(collect_at at time zone 'UTC', 'MM-DD HH24:MI')) as line from billing.invoice order by number`),
    async invoiceId(consumerId: string, period: string) {
      const text = 'select invoice_id as id from billing.invoice where consumer_id = $1 and period = $2';
      return onlyRow(await owner.query<{ id: string }>(text, [consumerId, period])).id;
    },
    /** One text a released line, in the order in which they were released. */
    releases: () =>
      textsOf(`select concat_ws(' ', i.period, left(r.builder_id::text, 1), r.charge_micros, '=', r.earning_micros, '+',
          r.fee_micros) as line
        from billing.released_line r join billing.invoice i using (invoice_id) join billing.invoice by_invoice
          on by_invoice.invoice_id = r.released_by order by by_invoice.number, r.release_place`),
    /** One text an act of the operator. */
    acts: () =>
      textsOf(
        `select concat_ws(' ', action, operator_name, object_id) as line from audit.act where actor = 'operator' order by act_id`,
      ),
    /** One text a top-up. */
    topUps: () =>
      textsOf(`select concat_ws(' ', left(account_id::text, 1), status, amount_cents, failure_code) as line
        from billing.top_up order by created_at, amount_cents`),
    /** One text a charge of a top-up that the sandbox carried out. */
    topUpCharges: () =>
      textsOf(`select concat_ws(' ', m.status, m.amount_cents) as line from sandbox.movement m
        join billing.top_up t on t.top_up_id::text = m.subject_id order by m.amount_cents, m.created_at`),
    /** One text a part of a refund of a balance, by the amounts of its top-up and itself. */
    balanceRefunds: () =>
      textsOf(`select concat_ws(' ', left(p.account_id::text, 1), p.status, p.amount_cents, 'of', t.amount_cents, p.failure_code) as line
        from billing.balance_refund_part p join billing.top_up t using (top_up_id) order by p.created_at, t.created_at desc, t.amount_cents`),
    /** One text a refund that the sandbox carried out. */
    refundsAtSandbox: () =>
      textsOf(`select concat_ws(' ', status, amount_cents) as line from sandbox.movement where kind = 'refund'
        order by amount_cents, status`),
    /** One text a charge that was ordered. */
    charges: () =>
      textsOf(`select concat_ws(' ', i.period, a.number, a.status, a.amount_cents, a.failure_code) as line
        from billing.processor_attempt a join billing.invoice i on i.invoice_id = a.subject_id
        where a.kind = 'charge' order by i.number, a.number`),
    /** In dollars, those that are not 0; of the consumers and builders by the first digit of their ids. */
    async balances(): Promise<Record<string, string>> {
      const rows = await owner.query<{ name: string; balance: string }>(
        `select concat_ws(' ', kind, left(owner_id::text, 1)) as name, balance_micros::text as balance
         from billing.ledger_account where balance_micros <> 0 order by 1`,
      );
      return Object.fromEntries(rows.map(({ name, balance }) => [name, formatUsd(micros(BigInt(balance)))]));
    },
  };
}
