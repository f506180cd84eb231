import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planted } from '../support/planted.ts';
import {
  type ReconciledMonth,
  builder,
  consumer,
  createReconciledMonth,
  otherConsumer as other,
} from '../support/reconciled-month.ts';
import { onlyRow } from '@tollgate/database/database';
import { sealUsage } from '../../src/usage/seal-usage.ts';

let month: ReconciledMonth;

const reconcile = (scope?: Parameters<ReconciledMonth['reconcileOn']>[1]) =>
  month.reconcileOn(month.world.checkLedgerOn, scope);
const withPlanted = (sql: string) => planted(month.world.owner, sql, (database) => month.reconcileOn(database));

function strayTransfer(id: string, attemptId: string): string {
  return `insert into sandbox.movement (object_id, kind, idempotency_key, attempt_id, subject_id, party_id, amount_cents, status, fee_cents, created_at)
    select '${id}', 'transfer', '${id}', ${attemptId}, subject_id, party_id, 350, 'succeeded', 0, created_at
    from sandbox.movement where kind = 'transfer'`;
}

const late = `insert into usage.late_usage (consumer_id, tool_id, period) values ('${consumer}', 'search', '2024-01')
  on conflict (consumer_id, tool_id, period) do update set counts = late_usage.counts + 1;`;
const calls = (change: string) => `update usage.rollup set calls = calls ${change} where consumer_id = '${consumer}';`;

/** The verdict of the step on these changes, with the next close's seals if `isSealedAgain`, and of what comes after. */
async function sealsAfter(sql: string, { isSealedAgain = false, later = 'select' } = {}) {
  return planted(month.world.owner, sql, async (database) => {
    if (isSealedAgain) await database.transaction((tx) => sealUsage(tx, { period: '2024-02', firstPeriod: '2023-02' }));
    await database.query(later);
    const { steps } = await month.reconcileOn(database);
    const { left, right, rows, note } = onlyRow(steps.filter(({ name }) => name === 'rollups_seals'));
    return { sums: [left.sum, right.sum], rows, note };
  });
}

describe('reconcile', () => {
  beforeAll(async () => {
    month = await createReconciledMonth();
  });
  afterAll(() => month.world.drop());

  it('F120 finds nothing where nothing is wrong and one order was late, with counts and sums of both sides', async () => {
    const { isEqual, steps } = await reconcile();
    expect(steps.flatMap(({ rows }) => rows)).toEqual([]);
    expect(isEqual).toBe(true);
    expect(steps.map(({ name, left, right }) => [name, left.count, left.sum, right.count, right.sum])).toEqual([
      ['events_rollups', 457n, '457', 2n, '457'],
      ['events_keys', 6n, '6', 6n, '6'],
      ['rollups_lines', 2n, '4.57', 2n, '4.57'],
      ['lines_ledger', 2n, '4.57', expect.any(BigInt), '4.57'],
      // 4.50 in, 0.43 to the processor, 1.00 back, 3.50 to the builder; 0.07 is below the minimum
      ['ledger_processor', 3n, '-0.43', 3n, '-0.43'],
      ['caps_usage', 3n, '4.62', 3n, '4.62'],
      ['grants_calls', 0n, '0', 0n, '0'],
      ['rollups_seals', 1n, '457', 1n, '457'],
      ['own_payouts', 0n, '0', 0n, '0'],
      // cards and account, the charge, the refund, the transfer
      ['inbox_events', 6n, '6', 6n, '6'],
      ['cash_balance', 4n, '-0.43', 1n, '-0.43'],
    ]);
  });

  it('F120 finds an order that got through months after it was begun', async () => {
    const late = `'2024-06-01T00:00:00Z'`;
    const { steps } = await withPlanted(
      `update sandbox.movement set created_at = ${late} where kind = 'transfer';
       update billing.processor_attempt set settled_at = ${late} where kind = 'transfer'`,
    );
    expect(steps.flatMap(({ rows }) => rows)).toEqual([]);
  });

  it('looks at one account alone, as consumer and as builder', async () => {
    const ofConsumer = await reconcile({ accountId: other });
    expect(ofConsumer.steps.map(({ left, right }) => [left.sum, right.sum])).toEqual([
      ['7', '7'],
      ['6', '6'],
      ['0.07', '0.07'],
      ['0.07', '0.07'],
      ['0', '0'],
      ['0.07', '0.07'],
      ['0', '0'],
    ]);
    const ofBuilder = await reconcile({ accountId: builder });
    expect(ofBuilder).toMatchObject({ isEqual: true, accountId: builder });
    expect(ofBuilder.steps.map(({ left }) => left.sum)).toEqual(['457', '0', '4.57', '4.57', '-3.5', '0', '0']);
  });

  it('says that a period is not closed, and that events are not kept', async () => {
    const open = await reconcile({ period: '2024-02' });
    expect(open.isEqual).toBe(true);
    expect(open.steps[2]?.note).toContain('not closed yet');
    const { steps } = await withPlanted('alter table usage.event detach partition usage.event_20240120');
    expect(steps[0]).toMatchObject({ differing: 0, note: expect.stringContaining('457 calls') });
  });

  it('says which caps had ended before calls of their month were counted', async () => {
    const { steps } = await withPlanted(
      `insert into usage.late_usage (consumer_id, tool_id, period) values ('${consumer}', 'search', '2024-01');
       update usage.rollup set calls = calls + 1 where consumer_id = '${consumer}'`,
    );
    expect(steps.find(({ name }) => name === 'caps_usage')).toMatchObject({
      differing: 0,
      note: expect.stringContaining('1 caps'),
    });
  });

  it.each([
    [
      'an event that no rollup has',
      'events_rollups',
      `update usage.rollup set calls = calls - 1 where consumer_id = '${consumer}'`,
      /search by 1000000a.* at 2024-01-20T10Z succeeded: events 450 calls, 2250 ms; rollup 449 calls/,
    ],
    [
      'an event that its rollups have for another pass',
      'events_rollups',
      `update usage.event set pass_id = consumer_id where ctid = (select min(ctid) from usage.event where consumer_id = '${consumer}')`,
      /search by 1000000a.* at 2024-01-20T10Z succeeded with pass 1000000a.*: events 1 calls, 5 ms; rollup 0 calls/,
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
      `with posted as (insert into billing.ledger_transaction (business_key, occurred_at, period)
         select 'payout:' || payout_id || ':transferred:99', now(), '2024-02' from billing.payout returning transaction_id)
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

describe('F278 seals of usage and calls that were counted late', () => {
  beforeAll(async () => {
    month = await createReconciledMonth();
  }, 60_000);
  afterAll(() => month.world.drop());

  it('let an hour grow until the next close, and say so', async () => {
    expect(await sealsAfter(`${late} ${calls('+ 3')}`)).toEqual({
      sums: ['457', '460'],
      rows: [],
      note: '1 tools have calls that were counted late; the next close seals them again.',
    });
  });

  it('name an hour that has lost calls meanwhile', async () => {
    const { rows } = await sealsAfter(`${late} ${calls('- 3')}`);
    expect(rows).toEqual([expect.stringMatching(/^search at 2024-01-20T10Z: sealed 457 calls .*, now 454 /)]);
  });

  it('are made again by the next close, and hold from then on', async () => {
    const grown = `${late} ${calls('+ 3')}`;
    const sealed = await sealsAfter(grown, { isSealedAgain: true });
    expect(sealed).toEqual({ sums: ['460', '460'], rows: [], note: null });
    const { rows } = await sealsAfter(grown, { isSealedAgain: true, later: calls('+ 1') });
    expect(rows).toEqual([expect.stringMatching(/^search at 2024-01-20T10Z: sealed 460 calls .*, now 461 /)]);
  });

  it('are not made while a month is open', async () => {
    const { steps } = await month.reconcileOn(month.world.checkLedgerOn, { period: '2024-02' });
    expect(steps.find(({ name }) => name === 'rollups_seals')).toMatchObject({
      differing: 0,
      note: 'The period is not closed yet, so its usage is not sealed.',
    });
  });
});
