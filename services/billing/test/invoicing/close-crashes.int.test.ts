import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { systemClock } from '@tollgate/kernel/clock';
import { startSlice } from '@tollgate/runtime/timing/time-slice';
import { createCloseDuePeriods } from '../../src/invoicing/close-due-periods.ts';
import { dyingDatabase, observedDatabase, unheardDatabase } from '../support/dying-database.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { createInvoicingFixture, minimumMicros, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { silentLog as log } from '../support/silent-log.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const consumers = Array.from({ length: 7 }, (_, index) => `1000000${index}-0000-4000-8000-000000000000`);
const now = Date.parse('2026-02-02T00:00:00Z');
let fixture: InvoicingFixture;

/** January is due, with something to bill for each consumer. */
beforeEach(async () => {
  fixture = await createInvoicingFixture();
  await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
  for (const [index, consumerId] of consumers.entries())
    await fixture.addUsage({ consumerId, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 60 + index });
  await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
});
afterEach(() => fixture.drop());

const close = (database: Database, batchConsumersMax = 3) =>
  createCloseDuePeriods({ database, minimumMicros, log, batchConsumersMax })(now);
const unheardAt = (commit: number) => unheardDatabase(fixture.worker, commit).database;
const startAnew = () => forgetMoney(fixture.database, closedTables);

/** The first transaction plans a batch, the second stores it. */
function beforeItStores(meanwhile: () => Promise<unknown>): Database {
  let begun = 0;
  return {
    ...fixture.worker,
    async transaction(work, options) {
      begun += 1;
      if (begun === 2) await meanwhile();
      return fixture.worker.transaction(work, options);
    },
  };
}

/** Everything that a close writes, in one comparable value; the numbers of rows and transactions are not part of it. */
async function books(): Promise<string> {
  const tables = [
    `select invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
      carried_out_micros, issued_at, due_at, paid_at from billing.invoice order by number`,
    `select invoice_id, place, tool_id, charge_index, quantity, charge_micros, adjustment_of
      from billing.invoice_line order by 1, 2`,
    'select kind, owner_id, balance_micros from billing.ledger_account order by 1, 2',
    `select business_key, kind, owner_id, amount_micros from billing.ledger_transaction
      join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id) order by 1, 2, 3, 4`,
    'select period from billing.closed_period order by 1',
    'select period, tool_id, sealed_in, hour, calls, quantity, hash from billing.usage_seal order by 1, 2, 3, 4',
  ];
  const rows = await Promise.all(tables.map((text) => fixture.owner.query(text)));
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1);
}

/** The books of a close that nothing disturbs; then all is as before it. */
async function undisturbedBooks(worker: Database = fixture.worker): Promise<string> {
  await close(worker);
  const undisturbed = await books();
  await startAnew();
  return undisturbed;
}

describe('a close that its slice of time cuts', () => {
  it('F268 goes on behind the last batch at the next pass, and comes to the same', async () => {
    const undisturbed = await undisturbedBooks();
    const closeDuePeriods = createCloseDuePeriods({
      database: fixture.worker,
      minimumMicros,
      log,
      batchConsumersMax: 3,
    });
    const passes: unknown[] = [];
    for (let at = now, isRestLeft = true; isRestLeft && passes.length < 9; at += 60_000) {
      const slice = startSlice(systemClock, 0);
      const closed = await closeDuePeriods(at, slice);
      const [stored] = await fixture.owner.query('select count(*)::int as invoices from billing.invoice');
      passes.push([stored, closed]);
      isRestLeft = slice.isRestLeft();
    }
    expect(passes).toEqual([
      [{ invoices: 3 }, []],
      [{ invoices: 6 }, []],
      [{ invoices: 7 }, [{ period: '2026-01', invoices: 7 }]],
    ]);
    expect(await books()).toEqual(undisturbed);
  });

  it('F268 leaves the rest to a process that knows nothing of it, which comes to the same', async () => {
    const undisturbed = await undisturbedBooks();
    const first = createCloseDuePeriods({ database: fixture.worker, minimumMicros, log, batchConsumersMax: 3 });
    await first(now, startSlice(systemClock, 0));
    await close(fixture.worker, 2);
    expect(await first(now)).toEqual([]);
    expect(await books()).toEqual(undisturbed);
  });
});

describe('F45 a close that dies, or runs twice at once', () => {
  it('comes to the same, whichever statement it dies at', async () => {
    let statements = 0;
    const counted = observedDatabase(fixture.worker, () => void (statements += 1));
    const undisturbed = await undisturbedBooks(counted);
    expect(statements).toBeGreaterThan(25);
    for (let at = 1; at <= statements; at += 1) {
      await expect(close(dyingDatabase(fixture.worker, at))).rejects.toThrow('dead');
      await close(fixture.worker);
      expect(await books()).toEqual(undisturbed);
      await startAnew();
    }
  }, 120_000);

  it('comes to the same when the answer to a commit is lost, whichever', async () => {
    const undisturbed = await undisturbedBooks();
    for (let at = 1; at <= 8; at += 1) {
      await expect(close(unheardAt(at))).rejects.toThrow('no answer');
      await close(fixture.worker);
      expect(await books()).toEqual(undisturbed);
      await startAnew();
    }
  });

  it('leaves nobody out when it goes on, whatever the planner makes of those that have theirs', async () => {
    await fixture.owner.query(
      `insert into usage.rollup
       select gen_random_uuid(), 'search', '2026-01-05T00:00:00Z', true, 100, 0 from generate_series(1, 600)`,
    );
    await expect(close(unheardAt(3), 200)).rejects.toThrow('no answer');
    await fixture.owner.query('analyze usage.rollup, billing.invoice');
    await close(fixture.worker, 200);
    const numbers = 'select count(*)::int as n, max(number)::int as last from billing.invoice';
    expect(await fixture.owner.query(numbers)).toEqual([{ n: 607, last: 607 }]);
  });

  it.each([
    ['made invoices of its batch', 3],
    ['closed the period', Number.POSITIVE_INFINITY],
  ])('comes to the same when another %s after it was planned', async (_, othersCommits) => {
    const undisturbed = await undisturbedBooks();
    await close(beforeItStores(() => close(unheardAt(othersCommits), 2).catch(() => [])));
    expect(await books()).toEqual(undisturbed);
  });

  it('makes no invoice for a period that another closed before it knew of the usage: that is late', async () => {
    const late = consumers.at(-1) ?? '';
    const overtaken = beforeItStores(async () => {
      await fixture.owner.query('delete from usage.rollup where consumer_id = $1', [late]);
      await close(fixture.worker);
    });
    await close(overtaken, 200);
    const invoiced = await fixture.owner.query<{ consumer_id: string }>(
      'select consumer_id from billing.invoice order by 1',
    );
    expect(invoiced.map(({ consumer_id: id }) => id)).toEqual(consumers.slice(0, -1));
  });

  it('makes each invoice once when two and more close at once', async () => {
    const url = fixture.database.urlFor('billing_worker');
    const others = [1, 2, 3].map((each) => createDatabase({ url, name: `closer-${each}`, isPipelined: true, log }));
    const done = await Promise.all(others.map((other) => close(other, 2)));
    await Promise.all(others.map((each) => each.stop()));
    expect(done.flat().reduce((sum, { invoices }) => sum + invoices, 0)).toBe(consumers.length);
    const rows = await fixture.owner.query<{ number: bigint }>('select number from billing.invoice order by 1');
    expect(rows.map(({ number }) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('makes no second invoice even if it is told to: the database refuses', async () => {
    await close(fixture.worker);
    const again = `insert into billing.invoice
      select gen_random_uuid(), number + 100, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
        carried_out_micros, issued_at, due_at, paid_at from billing.invoice where consumer_id = $1`;
    await expect(fixture.worker.query(again, [consumers[2]])).rejects.toThrow(/invoice_consumer_id_period_key/);
  });
});
