import { parseUsd } from '@tollgate/kernel/money';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { createCloseDuePeriods } from '../services/billing/src/invoicing/close-due-periods.ts';
import { measureRatio, timed } from './measure.ts';
import { withThrowAwayPostgres } from './throw-away-postgres.ts';

const pairsDefault = 100_000;
const toolsPerConsumer = 10;
const hoursPerPair = 10;
const catalogueTools = 100;
const closeAtMs = Date.parse('2026-02-02T00:00:00Z');

/**
 * A month's close, against one statement that only adds up the same rows. Each consumer called ten tools in ten hours each;
 * what both do grows with the hours, and what the close alone does with the pairs: fewer hours a pair, a lower ratio.
 */
export async function benchClose(argument?: string): Promise<void> {
  const pairs = argument === undefined ? pairsDefault : Number(argument);
  if (!Number.isSafeInteger(pairs) || pairs < toolsPerConsumer || pairs % toolsPerConsumer !== 0)
    throw new Error(`R10=${argument}: pairs must be a multiple of ${toolsPerConsumer}`);
  await withThrowAwayPostgres(async (postgres) => {
    const log = createLogger({ name: 'bench', level: 'warn' });
    const statementTimeoutMs = 600_000;
    const owner = createDatabase({ url: postgres.ownerUrl, name: 'bench', maxConnections: 1, statementTimeoutMs, log });
    const worker = createDatabase({
      url: postgres.urlFor('billing_worker'),
      name: 'billing-jobs',
      maxConnections: 2,
      statementTimeoutMs: 60_000,
      log,
    });
    await putMonth(owner, pairs);
    const closeDuePeriods = createCloseDuePeriods({ database: worker, minimumMicros: parseUsd('0.50') });

    await measureRatio({
      id: argument === undefined ? 'R10' : `R10=${pairs}`,
      ours: `(consumer, tool) pairs/s closed: ${pairs} pairs in ${pairs / toolsPerConsumer} invoices with lines and ledger entries, ${hoursPerPair} hours a pair`,
      ceiling: `pairs/s of one statement that adds up the same rows by consumer and tool, and stores nothing`,
      goal: 0.3,
      runCeiling: async () => ({ items: pairs, seconds: await timed(() => owner.query(sumText)) }),
      async runOurs() {
        await forgetClose(owner);
        const seconds = await timed(() => closeDuePeriods(closeAtMs));
        const done = onlyRow(
          await owner.query<{ lines: bigint }>('select count(*) as lines from billing.invoice_line'),
        );
        if (done.lines !== BigInt(pairs)) throw new Error(`${done.lines} lines of ${pairs}`);
        return { items: pairs, seconds };
      },
    });
    await worker.stop();
    await owner.stop();
  });
}

const sumText = `
select count(*), sum(calls), sum(duration_ms) from (
  select consumer_id, tool_id, sum(calls) as calls, sum(duration_ms) as duration_ms
  from usage.rollup where hour >= '2026-01-01Z' and hour < '2026-02-01Z' group by consumer_id, tool_id
) as pair`;

async function putMonth(owner: Database, pairs: number): Promise<void> {
  const model = { type: 'per_unit', unit_price_usd: '0.002' };
  const charges = [{ name: null, metric: { type: 'calls' }, model, free_quantity: '0' }];
  const price = JSON.stringify({ currency: 'usd', bill_failed_calls: false, charges });
  await owner.query(
    `insert into billing.tool (tool_id, owner_id, name, created_at)
     select 'tool-' || n, md5('builder' || n % 20)::uuid, 'Tool ' || n, '2020-01-01Z' from generate_series(0, $1 - 1) n`,
    [catalogueTools],
  );
  await owner.query(
    `insert into billing.tool_price (price_id, tool_id, price, measures, created_at)
     select md5('price' || n)::uuid, 'tool-' || n, $2, '{}', '2020-01-01Z' from generate_series(0, $1 - 1) n`,
    [catalogueTools, price],
  );
  await owner.query(
    `insert into usage.rollup
     select md5('consumer' || c)::uuid, 'tool-' || (c + t * 7) % $4,
       timestamptz '2026-01-01Z' + ((c + t + h * 37) % 744) * interval '1 hour', true, 100 + h, 5000
     from generate_series(1, $1) c, generate_series(1, $2) t, generate_series(1, $3) h order by 1, 2, 3`,
    [pairs / toolsPerConsumer, toolsPerConsumer, hoursPerPair, catalogueTools],
  );
  await owner.query(`insert into usage.log_topic values ('usage.events.v1', 1)`);
  await owner.query(`insert into usage.cursor values ('usage.events.v1', 0, 7, '2026-02-02Z')`);
  await owner.query('vacuum analyze');
}

const closeTables = [
  'ledger_entry',
  'ledger_transaction',
  'ledger_account',
  'invoice_line',
  'invoice',
  'closed_period',
];

/** What no service can do: by hand, with the triggers off. */
async function forgetClose(owner: Database): Promise<void> {
  const tables = closeTables.map((table) => `billing.${table}`);
  for (const table of tables) await owner.query(`alter table ${table} disable trigger user`);
  await owner.query(`truncate ${tables.join(', ')} cascade`);
  for (const table of tables) await owner.query(`alter table ${table} enable trigger user`);
}
