import { randomUUID } from 'node:crypto';
import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import { applyRefund } from '../../src/refunds/apply-refund.ts';
import { payInvoice } from '../../src/collection/pay-invoice.ts';
import { startAttempt } from '../../src/processor/attempt.ts';
import { insertAttempt, settleAttempt } from '../../src/processor/sql-attempts.ts';
import { lockInvoice, type LockedInvoice } from '../../src/invoicing/sql-invoices.ts';
import { addDispute, closeDispute } from '../../src/refunds/sql-disputes.ts';
import type { YoungBuilderSettings } from '../../src/payouts/plan-hold.ts';
import { insertRefund } from '../../src/refunds/sql-refunds.ts';
import { closedTables, forgetMoney } from './forget-money.ts';
import { perCall } from './invoicing-fixture.ts';
import { createSandboxMoney } from './sandbox-money.ts';
import { payoutSettings } from './wire-money.ts';

export interface Earning {
  readonly period: string;
  readonly letter: string;
  readonly consumerId: string;
  readonly calls: number;
  readonly isPaid?: boolean;
}

export interface Refund {
  readonly consumerId: string;
  readonly period: string;
  readonly cents: bigint;
}

export interface PayoutRow {
  readonly period: string;
  readonly status: string;
  readonly net_cents: string;
  readonly fee_cents: string;
  readonly schedules: number;
  readonly failures: number;
}

export type PayoutsFixture = Awaited<ReturnType<typeof createPayoutsFixture>>;

/** Builders who earn by real closes and payments, and are paid out by the sandbox. */
export async function createPayoutsFixture() {
  const base = await createSandboxMoney({ limits: { batchBuildersMax: 2 } });
  const { owner, worker, clock, processor } = base;

  let young: YoungBuilderSettings | undefined;

  /** Does what is due now, until nothing is. On another database handle, if one is given. */
  async function runDue(database = worker): Promise<void> {
    const { payoutSteps: steps } = base.build({ worker: database, young });
    for (let done = 1; done > 0;) {
      done = 0;
      for (const step of steps) done += await step(clock.now());
    }
  }

  const pay = (consumerId: string, period: string) =>
    worker.transaction(async (tx) => {
      const invoice = await lockInvoiceOf(tx, consumerId, period);
      const order = { kind: 'charge', subjectId: invoice.id, number: 1, amountCents: invoice.totalCents } as const;
      const charge = startAttempt({ ...order, partyId: 'their customer', paymentMethodId: 'their card' }, clock.now());
      await insertAttempt(tx, charge, { processor: processor.name, lookAtMs: clock.now() });
      const outcome = { status: 'succeeded', objectId: `charge of ${invoice.id}`, failureCode: undefined } as const;
      await settleAttempt(tx, charge.id, { ...outcome, feeCents: 0n, settledAtMs: clock.now() });
      const terms = { scope: 'lifetime', feeBearer: 'platform' } as const;
      await payInvoice(tx, invoice, { ...terms, paidAtMs: clock.now(), chargedCents: invoice.totalCents });
    });

  async function addLostDispute(
    tx: Transaction,
    { id: refundId, invoiceId, amountCents }: { id: string; invoiceId: string; amountCents: bigint },
  ) {
    const money = { amountCents, takenCents: amountCents, feeCents: 0n, createdAtMs: clock.now() };
    const dispute = { objectId: `dispute of ${refundId}`, chargeObjectId: '', status: 'lost', ...money } as const;
    const id = randomUUID();
    await addDispute(tx, { id, processor: processor.name, subject: { kind: 'invoice', id: invoiceId } }, dispute);
    await closeDispute(tx, id, { status: 'lost', refundId, closedAtMs: clock.now() });
  }

  /** Refunds a paid invoice at once, by a lost dispute. */
  async function refundIn(tx: Transaction, { consumerId, period, cents: amountCents }: Refund): Promise<void> {
    const { id: invoiceId } = await lockInvoiceOf(tx, consumerId, period);
    const refund = { id: randomUUID(), invoiceId, amountCents };
    await addLostDispute(tx, refund);
    const at = { createdAtMs: clock.now(), succeededAtMs: clock.now() };
    await insertRefund(tx, { ...refund, cause: 'dispute', status: 'succeeded', failureCode: null, ...at });
    await applyRefund(tx, { ...refund, appliedAtMs: clock.now() });
  }

  /** An account that takes payouts. */
  async function connect(builderId: string): Promise<void> {
    const keyed = { idempotencyKey: `account:${builderId}`, reference: builderId };
    const { processorAccountId } = await processor.payoutAccounts.create(keyed);
    await owner.query(
      `insert into billing.connected_account values ($1, $2, $3, true, true, null, '2026-01-01T00:00:00Z')`,
      [builderId, processor.name, processorAccountId],
    );
    await owner.query('update sandbox.account set details_submitted = true, payouts_enabled = true');
  }

  function advanceTo(ms: number): void {
    if (clock.now() < ms) clock.set(ms);
  }

  return {
    ...base,
    /** A builder with a tool `tool-<letter>` at 0.01 USD a call, and an account that takes payouts. */
    async addBuilder(letter: string, { isConnected } = { isConnected: true }) {
      const builderId = `0000000${letter}-0000-4000-8000-000000000000`;
      await base.putTool({ slug: `tool-${letter}`, ownerId: builderId, price: perCall('0.01') });
      if (isConnected) await connect(builderId);
      return builderId;
    },
    connect,
    /** From now on, this is held back from young builders. */
    setYoung(settings: YoungBuilderSettings) {
      young = settings;
    },
    /** Usage of a whole month, closed, and paid by its consumer unless told otherwise. */
    async earn({ period, letter, consumerId, calls, isPaid = true }: Earning) {
      const hour = toIso(periodBounds(period).start);
      await base.addUsage({ consumerId, tool: `tool-${letter}`, hour, calls });
      await base.close(period);
      advanceTo(periodBounds(period).end + dayMs + 1_000);
      if (isPaid) await pay(consumerId, period);
    },
    pay,
    refundIn,
    refund: (refund: Refund) => worker.transaction((tx) => refundIn(tx, refund)),
    /** Sets what the processor says of an account, or what its owner does. */
    async setAccount(
      builderId: string,
      { enabled, disconnected = false }: { enabled: boolean; disconnected?: boolean },
    ) {
      const text = `update billing.connected_account set payouts_enabled = $2, disconnected_at = $3 where account_id = $1`;
      await owner.query(text, [builderId, enabled, disconnected ? toIso(clock.now()) : null]);
      await owner.query('update sandbox.account set payouts_enabled = $2 where reference = $1', [builderId, enabled]);
    },
    /** Moves the clock to the payout day of a period, and does what is due. */
    async reachPayoutDay(period: string) {
      advanceTo(periodBounds(period).end + payoutSettings.delayMs);
      await runDue();
    },
    runDue,
    payouts: () =>
      owner.query<PayoutRow>(
        'select period, status, net_cents, fee_cents, schedules, failures from billing.payout order by builder_id, period',
      ),
    /** Transfers at the processor that succeeded. */
    transfers: () =>
      owner.query<{ amount_cents: bigint }>(
        `select amount_cents from sandbox.movement where kind = 'transfer' and status = 'succeeded'
         and (reverses_at is null or reverses_at > $1) order by created_at, object_id`,
        [toIso(clock.now())],
      ),
    async balance(kind: string, ownerId?: string) {
      const text = `select coalesce(sum(balance_micros), 0)::text as balance from billing.ledger_account
        where kind = $1 and owner_id is not distinct from $2`;
      return onlyRow(await owner.query<{ balance: string }>(text, [kind, ownerId ?? null])).balance;
    },
    /** As before the first close; what was counted stays counted. */
    async forgetMoney() {
      const later = [
        'processor_attempt',
        'released_line',
        'refund',
        'refunded_line',
        'credit_note',
        'payout',
        'payout_day',
      ];
      await forgetMoney(base.database, [...closedTables, ...later]);
    },
    async drop() {
      await base.proveLedger(); // whatever the test did
      await base.drop();
    },
  };
}

async function lockInvoiceOf(tx: Transaction, consumerId: string, period: string): Promise<LockedInvoice> {
  const text = 'select invoice_id as id from billing.invoice where consumer_id = $1 and period = $2';
  const { id } = onlyRow(await tx.query<{ id: string }>(text, [consumerId, period]));
  const invoice = await lockInvoice(tx, id);
  if (invoice === undefined) throw new Error(`there is no invoice of ${period}`);
  return invoice;
}
