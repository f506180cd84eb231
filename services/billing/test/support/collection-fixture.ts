import { createMovableClock, toIso, type MovableClock } from '@tollgate/kernel/clock';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { sandboxCards } from '../../src/processor/sandbox/sandbox-cards.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { Attempts } from '../../src/processor/create-attempts.ts';
import type { CardName } from '../../src/processor/sandbox/hosted-pages.ts';
import type { Processor } from '../../src/processor/processor.ts';
import { createRunDueWork } from '../../src/operate/run-due-work.ts';
import type { ScriptedFailures } from '../../src/processor/sandbox/scripted-failures.ts';
import type { VoidInvoice } from '../../src/collection/void-invoice.ts';
import type { FeeScope } from '../../src/fees/fee-scope.ts';
import { createInvoicingFixture, type InvoicingFixture } from './invoicing-fixture.ts';
import { putWatermark } from './put-rollup.ts';
import { requireSandbox, wireMoney } from './wire-money.ts';

export interface CollectionFixture extends InvoicingFixture {
  /** Stands still; begins with the year 2026. */
  readonly clock: MovableClock;
  /** The sandbox. */
  readonly processor: Processor;
  readonly failures: ScriptedFailures;
  readonly attempts: Attempts;
  readonly voidInvoice: VoidInvoice;
  /** What a consumer has on file, at the processor and as billing then learns of it; null: nothing any more. */
  putCard(consumerId: string, card: CardName | null): Promise<void>;
  /** Everything is counted through this time, and what is due then is done: closes, aging, collection. */
  reach(time: string): Promise<void>;
  /** Does what is due now. With the parts of another database handle or processor, if they are given. */
  runDue(parts?: Partial<Parts>): Promise<void>;
  /** One text an invoice: period, status, cents, when it is next collected. In the order of numbers. */
  invoices(): Promise<string[]>;
  invoiceId(consumerId: string, period: string): Promise<string>;
  /** One text a released line, in the order in which they were released. */
  releases(): Promise<string[]>;
  /** One text a charge that was ordered. */
  charges(): Promise<string[]>;
  /** In dollars, those that are not 0; of the consumers and builders by the first digit of their ids. */
  balances(): Promise<Record<string, string>>;
  /** Throws unless `ledger check` finds nothing. */
  proveLedger(): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly processor: Processor;
  readonly callMsMax: number;
}

/** Consumers who are charged by the sandbox for what real closes have billed, without HTTP. */
export async function createCollectionFixture({ scope = 'lifetime' }: { scope?: FeeScope } = {}) {
  const invoicing = await createInvoicingFixture();
  const { owner, worker, database: under, closeDuePeriods } = invoicing;
  const log = createLogger({ name: 'collection-test', level: 'silent' });
  const clock = createMovableClock(Date.parse('2026-01-01T00:00:00Z'));
  clock.freeze(true);
  const ofSandbox = createDatabase({ url: under.urlFor('billing_worker'), name: 'test-sandbox', log });
  const processor = createSandboxProcessor({ database: ofSandbox, clock, delayMs: 0 });

  function build({ database = worker, processor: by = processor, ...rest }: Partial<Parts>) {
    const limits = { batchMax: 3, ...rest };
    const money = wireMoney({
      worker: database,
      api: worker,
      ofProcessor: ofSandbox,
      processor: by,
      clock,
      scope,
      limits,
    });
    return { ...money, runDueWork: createRunDueWork({ closeDuePeriods, steps: money.collectionSteps }) };
  }
  const money = build({});
  const { attempts, runDueWork, useCases, refresh } = money;

  const fixture: CollectionFixture = {
    ...invoicing,
    clock,
    processor,
    attempts,
    failures: requireSandbox(money).failures,
    voidInvoice: useCases.voidInvoice,
    async putCard(consumerId, card) {
      const keyed = { idempotencyKey: `customer:${consumerId}`, reference: consumerId };
      const { processorCustomerId } = await processor.customers.create(keyed);
      const known = [consumerId, processor.name, processorCustomerId, toIso(clock.now())];
      await owner.query(
        `insert into billing.processor_customer (account_id, processor, processor_customer_id, created_at)
         values ($1, $2, $3, $4) on conflict do nothing`,
        known,
      );
      const { brand, last4 } = card === null ? { brand: null, last4: null } : sandboxCards[card];
      await owner.query(
        `update sandbox.customer set payment_method_id = case when $2::text is not null then gen_random_uuid()::text end,
           brand = $2, last4 = $3, exp_month = $4, exp_year = $5 where customer_id = $1`,
        [processorCustomerId, brand, last4, card && 12, card && 2030],
      );
      await refresh.customer(processorCustomerId);
    },
    async reach(time) {
      clock.set(Date.parse(time));
      await putWatermark(owner, time);
      await runDueWork(clock.now());
    },
    async runDue(parts) {
      await (parts ? build(parts).runDueWork : runDueWork)(clock.now());
    },
    ...createViews(owner),
    async proveLedger() {
      const { differences } = await checkLedger(worker);
      if (differences.length > 0) throw new Error(JSON.stringify(differences, undefined, 1));
    },
    async drop() {
      await ofSandbox.stop();
      await invoicing.drop();
    },
  };
  return fixture;
}

function createViews(owner: Database) {
  const textsOf = async (text: string): Promise<string[]> =>
    (await owner.query<{ line: string }>(text)).map(({ line }) => line);
  return {
    invoices: () =>
      textsOf(`select concat_ws(' ', left(consumer_id::text, 1), period, status, total_cents,
        'again at ' || to_char(collect_at at time zone 'UTC', 'MM-DD HH24:MI')) as line from billing.invoice order by number`),
    async invoiceId(consumerId: string, period: string) {
      const text = 'select invoice_id as id from billing.invoice where consumer_id = $1 and period = $2';
      return onlyRow(await owner.query<{ id: string }>(text, [consumerId, period])).id;
    },
    releases: () =>
      textsOf(`select concat_ws(' ', i.period, left(r.builder_id::text, 1), r.charge_micros, '=', r.earning_micros, '+',
          r.fee_micros) as line
        from billing.released_line r join billing.invoice i using (invoice_id) join billing.invoice by_invoice
          on by_invoice.invoice_id = r.released_by order by by_invoice.number, r.release_place`),
    charges: () =>
      textsOf(`select concat_ws(' ', i.period, a.number, a.status, a.amount_cents, a.failure_code) as line
        from billing.processor_attempt a join billing.invoice i on i.invoice_id = a.subject_id
        where a.kind = 'charge' order by i.number, a.number`),
    async balances() {
      const rows = await owner.query<{ name: string; balance: string }>(
        `select concat_ws(' ', kind, left(owner_id::text, 1)) as name, balance_micros::text as balance
         from billing.ledger_account where balance_micros <> 0 order by 1`,
      );
      return Object.fromEntries(rows.map(({ name, balance }) => [name, formatUsd(micros(BigInt(balance)))]));
    },
  };
}
