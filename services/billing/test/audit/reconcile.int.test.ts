import { hourMs } from '@tollgate/kernel/durations';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onlyRow, type Database } from '@tollgate/database/database';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { createMoneyWorld, type MoneyWorld } from '../support/money-simulation/create-money-world.ts';
import { planted } from '../support/planted.ts';

const builder = '0000000b-0000-4000-8000-00000000000a';
const consumer = '1000000a-0000-4000-8000-000000000000';
const other = '1000000b-0000-4000-8000-000000000000';

let world: MoneyWorld;

/** January: 450 calls of one consumer and 7 of another, invoiced, collected, partly refunded, paid out. */
beforeAll(async () => {
  world = await createMoneyWorld({ startMs: Date.parse('2024-01-20T12:00:00Z'), scope: 'lifetime' });
  await world.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
  for (const consumerId of [consumer, other])
    await world.useCases.enterCard(consumerId, { answer: 'complete', card: 'visa' });
  await world.useCases.onboard(builder, 'complete');
  const random = seededRandom('reconcile', 1);
  await world.passWebhooks(random);
  await countEvents(consumer, 450);
  await countEvents(other, 7);
  await passTime(13 * 24);
  const { invoice_id: invoiceId } = onlyRow(
    await world.owner.query<{ invoice_id: string }>('select invoice_id from billing.invoice where consumer_id = $1', [
      consumer,
    ]),
  );
  await world.useCases.refundInvoice({ invoiceId, amountCents: 100n, idempotencyKey: undefined });
  // F120: the order of the transfer does not arrive, and gets through a day later.
  await world.failures.add({ on: 'transfer', failure: 'timeout_before_effect', times: 1, subjectId: undefined });
  await passTime(10 * 24);
  await passTime(25);
  await world.passWebhooks(random);
});
afterAll(() => world.drop());

async function passTime(hours: number): Promise<void> {
  world.clock.advance(hours * hourMs);
  await world.runDueWork();
}

/** Events with their rollup, as the aggregator leaves them. */
async function countEvents(consumerId: string, calls: number): Promise<void> {
  const hour = '2024-01-20T10:00:00Z';
  await world.owner.query(`select usage.ensure_day('2024-01-20')`);
  await world.owner.query(
    `insert into usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms)
     select $1, gen_random_uuid(), 'search', $2::timestamptz + n * interval '1 second', $2::timestamptz + interval '1 hour', true, 5
     from generate_series(1, $3::int) n`,
    [consumerId, hour, calls],
  );
  await world.addUsage({ consumerId, tool: 'search', hour, calls, durationMs: BigInt(calls * 5) });
}

/** The sandbox is asked by the same database: what was planted there is seen. */
function reconcileOn(database: Database, scope: { period?: string; accountId?: string } = {}) {
  const processor = createSandboxProcessor({ database, clock: world.clock });
  return createReconcile({ database, processor })({ period: '2024-01', accountId: undefined, ...scope });
}

const reconcile = (scope?: Parameters<typeof reconcileOn>[1]) => reconcileOn(world.checkLedgerOn, scope);
const withPlanted = (sql: string) => planted(world.owner, sql, reconcileOn);

describe('reconcile', () => {
  it('F120 finds nothing where nothing is wrong and one order was late, with counts and sums of both sides', async () => {
    const { isEqual, steps } = await reconcile();
    expect(steps.flatMap(({ rows }) => rows)).toEqual([]);
    expect(isEqual).toBe(true);
    expect(steps.map(({ name, left, right }) => [name, left.count, left.sum, right.count, right.sum])).toEqual([
      ['events_rollups', 457n, '457', 2n, '457'],
      ['rollups_lines', 2n, '4.57', 2n, '4.57'],
      ['lines_ledger', 2n, '4.57', expect.any(BigInt), '4.57'],
      // 4.50 in, 0.43 to the processor, 1.00 back, 3.50 to the builder; 0.07 is below the minimum
      ['ledger_processor', 3n, '-0.43', 3n, '-0.43'],
      ['cash_balance', 4n, '-0.43', 1n, '-0.43'],
    ]);
  });

  it('looks at one account alone, as consumer and as builder', async () => {
    const ofConsumer = await reconcile({ accountId: other });
    expect(ofConsumer.steps.map(({ left, right }) => [left.sum, right.sum])).toEqual([
      ['7', '7'],
      ['0.07', '0.07'],
      ['0.07', '0.07'],
      ['0', '0'],
    ]);
    const ofBuilder = await reconcile({ accountId: builder });
    expect(ofBuilder).toMatchObject({ isEqual: true, accountId: builder });
    expect(ofBuilder.steps.map(({ left }) => left.sum)).toEqual(['457', '4.57', '4.57', '-3.5']);
  });

  it('says that a period is not closed, and that events are not kept', async () => {
    const open = await reconcile({ period: '2024-02' });
    expect(open.isEqual).toBe(true);
    expect(open.steps[1]?.note).toContain('not closed yet');
    const { steps } = await withPlanted('alter table usage.event detach partition usage.event_20240120');
    expect(steps[0]).toMatchObject({ differing: 0, note: expect.stringContaining('457 calls') });
  });

  it.each([
    [
      'an event that no rollup has',
      'events_rollups',
      `update usage.rollup set calls = calls - 1 where consumer_id = '${consumer}'`,
      /search by 1000000a.* at 2024-01-20T10Z succeeded: events 450 calls, 2250 ms; rollup 449 calls/,
    ],
    [
      'what was billed and is not counted any more',
      'rollups_lines',
      `delete from usage.rollup where consumer_id = '${other}'`,
      /search, charge 0 .*0\.07 USD is counted and not billed, or billed and not counted/,
    ],
    [
      'a line of another amount than its quantity costs',
      'rollups_lines',
      `update billing.invoice_line set charge_micros = charge_micros + 1 where charge_micros = 4500000`,
      /search, charge 0 .*4\.500001 USD is not its quantity at its price/,
    ],
    [
      'a line that the ledger has otherwise',
      'lines_ledger',
      `update billing.released_line set earning_micros = earning_micros - 7, fee_micros = fee_micros + 7`,
      /^paid:.*, builder_payable of .*: expected -4499993, posted -4500000 micro-dollars$/,
    ],
    [
      'a posting too many for a document',
      'lines_ledger',
      `with posted as (insert into billing.ledger_transaction (business_key, occurred_at)
         select 'payout:' || payout_id || ':transferred:99', now() from billing.payout returning transaction_id)
       insert into billing.ledger_entry select transaction_id, place, ledger_account_id, micros from posted,
         (select 1 as place, ledger_account_id, 5 as micros from billing.ledger_account where kind = 'in_transit' union all
          select 2, ledger_account_id, -5 from billing.ledger_account where kind = 'cash') entry`,
      /^payout:.*, cash of the platform: expected -3500000, posted -3500005 micro-dollars$/,
    ],
    [
      'another amount at the processor',
      'ledger_processor',
      `update sandbox.movement set amount_cents = amount_cents + 1 where kind = 'transfer'`,
      /^transfer .* of 3\.5 USD: the processor has 3\.51 USD$/,
    ],
    [
      'another state at the processor',
      'ledger_processor',
      `update sandbox.movement set reverses_at = created_at where kind = 'transfer'`,
      /^transfer .*: succeeded with us, reversed at the processor$/,
    ],
    [
      'what the processor made for another order',
      'ledger_processor',
      `update sandbox.movement set attempt_id = gen_random_uuid()::text where kind = 'refund'`,
      /^refund .* of 1 USD: it is re_.* with us, which the processor made for /,
    ],
    [
      'what only the processor has',
      'ledger_processor',
      strayTransfer('tr_stray', 'gen_random_uuid()::text'),
      /^transfer tr_stray of 3\.5 USD: we never ordered it/,
    ],
    [
      'what bears no mark of ours at the processor',
      'ledger_processor',
      strayTransfer('tr_strange', `'no id of ours'`),
      /^transfer tr_strange of 3\.5 USD: we never ordered it/,
    ],
  ])('names %s', async (_what, name, wrong, row) => {
    const { isEqual, steps } = await withPlanted(wrong);
    expect(steps.find((step) => step.name === name)?.rows[0]).toMatch(row);
    expect(isEqual).toBe(false);
  });
});

function strayTransfer(id: string, attemptId: string): string {
  return `insert into sandbox.movement (object_id, kind, idempotency_key, attempt_id, subject_id, party_id, amount_cents, status, fee_cents, created_at)
    select '${id}', 'transfer', '${id}', ${attemptId}, subject_id, party_id, 350, 'succeeded', 0, created_at
    from sandbox.movement where kind = 'transfer'`;
}
