import { randomUUID } from 'node:crypto';
import { dayMs } from '@tollgate/kernel/durations';
import { toIso, createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, onlyRow, type Database, type Transaction } from '@tollgate/database/database';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { applyRefund } from '../../src/refunds/apply-refund.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { Attempts } from '../../src/processor/create-attempts.ts';
import { payInvoice } from '../../src/collection/pay-invoice.ts';
import type { Processor } from '../../src/processor/processor.ts';
import { startAttempt } from '../../src/processor/attempt.ts';
import type { FeeScope } from '../../src/fees/fee-scope.ts';
import { insertAttempt, settleAttempt } from '../../src/processor/sql-attempts.ts';
import { lockInvoice, type LockedInvoice } from '../../src/invoicing/sql-invoices.ts';
import { insertRefund } from '../../src/refunds/sql-refunds.ts';
import type { ScriptedFailures } from '../../src/processor/sandbox/scripted-failures.ts';
import { closedTables, forgetMoney } from './forget-money.ts';
import { payoutSettings, requireSandbox, wireMoney } from './wire-money.ts';
import { createInvoicingFixture, perCall, type InvoicingFixture } from './invoicing-fixture.ts';

export interface PayoutsFixture extends InvoicingFixture {
  /** Stands still; begins with the year 2026. */
  readonly clock: MovableClock;
  readonly processor: Processor;
  readonly attempts: Attempts;
  readonly failures: ScriptedFailures;
  /** A builder with a tool `tool-<letter>` at 0.01 USD a call, and an account that takes payouts. */
  addBuilder(letter: string, options?: { readonly isConnected: boolean }): Promise<string>;
  /** Usage of a whole month, closed, and paid by its consumer unless told otherwise. */
  earn(earning: Earning): Promise<void>;
  pay(consumerId: string, period: string): Promise<void>;
  /** Of an invoice that was paid, at once. */
  refund(refund: { readonly consumerId: string; readonly period: string; readonly cents: bigint }): Promise<void>;
  /** What the processor says of an account, or its owner. */
  setAccount(builderId: string, status: AccountStatus): Promise<void>;
  /** Moves the clock to the payout day of a period, and does what is due. */
  reachPayoutDay(period: string): Promise<void>;
  /** Does what is due now, until nothing is. On another database handle, if one is given. */
  runDue(database?: Database): Promise<void>;
  payouts(): Promise<PayoutRow[]>;
  /** Transfers at the processor that succeeded. */
  transfers(): Promise<TransferRow[]>;
  balance(kind: string, ownerId?: string): Promise<string>;
  /** As before the first close; what was counted stays counted. */
  forgetMoney(): Promise<void>;
  /** Throws unless `ledger check` finds nothing. */
  proveLedger(): Promise<void>;
}

export interface Earning {
  readonly period: string;
  readonly letter: string;
  readonly consumerId: string;
  readonly calls: number;
  readonly isPaid?: boolean;
}

export interface AccountStatus {
  readonly enabled: boolean;
  readonly disconnected?: boolean;
}

export interface PayoutRow {
  readonly period: string;
  readonly status: string;
  readonly net_cents: string;
  readonly fee_cents: string;
  readonly schedules: number;
  readonly failures: number;
}

export interface TransferRow {
  readonly subject_id: string;
  readonly amount_cents: bigint;
}

/** Builders who earn by real closes and payments, and are paid out by the sandbox, without HTTP. */
export async function createPayoutsFixture({ scope = 'lifetime' }: { scope?: FeeScope } = {}): Promise<PayoutsFixture> {
  const invoicing = await createInvoicingFixture();
  const { owner, worker, database: under } = invoicing;
  const log = createLogger({ name: 'payouts-test', level: 'silent' });
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'));
  clock.freeze(true);
  const ofSandbox = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-sandbox', log });
  const processor = createSandboxProcessor({ database: ofSandbox, clock, delayMs: 0 });
  const { name } = processor;

  function build(database: Database) {
    const limits = { batchBuildersMax: 2 };
    return wireMoney({ worker: database, ofProcessor: ofSandbox, processor, clock, scope, limits });
  }
  const money = build(worker);

  async function runDue(database = worker): Promise<void> {
    const { payoutSteps: steps } = build(database);
    for (let done = 1; done > 0;) {
      done = 0;
      for (const step of steps) done += await step(clock.now());
    }
  }

  const lockInvoiceOf = async (tx: Transaction, consumerId: string, period: string): Promise<LockedInvoice> => {
    const text = 'select invoice_id as id from billing.invoice where consumer_id = $1 and period = $2';
    const { id } = onlyRow(await tx.query<{ id: string }>(text, [consumerId, period]));
    const invoice = await lockInvoice(tx, id);
    if (invoice === undefined) throw new Error(`there is no invoice of ${period}`);
    return invoice;
  };

  const pay = (consumerId: string, period: string) =>
    worker.transaction(async (tx) => {
      const invoice = await lockInvoiceOf(tx, consumerId, period);
      const order = { kind: 'charge', subjectId: invoice.id, number: 1, amountCents: invoice.totalCents } as const;
      const charge = startAttempt({ ...order, partyId: 'their customer', paymentMethodId: 'their card' }, clock.now());
      await insertAttempt(tx, charge, { processor: name, lookAtMs: clock.now() });
      const outcome = { status: 'succeeded', objectId: `charge of ${invoice.id}`, failureCode: undefined } as const;
      await settleAttempt(tx, charge.id, { ...outcome, feeCents: 0n, settledAtMs: clock.now() });
      await payInvoice(tx, invoice, { scope, paidAtMs: clock.now() });
    });

  const refund: PayoutsFixture['refund'] = ({ consumerId, period, cents: amountCents }) =>
    worker.transaction(async (tx) => {
      const { id: invoiceId } = await lockInvoiceOf(tx, consumerId, period);
      const given = { id: randomUUID(), invoiceId, amountCents };
      const done = {
        status: 'succeeded',
        failureCode: null,
        createdAtMs: clock.now(),
        succeededAtMs: clock.now(),
      } as const;
      await insertRefund(tx, { ...given, cause: 'dispute', ...done });
      await applyRefund(tx, { ...given, appliedAtMs: clock.now() });
    });

  function advanceTo(ms: number): void {
    if (clock.now() < ms) clock.set(ms);
  }

  async function proveLedger(): Promise<void> {
    const { differences } = await checkLedger(worker);
    if (differences.length > 0) throw new Error(JSON.stringify(differences, undefined, 1));
  }

  return {
    ...invoicing,
    clock,
    processor,
    attempts: money.attempts,
    failures: requireSandbox(money).failures,
    async addBuilder(letter, { isConnected } = { isConnected: true }) {
      const builderId = `0000000${letter}-0000-4000-8000-000000000000`;
      await invoicing.putTool({ slug: `tool-${letter}`, ownerId: builderId, price: perCall('0.01') });
      if (!isConnected) return builderId;
      const keyed = { idempotencyKey: `account:${builderId}`, reference: builderId };
      const { processorAccountId } = await processor.payoutAccounts.create(keyed);
      await owner.query(
        `insert into billing.connected_account values ($1, $2, $3, true, true, null, '2026-01-01T00:00:00Z')`,
        [builderId, name, processorAccountId],
      );
      await owner.query('update sandbox.account set details_submitted = true, payouts_enabled = true');
      return builderId;
    },
    async earn({ period, letter, consumerId, calls, isPaid = true }) {
      const hour = toIso(periodBounds(period).start);
      await invoicing.addUsage({ consumerId, tool: `tool-${letter}`, hour, calls });
      await invoicing.close(period);
      advanceTo(periodBounds(period).end + dayMs + 1_000);
      if (isPaid) await pay(consumerId, period);
    },
    pay,
    refund,
    async setAccount(builderId, { enabled, disconnected = false }) {
      const at = disconnected ? toIso(clock.now()) : null;
      const text =
        'update billing.connected_account set payouts_enabled = $2, disconnected_at = $3 where account_id = $1';
      await owner.query(text, [builderId, enabled, at]);
      await owner.query('update sandbox.account set payouts_enabled = $2 where reference = $1', [builderId, enabled]);
    },
    async reachPayoutDay(period) {
      advanceTo(periodBounds(period).end + payoutSettings.delayMs);
      await runDue();
    },
    runDue,
    payouts: () =>
      owner.query<PayoutRow>(
        'select period, status, net_cents, fee_cents, schedules, failures from billing.payout order by builder_id, period',
      ),
    transfers: () =>
      owner.query<TransferRow>(
        `select subject_id, amount_cents from sandbox.movement where kind = 'transfer' and status = 'succeeded'
         and (reverses_at is null or reverses_at > $1) order by created_at, object_id`,
        [toIso(clock.now())],
      ),
    async balance(kind, ownerId) {
      const text = `select coalesce(sum(balance_micros), 0)::text as balance from billing.ledger_account
        where kind = $1 and owner_id is not distinct from $2`;
      return onlyRow(await owner.query<{ balance: string }>(text, [kind, ownerId ?? null])).balance;
    },
    async forgetMoney() {
      const later = ['processor_attempt', 'released_line', 'refund', 'refunded_line', 'payout', 'payout_day'];
      await forgetMoney(owner, [...closedTables, ...later]);
    },
    proveLedger,
    async drop() {
      await proveLedger(); // whatever the test did

      await ofSandbox.stop();
      await invoicing.drop();
    },
  };
}
