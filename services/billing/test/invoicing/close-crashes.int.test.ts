import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, onlyRow, type Database, type Transaction } from '@tollgate/database/database';
import { createCloseDuePeriods } from '../../src/invoicing/close-due-periods.ts';
import { unheardDatabase } from '../support/dying-database.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { createInvoicingFixture, minimumMicros, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';

const log = createLogger({ name: 'close-crashes-test', level: 'silent' });
let fixture: InvoicingFixture;
const builder = '00000000-0000-4000-8000-00000000000b';
const consumers = Array.from({ length: 7 }, (_, index) => `1000000${index}-0000-4000-8000-000000000000`);

beforeEach(async () => {
  fixture = await createInvoicingFixture();
  await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
});

afterEach(() => fixture.drop());

/** Everything that a close writes, in one comparable value; the numbers of rows and transactions are not part of it. */
async function books(): Promise<string> {
  const tables = {
    invoices: `select invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
      carried_out_micros, issued_at, due_at, paid_at from billing.invoice order by number`,
    lines: `select invoice_id, place, tool_id, charge_index, quantity, charge_micros, adjustment_of
      from billing.invoice_line order by 1, 2`,
    balances: 'select kind, owner_id, balance_micros from billing.ledger_account order by 1, 2',
    entries: `select business_key, kind, owner_id, amount_micros from billing.ledger_transaction
      join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id) order by 1, 2, 3, 4`,
    closed: 'select period from billing.closed_period order by 1',
  };
  const entries = await Promise.all(
    Object.entries(tables).map(async ([name, text]) => [name, await fixture.owner.query(text)]),
  );
  return asText(Object.fromEntries(entries));
}

function asText(rows: unknown): string {
  return JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value), 1);
}

describe('F45 a close that dies, or runs twice at once', () => {
  const now = Date.parse('2026-02-02T00:00:00Z');

  async function prepare(): Promise<void> {
    for (const [index, consumer] of consumers.entries())
      await fixture.addUsage({ consumerId: consumer, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 60 + index });
    await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
  }

  it('comes to the same, whichever statement it dies at', async () => {
    await prepare();
    await fixture.closeDuePeriods(now);
    const undisturbed = await books();
    const statements = await countStatements();
    expect(statements).toBeGreaterThan(25);
    for (let at = 1; at <= statements; at += 1) {
      await startAnew();
      const dying = createCloseDuePeriods({ database: dyingAt(at), minimumMicros, log, batchConsumersMax: 3 });
      await expect(dying(now)).rejects.toThrow(/cannot reach its storage/);
      await fixture.closeDuePeriods(now);
      expect(await books()).toEqual(undisturbed);
    }
  }, 120_000);

  it('comes to the same when the answer to a commit is lost, whichever', async () => {
    await prepare();
    await fixture.closeDuePeriods(now);
    const undisturbed = await books();
    for (let at = 1; at <= 8; at += 1) {
      await startAnew();
      const unheard = createCloseDuePeriods({
        database: unheardDatabase(fixture.worker, at).database,
        minimumMicros,
        log,
        batchConsumersMax: 3,
      });
      await expect(unheard(now)).rejects.toThrow('no answer');
      await fixture.closeDuePeriods(now);
      expect(await books()).toEqual(undisturbed);
    }
  });

  it('leaves nobody out when it goes on, whatever the planner makes of those that have theirs', async () => {
    const many = `insert into usage.rollup
      select gen_random_uuid(), 'search', '2026-01-05T00:00:00Z', true, 100, 0 from generate_series(1, 600)`;
    await fixture.owner.query(many);
    await putWatermark(fixture.owner, '2026-02-02T00:00:00Z');
    const stopped = createCloseDuePeriods({
      database: unheardDatabase(fixture.worker, 3).database,
      minimumMicros,
      log,
      batchConsumersMax: 200,
    });
    await expect(stopped(now)).rejects.toThrow('no answer');
    await fixture.owner.query('analyze usage.rollup, billing.invoice');
    await fixture.closeDuePeriods(now);
    const [counted] = await fixture.owner.query(
      'select count(*)::int as n, max(number)::int as last from billing.invoice',
    );
    expect(counted).toEqual({ n: 600, last: 600 });
  });

  it.each([
    ['made invoices of its batch', 3],
    ['closed the period', Number.POSITIVE_INFINITY],
  ])('comes to the same when another %s after it was planned', async (_, othersCommits) => {
    await prepare();
    await fixture.closeDuePeriods(now);
    const undisturbed = await books();
    await startAnew();
    const other = createCloseDuePeriods({
      database: unheardDatabase(fixture.worker, othersCommits).database,
      minimumMicros,
      log,
      batchConsumersMax: 2,
    });
    const overtaken = beforeItStores(() => other(now).catch(() => []));
    await createCloseDuePeriods({ database: overtaken, minimumMicros, log, batchConsumersMax: 3 })(now);
    expect(await books()).toEqual(undisturbed);
  });

  it('makes no invoice for a period that another closed before it knew of the usage: that is late', async () => {
    await prepare();
    const late = consumers.at(-1) ?? '';
    const overtaken = beforeItStores(async () => {
      await fixture.owner.query('delete from usage.rollup where consumer_id = $1', [late]);
      await fixture.closeDuePeriods(now);
    });
    await createCloseDuePeriods({ database: overtaken, minimumMicros, log })(now);
    const invoiced = await fixture.owner.query<{ consumer_id: string }>(
      'select consumer_id from billing.invoice order by 1',
    );
    expect(invoiced.map(({ consumer_id: id }) => id)).toEqual(consumers.slice(0, -1));
  });

  it('makes each invoice once when two and more close at once', async () => {
    await prepare();
    const log = createLogger({ name: 'test', level: 'silent' });
    const others = [1, 2, 3].map((each) =>
      createDatabase({ url: fixture.database.urlFor('billing_worker'), name: `closer-${each}`, log }),
    );
    const close = (database: Database) =>
      createCloseDuePeriods({ database, minimumMicros, log, batchConsumersMax: 2 })(now);
    const done = await Promise.all(others.map(close));
    await Promise.all(others.map((each) => each.stop()));
    expect(done.flat().reduce((sum, { invoices }) => sum + invoices, 0)).toBe(consumers.length);
    const rows = await fixture.owner.query<{ number: bigint }>('select number from billing.invoice order by 1');
    expect(rows.map(({ number }) => Number(number))).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('makes no second invoice even if it is told to: the database refuses', async () => {
    await prepare();
    await fixture.closeDuePeriods(now);
    const again = `insert into billing.invoice
      select gen_random_uuid(), number + 100, consumer_id, period, status, charge_micros, carried_in_micros, total_cents,
        carried_out_micros, issued_at, due_at, paid_at from billing.invoice where consumer_id = $1`;
    await expect(fixture.worker.query(again, [consumers[2]])).rejects.toThrow(/invoice_consumer_id_period_key/);
  });

  async function startAnew(): Promise<void> {
    await forgetMoney(fixture.owner, closedTables);
  }

  async function countStatements(): Promise<number> {
    await startAnew();
    let statements = 0;
    const counting = observed(async () => {
      statements += 1;
    });
    await createCloseDuePeriods({ database: counting, minimumMicros, log, batchConsumersMax: 3 })(now);
    return statements;
  }

  /** Its connection is cut by the server just before the n-th statement, as when the process or the server dies. */
  function dyingAt(at: number): Database {
    let statements = 0;
    return observed(async (tx) => {
      statements += 1;
      if (statements === at) await cut(tx);
    });
  }

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

  async function cut(tx: Transaction): Promise<void> {
    const { pid } = onlyRow(await tx.query<{ pid: number }>('select pg_backend_pid() as pid'));
    await fixture.worker.query('select pg_terminate_backend($1, 5000)', [pid]); // a role may end its own
  }

  function observed(before: (tx: Transaction) => Promise<void>): Database {
    return {
      ...fixture.worker,
      transaction: (work, options) =>
        fixture.worker.transaction(
          (tx) =>
            work({
              isTransaction: true,
              query: async (statement, values) => {
                await before(tx);
                return tx.query(statement, values);
              },
            }),
          options,
        ),
    };
  }
});
