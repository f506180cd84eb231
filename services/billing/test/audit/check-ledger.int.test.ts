import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createInvoicingFixture, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { planted } from '../support/planted.ts';
import { plant } from '../support/plant-sql.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const ada = '10000000-0000-4000-8000-000000000000';
const bob = '20000000-0000-4000-8000-000000000000';

let fixture: InvoicingFixture;

beforeAll(async () => {
  fixture = await createInvoicingFixture();
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

afterAll(() => fixture.drop());

const counted = (hour: string, calls: number) =>
  `insert into usage.rollup values ('${bob}', 'search', '${hour}', true, ${calls}, 0);`;
const first = 'transaction_id = (select min(transaction_id) from billing.ledger_entry)';
const closed = 'rating closed periods again gives their lines and adjustments';

describe('tollgate ledger check', () => {
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
