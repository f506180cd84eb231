import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { createMovableClock, type Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { parseUsd } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createCollectInvoices } from '../../services/billing/src/collection/collect-invoices.ts';
import { createSchedulePayouts, type PayoutSettings } from '../../services/billing/src/payouts/schedule-payouts.ts';
import { createTransferPayouts } from '../../services/billing/src/payouts/transfer-payouts.ts';
import { createProcessorHooks } from '../../services/billing/src/processor-hooks.ts';
import { createAttempts } from '../../services/billing/src/processor/create-attempts.ts';
import { collectCentsMax, type Processor } from '../../services/billing/src/processor/processor.ts';
import { createSandboxProcessor } from '../../services/billing/src/processor/sandbox/sandbox-processor.ts';
import { builderOf, builders } from './put-usage.ts';

const log = createLogger({ name: 'bench', level: 'warn' });
const scope = 'lifetime';
const settings: PayoutSettings = { delayMs: 7 * dayMs, minimumMicros: parseUsd('1.00') };

const customersText = `
insert into sandbox.customer
select 'customer-' || c, 'customer:' || c, md5('consumer' || c), 'card-' || c, 'visa', '4242', 12, 2030, '2026-01-01Z'
from generate_series(1, $1) c`;

const cardsText = `
insert into billing.processor_customer
select reference::uuid, $1, customer_id, payment_method_id, brand, last4, exp_month, exp_year, created_at
from sandbox.customer`;

const connectText = `
insert into billing.connected_account values ($1, $2, $3, true, true, null, '2026-01-01Z')`;

const enableText = 'update sandbox.account set details_submitted = true, payouts_enabled = true';

const paidText = `select count(*) as payouts from billing.payout where status = 'paid'`;

export interface PaymentsOptions {
  readonly owner: Database;
  readonly worker: Database;
  readonly workerUrl: string;
  readonly consumers: number;
}

/** The sandbox, where each consumer has a card, and each builder an account. */
export interface Payments {
  /** Collects the invoices of a closed month, the first is 1, and pays the builders out on its payout day. */
  settle(month: number): Promise<void>;
  stop(): Promise<void>;
}

export async function openPayments({ owner, worker, workerUrl, consumers }: PaymentsOptions): Promise<Payments> {
  const clock = createMovableClock(Date.UTC(2026, 0, 1));
  clock.freeze(true);
  const ofProcessor = createDatabase({ url: workerUrl, name: 'bench-sandbox', log });
  const processor = createSandboxProcessor({ database: ofProcessor, clock, delayMs: 0 });
  const dueSteps = createDueSteps(worker, processor, clock);

  await owner.query(customersText, [consumers]);
  await owner.query(cardsText, [processor.name]);
  for (let at = 0; at < builders; at += 1) {
    const reference = builderOf(at);
    const account = await processor.payoutAccounts.create({ idempotencyKey: `account:${reference}`, reference });
    await owner.query(connectText, [reference, processor.name, account.processorAccountId]);
  }
  await owner.query(enableText);

  /** Does what is due by now, until nothing is. */
  async function runDue(): Promise<void> {
    for (let done = 1; done > 0;) {
      done = 0;
      for (const step of dueSteps) done += await step(clock.now());
    }
  }

  return {
    async settle(month) {
      const endMs = Date.UTC(2026, month, 1);
      for (const nowMs of [Date.UTC(2026, month, 2, 2), endMs + settings.delayMs]) {
        clock.set(nowMs);
        await runDue();
      }
      const { payouts } = onlyRow(await owner.query<{ payouts: bigint }>(paidText));
      if (payouts !== BigInt(month * builders)) throw new Error(`${payouts} payouts were paid after ${month} months`);
    },
    stop: ofProcessor.stop,
  };
}

/** The steps of billing that move money, in its order. */
function createDueSteps(database: Database, processor: Processor, clock: Clock) {
  const hooks = createProcessorHooks({ settling: database, processor, clock, log, scope });
  const attempts = createAttempts({ database, processor, clock, log, ...hooks });
  const { minimumMicros } = settings;
  const common = { database, attempts, log, scope } as const;
  return [
    createCollectInvoices({
      ...common,
      processorName: processor.name,
      terms: { scope, feeBearer: 'platform' },
      maxCents: collectCentsMax,
    }),
    createSchedulePayouts({ ...common, processor: processor.name, settings }),
    createTransferPayouts({ ...common, processor: processor.name, minimumMicros }),
  ];
}
