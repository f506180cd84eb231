import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startSlice } from '@tollgate/runtime/timing/time-slice';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createCloseDuePeriods } from '../../src/invoicing/close-due-periods.ts';
import { planConsumers } from '../../src/invoicing/invoice-batch.ts';
import { createRetryUnclosed } from '../../src/invoicing/retry-unclosed.ts';
import { lockClosing } from '../../src/invoicing/sql-lock-closing.ts';
import { listUnclosedConsumers } from '../../src/invoicing/sql-unclosed-consumers.ts';
import { defaultIssuer } from '../../src/invoicing/party.ts';
import { storeInvoices } from '../../src/invoicing/store-invoices.ts';
import { createInvoicingFixture, minimumMicros, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';

const log = createLogger({ name: 'close-failures-test', level: 'silent' });
const builder = '00000000-0000-4000-8000-00000000000b';
const consumers = Array.from({ length: 11 }, (_, index) => `1000000${index.toString(16)}-0000-4000-8000-000000000000`);
const [, , , , poisoned = ''] = consumers;
const february2 = Date.parse('2026-02-02T00:00:00Z');

let fixture: InvoicingFixture;
let worker: Database;

beforeEach(async () => {
  fixture = await createInvoicingFixture();
  await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
  const url = fixture.database.urlFor('billing_worker');
  worker = createDatabase({
    url,
    name: 'close-failures',
    maxConnections: 2,
    statementTimeoutMs: 2_000,
    isPipelined: true,
    log,
  });
});
afterEach(async () => {
  await worker.stop();
  await fixture.drop();
});

const closeDue = (nowMs: number) =>
  createCloseDuePeriods({ database: worker, minimumMicros, batchConsumersMax: 8, log })(nowMs);
const retryUnclosed = (nowMs: number) => createRetryUnclosed({ database: worker, minimumMicros, log })(nowMs);
const use = (consumerId: string, hour: string, calls = 100) =>
  fixture.addUsage({ consumerId, tool: 'search', hour, calls });
const invoices = async (consumerId: string) =>
  fixture.owner.query<{ period: string; charge_micros: string }>(
    'select period, charge_micros from billing.invoice where consumer_id = $1 order by period',
    [consumerId],
  );
const unclosed = async () => (await listUnclosedConsumers(worker, { limit: 10 })).rows;
const differences = async () => (await checkLedger(worker)).differences;

/** Lets every invoice of the poisoned consumer fail, by an error or by a statement that takes too long. */
async function poison(failure: string): Promise<void> {
  await fixture.owner.query(`create or replace function billing.poison() returns trigger language plpgsql as $$
    begin
      if new.consumer_id = '${poisoned}' then ${failure}; end if;
      return new;
    end $$`);
  await fixture.owner.query(
    'create trigger poison before insert on billing.invoice for each row execute function billing.poison()',
  );
}
const cure = () => fixture.owner.query('drop trigger poison on billing.invoice');

describe('F111 a consumer whose invoice cannot be made', () => {
  it.each([
    ['an error', `raise exception 'poison'`, 'poison'],
    ['a statement that takes too long', 'perform pg_sleep(10)', 'canceling statement due to statement timeout'],
  ])(
    'is set aside after %s, and all others are invoiced',
    async (_name, failure, reason) => {
      await poison(failure);
      for (const consumer of consumers) await use(consumer, '2026-01-05T00:00:00Z');
      await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
      expect(await closeDue(february2)).toMatchObject([{ period: '2026-01' }]);
      for (const consumer of consumers) expect(await invoices(consumer)).toHaveLength(consumer === poisoned ? 0 : 1);
      expect(await unclosed()).toMatchObject([
        { consumerId: poisoned, period: '2026-01', reason, failures: 1, retryAtMs: february2 + 5 * 60_000 },
      ]);
      expect(await differences()).toEqual([]); // it waits, and is not lost
    },
    60_000,
  );

  it('is tried again with a growing delay, and gets the invoice of the last closed period', async () => {
    await poison(`raise exception 'poison'`);
    for (const consumer of consumers) await use(consumer, '2026-01-05T00:00:00Z');
    await fixture.close('2026-01');
    await use(poisoned, '2026-02-05T00:00:00Z', 7);
    await fixture.close('2026-02');
    expect(await unclosed()).toMatchObject([{ period: '2026-01', failures: 2 }]);
    const { retryAtMs } = onlyRow(await unclosed());

    await cure();
    expect(await retryUnclosed(retryAtMs - 1)).toBe(0);
    expect(await retryUnclosed(retryAtMs)).toBe(1);
    expect(await invoices(poisoned)).toEqual([{ period: '2026-02', charge_micros: '1070000' }]);
    expect(await unclosed()).toEqual([]);
    expect(await differences()).toEqual([]);
  });

  it('waits while its period is being closed, which may take longer than its delay', async () => {
    await poison(`raise exception 'poison'`);
    await use(poisoned, '2026-01-05T00:00:00Z');
    await fixture.close('2026-01');
    await fixture.owner.query(`update billing.unclosed_consumer set period = '2026-02'`);
    await cure();
    expect(await retryUnclosed(february2 + hourMs)).toBe(0);
    expect(await unclosed()).toHaveLength(1);
    await fixture.close('2026-02');
    expect(await retryUnclosed(february2 + hourMs)).toBe(0);
    expect(await unclosed()).toEqual([]); // the close has made its invoice
  });

  it('waits while a later month is being closed, for which it failed again', async () => {
    await poison(`raise exception 'poison'`);
    await use(poisoned, '2026-01-05T00:00:00Z');
    await fixture.close('2026-01');
    for (const consumer of consumers) await use(consumer, '2026-02-05T00:00:00Z');
    const march2 = Date.parse('2026-03-02T00:00:00Z');
    await putWatermark(fixture.owner, toIso(march2));
    const closeInSlices = createCloseDuePeriods({ database: worker, minimumMicros, batchConsumersMax: 1, log });
    while (onlyRow(await unclosed()).failures < 2)
      expect(await closeInSlices(march2, startSlice(systemClock, 0))).toEqual([]);
    await cure();
    const { retryAtMs } = onlyRow(await unclosed());
    expect(await retryUnclosed(retryAtMs)).toBe(0);
    expect(await closeInSlices(march2)).toMatchObject([{ period: '2026-02' }]);
    expect(await retryUnclosed(retryAtMs)).toBe(1);
    expect(await invoices(poisoned)).toEqual([{ period: '2026-02', charge_micros: '2000000' }]);
    expect(await differences()).toEqual([]);
  });

  it('is billed once where the next close planned its invoice before the retry stored one', async () => {
    await poison(`raise exception 'poison'`);
    await use(poisoned, '2026-01-05T00:00:00Z');
    await fixture.close('2026-01');
    await use(poisoned, '2026-02-05T00:00:00Z');
    const query = { period: '2026-02', lastClosed: '2026-01', minimumMicros, accountIds: [poisoned] };
    const planned = await worker.transaction((tx) => planConsumers(tx, query));
    await cure();
    expect(await retryUnclosed(february2 + hourMs)).toBe(1);
    const storing = worker.transaction(async (tx) => {
      await lockClosing(tx);
      return storeInvoices(tx, planned, { period: '2026-02', nowMs: february2, issuer: defaultIssuer });
    });
    await expect(storing).rejects.toThrow('got another invoice while this one was planned');
    await fixture.close('2026-02');
    expect(await invoices(poisoned)).toEqual([
      { period: '2026-01', charge_micros: '1000000' },
      { period: '2026-02', charge_micros: '1000000' },
    ]);
  });
});

it('F112 closes a month in which one tool changed its price 2,000 times', async () => {
  await fixture.putTool({ slug: 'restless', ownerId: builder, price: perCall('0.01') });
  await fixture.owner.query(
    `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
     select gen_random_uuid(), 'restless', '2025-11-01Z'::timestamptz + n * interval '1 hour', price, '{}', created_at
     from billing.tool_price cross join generate_series(1, 2000) n where tool_id = 'restless'`,
  );
  await fixture.owner.query(
    `insert into usage.rollup select ('20000000-0000-4000-8000-' || lpad(c::text, 12, '0'))::uuid, tool,
       '2026-01-05Z'::timestamptz + h * interval '1 hour', true, 10, 0
     from generate_series(1, 100) c, generate_series(1, 48) h, unnest('{restless,search}'::text[]) tool`,
  );
  await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
  const all = createCloseDuePeriods({ database: worker, minimumMicros, log });
  expect(await all(february2)).toEqual([{ period: '2026-01', invoices: 100 }]);
  expect(await unclosed()).toEqual([]);
  expect(onlyRow(await fixture.owner.query(`select sum(charge_micros) as charged from billing.invoice`))).toEqual({
    charged: String(100 * 2 * 48 * 10 * 10_000),
  });
});

it('F113 takes fewer consumers at once where they have more usage, and invoices them all', async () => {
  for (const consumer of consumers)
    for (const success of [true, false])
      await fixture.addUsage({
        consumerId: consumer,
        tool: 'search',
        hour: '2026-01-05T00:00:00Z',
        success,
        calls: 100,
      });
  await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
  const options = { database: worker, minimumMicros, batchConsumersMax: 8, batchUsageRowsMax: 3, log };
  expect(await createCloseDuePeriods(options)(february2)).toEqual([{ period: '2026-01', invoices: consumers.length }]);
  expect(await unclosed()).toEqual([]);
});

describe('F110 late usage', () => {
  it('is rated again by one close, and not by those after it', async () => {
    const [ada = ''] = consumers;
    await use(ada, '2026-01-05T00:00:00Z');
    await fixture.close('2026-01');
    await use(ada, '2026-01-06T00:00:00Z', 5);
    await fixture.close('2026-02');
    const hourBehindTheClosesBack = ['2026-01-07T00:00:00Z', ada];
    await fixture.owner.query(
      `insert into usage.rollup values ($2, 'search', $1, true, 3, 0)`,
      hourBehindTheClosesBack,
    );
    await fixture.close('2026-03');
    expect(await invoices(ada)).toMatchObject([{ charge_micros: '1000000' }, { charge_micros: '50000' }]);
    // Usage that nobody named late would never be billed, so it is a difference of the books.
    expect(await differences()).toHaveLength(1);
    await use(ada, '2026-01-08T00:00:00Z', 1);
    expect(await differences()).toEqual([]);
    await fixture.close('2026-04');
    expect((await invoices(ada)).at(-1)).toEqual({ period: '2026-04', charge_micros: '40000' });
  });
});
