import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { useOnce } from '@tollgate/testkit/use-world';
import { dayMs } from '@tollgate/kernel/durations';
import { type Metrics, createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import type { NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { eventually } from '@tollgate/testkit/eventually';
import { takeTold } from '@tollgate/testkit/take-told';
import { checkLedger, createNightlyLedgerCheck } from '../../src/audit/check-ledger.ts';
import { createInvoicingFixture, perCall } from '../support/invoicing-fixture.ts';
import { planted } from '../support/planted.ts';
import { plant } from '../support/plant-sql.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollectionOnce } from '../support/use-collection.ts';
import { createPayoutsFixture } from '../support/payouts-fixture.ts';
import { frozenClock } from '../support/frozen-clock.ts';
import { silentLog as log } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const first = 'transaction_id = (select min(transaction_id) from billing.ledger_entry)';
const closed = 'rating closed periods again gives their lines and adjustments';

const renamed = (key: string, to: string) =>
  `update billing.ledger_transaction set business_key = replace(business_key, '${key}', '${to}')`;

const ofLines = (change: string) => `update billing.released_line set ${change}`;
const ofCharges = (change: string) => `update billing.processor_attempt set ${change} where status = 'succeeded'`;
const inOrder = 'a paid invoice releases its lines and the unbilled lines before it, in order';
const writtenOff = 'uncollectible and void invoices are written off, and no others';

const ofPayout = (change: string, period = '2026-01') =>
  `update billing.payout set ${change} where period = '${period}'`;
const january = `(select payout_id from billing.payout where period = '2026-01')`;
const itsTransfer = `kind = 'transfer' and subject_id = ${january} and status = 'succeeded'`;
const perPayout = 'the ledger agrees with the status and transfers of each payout';
const inTransit = 'the money in transit is that of scheduled payouts';
const perTransfer = 'each transfer belongs to a payout and has its amount';
const perLines = 'each payout is the sum of its lines, returned transfers, shares in fees and the remainder before';
const perBuilder = 'each builder is owed its earnings that were not transferred';

const testing = useDatabase();
const clock = frozenClock('2026-11-20T12:00:00Z');
let checks: NightlyCheck[] = [];

function newCheck(metrics?: Metrics): NightlyCheck {
  const database = testing.openWorker({ maxConnections: 1, whenStopped: 'cancel' });
  const check = createNightlyLedgerCheck({ database, clock, log, metrics });
  checks.push(check);
  return check;
}

async function known() {
  const rows = await testing.owner.query<{ due_at: Date; checked_at: Date | null; differences: number | null }>(
    'select due_at, checked_at, differences from billing.ledger_check',
  );
  return rows.map((row) => [row.due_at.toISOString(), row.checked_at?.toISOString() ?? null, row.differences]);
}

describe('tollgate ledger check', () => {
  const ada = '10000000-0000-4000-8000-000000000000';
  const bob = '20000000-0000-4000-8000-000000000000';

  const fixture = useOnce(() => createInvoicingFixture());

  beforeAll(async () => {
    await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('0.001') });
    const use = (consumerId: string, hour: string, calls: number) =>
      fixture.addUsage({ consumerId, tool: 'search', hour, calls });
    await use(ada, '2026-01-05T00:00:00Z', 1_234);
    await use(bob, '2026-01-05T00:00:00Z', 17);
    await fixture.close('2026-01');
    await use(ada, '2026-01-06T00:00:00Z', 3);
    await use(ada, '2026-02-05T00:00:00Z', 600);
    await use(bob, '2026-02-05T00:00:00Z', 600);
    await fixture.close('2026-02');
  });

  const counted = (hour: string, calls: number) =>
    `insert into usage.rollup values ('${bob}', 'search', '${hour}', true, ${calls}, 0);`;

  it('finds ledger, invoices and closed periods, adjustments included, as they should be', async () => {
    expect(await checkLedger(fixture.worker)).toEqual({
      transactions: 4,
      entries: 9,
      invoices: 4,
      lines: 5,
      closedPeriods: 2,
      waiting: 0,
      heads: [],
      differences: [],
    });
  });

  it.each([
    ['2026-01-07T00:00:00Z', 'late and waits for the next invoice'],
    ['2025-03-05T00:00:00Z', 'so late that the next close just looks back at it'],
  ])('tells what was counted for %s, %s, and does not call it a difference', async (hour) => {
    const late = `insert into usage.late_usage values ('${bob}', 'search', '${hour.slice(0, 7)}', 9);`;
    const plant = counted(hour, 5) + late;
    expect(await planted(fixture.owner, plant, checkLedger)).toMatchObject({ waiting: 1, differences: [] });
  });

  it.each([
    plant('each ledger transaction sums to zero', /^transaction close:.*: 2 entries, sum 1$/)`
    update billing.ledger_entry set amount_micros = amount_micros + 1 where place = 1 and ${first}`,
    plant(
      'each balance is the sum of its entries',
      /^account builder_earned of 0+-0000-4000-8000-0+b: balance -2454001, entries -2454000$/,
    )`
    update billing.ledger_account set balance_micros = balance_micros - 1 where kind = 'builder_earned'`,
    plant('each invoice charges the sum of its lines', /^invoice 1 \(.*\): charge 1234000, lines 1234010$/)`
    update billing.invoice_line set charge_micros = charge_micros + 10
       where invoice_id in (select invoice_id from billing.invoice where number = 1)`,
    plant(
      'each invoice bills or carries its whole charge',
      /^invoice 1 \(.*\): 1234000 \+ 0 in, 124 cents \+ 4000 out$/,
    )`
    update billing.invoice set total_cents = total_cents + 1 where number = 1`,
    plant(
      'each invoice carries in the amount that the one before carried out',
      /^invoice 3 \(.*\): carried in 0, the one before carried out 4000$/,
    )`
    update billing.invoice set carried_in_micros = 0, carried_out_micros = carried_out_micros - 4000 where number = 3`,
    plant('invoice numbers have no gaps', /^invoice 3 \(.*\) is the 2\. in their order$/)`
    update billing.invoice set number = 9 where number = 2`,
    plant(
      'the postings of closes are the lines, and nothing else',
      /^close:.*\?, builder_earned of .*: lines 0, ledger -/,
    )`
    update billing.ledger_transaction set business_key = business_key || '?' where ${first}`,
    plant(
      closed,
      /^search, charge 0 of price .* for 10000000-.* in 2026-01: -1 calls, -0.001 USD was counted and never billed/,
    )`
    update usage.rollup set calls = calls - 1 where hour = '2026-01-06Z'`,
    [
      closed, // too late for any close to look back at
      counted('2025-02-05T00:00:00Z', 6),
      / for 2.* in 2025-02: 6 calls, 0\.006 USD was counted and never billed/,
    ],
    plant(closed, /1236 calls, 1.237 USD is not its quantity at its price$/)`
    update billing.invoice_line set quantity = quantity - 1 where adjustment_of is not null`,
  ])('names the rows where this does not hold: %s', async (name, wrong, example) => {
    const { differences } = await planted(fixture.owner, wrong, checkLedger);
    const examples = differences.find(({ check }) => check === name)?.examples;
    expect(examples).toContainEqual(expect.stringMatching(example));
  });
});

describe('tollgate ledger check on what was collected', () => {
  /** Ada pays 1,100 USD; Bob's 10 USD are written off. */
  const fixture = useCollectionOnce({
    uses: { [ada]: 1_100, [bob]: 10 },
    cards: { [ada]: 'visa' },
    async last({ reach }) {
      await reach('2026-02-02T00:00:00Z');
      await reach('2026-06-01T00:00:00Z');
    },
  });

  it('finds nothing where nothing is wrong', async () => {
    await expect(fixture.proveLedger()).resolves.toBeUndefined();
  });

  it.each([
    plant(inOrder, /^line 1 of invoice .* as 2\. with 1100000000, expected by .* as 1\. with 1100000000$/)`
    ${ofLines('release_place = release_place + 1')}`,
    [inOrder, ofLines(`gross_key = '2025-12'`), /^line 1 of invoice /],
    plant(
      'each payment releases its collected amount, but for carried amounts',
      /released 1100000001, collected 110000 cents, carried 0$/,
    )`
    ${ofLines('charge_micros = charge_micros + 1, earning_micros = earning_micros + 1')}`,
    plant(
      'each builder’s gross is its released less its refunded charges',
      /^builder e.*, lifetime: gross 1100000001, lines 1100000000$/,
    )`
    update billing.builder_gross set gross_micros = gross_micros + 1`,
    plant(
      'the fees taken from each builder are the fee on its gross',
      /^builder e.*, lifetime: gross 1100000000, fees 4000001, expected 4000000$/,
    )`
    ${ofLines('fee_micros = fee_micros + 1, earning_micros = earning_micros - 1')}`,
    plant(
      'the ledger has each payment with its released lines',
      /^paid:.*, builder_payable of e.*: expected -1096000000, ledger 0$/,
    )`
    ${renamed('paid:', 'repaid:')}`,
    [writtenOff, renamed('written-off:', 'off:'), /^invoice .*, receivable of b.*: expected -10000000, ledger 0$/],
    plant(writtenOff, /^invoice .*, builder_earned of e.*: expected 0, ledger 10000000$/)`
    update billing.invoice set status = 'past_due' where status = 'uncollectible'`,
    plant(
      'each successful charge paid its invoice or is a stray',
      /^invoice 1 \(.*\): charged 1100010000, paid 1100000000, stray 0$/,
    )`
    ${ofCharges('amount_cents = amount_cents + 1')}`,
    plant('the ledger has the processor’s fee on each charge', /^charge-fee:.*: expected 32210000, ledger 32200000$/)`
    ${ofCharges('fee_cents = fee_cents + 1')}`,
    plant(
      'each released or refunded charge is its earning plus its fee',
      /charge 1100000000, earning 1096000001, fee 4000000$/,
    )`
    ${ofLines('earning_micros = earning_micros + 1')}`,
  ])('names the rows where this does not hold: %s', async (name, wrong, example) => {
    const { differences } = await planted(fixture.owner, wrong, checkLedger);
    const examples = differences.find(({ check }) => check === name)?.examples;
    expect(examples).toContainEqual(expect.stringMatching(example));
  });
});

describe('tollgate ledger check', () => {
  const bob = '10000000-0000-4000-8000-000000000001';

  const fixture = useOnce(() => createPayoutsFixture());

  /** January was lowered by a cent and is paid, February is on its way. */
  beforeAll(async () => {
    await fixture.addBuilder('a');
    await fixture.earn({ period: '2026-01', letter: 'a', consumerId: bob, calls: 1_000 });
    await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
    await fixture.reachPayoutDay('2026-01');
    await fixture.refund({ consumerId: bob, period: '2026-01', cents: 1n });
    fixture.clock.advance(dayMs);
    await fixture.runDue();
    await fixture.earn({ period: '2026-02', letter: 'a', consumerId: bob, calls: 500 });
    await fixture.failures.add({ on: 'transfer', failure: 'insufficient_funds', times: 1, subjectId: undefined });
    await fixture.reachPayoutDay('2026-02');
  });

  it('finds payouts, paid and on their way, as they should be', async () => {
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid' }, { status: 'scheduled' }]);
    await fixture.proveLedger();
  });

  it.each([
    [
      'a payout that is said to be on its way',
      ofPayout(`status = 'scheduled', paid_at = null, due_at = created_at`),
      [perPayout, inTransit],
    ],
    [
      'a payout that is said to be paid',
      ofPayout(`status = 'paid', paid_at = created_at, due_at = null`, '2026-02'),
      [perPayout, inTransit],
    ],
    ['a cent more than was earned', ofPayout('net_cents = net_cents + 1'), [perTransfer, perLines]],
    ['a cent too much that was held back', ofPayout('held_cents = held_cents + 1'), [perLines]],
    ['a cent that no earlier payout held back', ofPayout('held_cents = held_cents + 1', '2026-02'), [perLines]],
    [
      'a remainder that the next payout does not begin with',
      ofPayout('earning_left_micros = earning_left_micros + 1'),
      [perLines],
    ],
    ['a cent of fee that was not taken', ofPayout('fee_cents = fee_cents + 1'), [perLines]],
    [
      'a line that no payout took',
      `update billing.released_line set payout_id = null where payout_id = ${january}`,
      [perLines],
    ],
    [
      'a second transfer',
      `insert into billing.processor_attempt select gen_random_uuid(), kind, subject_id, 3, processor, 'another', amount_cents,
         party_id, null, status, 'tr_another', null, 0, started_at, begun_at, null, settled_at
       from billing.processor_attempt where ${itsTransfer}`,
      [perPayout, 'no payout was transferred twice', perBuilder],
    ],
    [
      'a transfer of another amount',
      `update billing.processor_attempt set amount_cents = amount_cents + 1 where ${itsTransfer}`,
      [perPayout, perTransfer, perBuilder],
    ],
  ])('finds %s', async (_what, wrong, expected) => {
    const { differences } = await planted(fixture.owner, wrong, checkLedger);
    expect(differences.map(({ check }) => check)).toEqual(expected);
    expect(differences.every(({ examples }) => examples.length > 0)).toBe(true);
  });
});

describe('the nightly ledger check', () => {
  afterEach(async () => {
    await Promise.all(checks.map((check) => check.stop()));
    checks = [];
  });

  it('F328 waits for the night, then counts and tells the checks that do not hold, once for all processes', async () => {
    const metrics = createMetrics({ service: 'billing' });
    const both = [newCheck(metrics), newCheck(metrics)];
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-21T03:00:00.000Z', null, null]]);

    await testing.owner.query('alter table billing.ledger_account disable trigger user');
    await testing.owner.query(`insert into billing.ledger_account (kind, balance_micros) values ('cash', 7)`);
    clock.set(Date.parse('2026-11-21T03:04:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-22T03:00:00.000Z', '2026-11-21T03:04:00.000Z', 1]]);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 1');

    await testing.owner.query(`delete from billing.ledger_account`);
    clock.set(Date.parse('2026-11-22T03:00:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect((await known())[0]?.[2]).toBe(0);
    const told = await takeTold(testing.owner, 'billing');
    const found = {
      books: 'ledger',
      differences: 1,
      checked_at: '2026-11-21T03:04:00.000Z',
      version: expect.any(Number),
    };
    expect(told).toMatchObject([{ type: 'ledger.difference_found', account_id: null, data: found }]); // F328
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_ledger_differences{service="billing"} 0');
  });

  it('is done by another process an hour after the first one died', async () => {
    const begunAt3 = `update billing.ledger_check set due_at = '2026-11-22T04:00:00Z', checked_at = null`;
    await testing.owner.query(begunAt3);
    clock.set(Date.parse('2026-11-22T04:00:00Z'));
    await newCheck().start();
    await eventually(async () => (await known())[0]?.[1] === '2026-11-22T04:00:00.000Z', { withinMs: 20_000 });
    expect(await known()).toEqual([['2026-11-23T03:00:00.000Z', '2026-11-22T04:00:00.000Z', 0]]);
  });
});
