import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Database, createDatabase, onlyRow } from '@tollgate/database/database';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startSlice } from '@tollgate/runtime/timing/time-slice';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createCloseDuePeriods } from '../../src/invoicing/close-due-periods.ts';
import { planConsumers, storeInvoices } from '../../src/invoicing/store-invoices.ts';
import { createRetryUnclosed } from '../../src/invoicing/retry-unclosed.ts';
import { lockClosing } from '../../src/invoicing/sql-closed-periods.ts';
import { listUnclosedConsumers } from '../../src/invoicing/sql-unclosed-consumers.ts';
import { defaultIssuer } from '../../src/invoicing/party.ts';
import { statementsToDieAt } from '../support/describe-crashes.ts';
import { type InvoicingFixture, createInvoicingFixture, minimumMicros, perCall } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { dyingDatabase, observedDatabase, unheardDatabase } from '../support/dying-database.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { silentLog as log } from '../support/silent-log.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const february2 = Date.parse('2026-02-02T00:00:00Z');
let worker: Database;
const unclosed = async () => (await listUnclosedConsumers(worker, { limit: 10 })).rows;
const differences = async () => (await checkLedger(worker)).differences;
const now = Date.parse('2026-02-02T00:00:00Z');

const close = (database: Database, batchConsumersMax = 3) =>
  createCloseDuePeriods({ database, minimumMicros, log, batchConsumersMax })(now);

describe('close failures', () => {
  const log = createLogger({ name: 'close-failures-test', level: 'silent' });
  const consumers = Array.from(
    { length: 11 },
    (_, index) => `1000000${index.toString(16)}-0000-4000-8000-000000000000`,
  );
  const [, , , , poisoned = ''] = consumers;

  let fixture: InvoicingFixture;

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
    expect(await createCloseDuePeriods(options)(february2)).toEqual([
      { period: '2026-01', invoices: consumers.length },
    ]);
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
});

describe('close crashes', () => {
  const consumers = Array.from({ length: 7 }, (_, index) => `1000000${index}-0000-4000-8000-000000000000`);
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
      for (const at of statementsToDieAt('a close', statements)) {
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
});
