import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkLedger, type LedgerReport } from '../../src/audit/check-ledger.ts';
import { guards } from '../support/guards.ts';
import { createInvoicingFixture, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const ada = '10000000-0000-4000-8000-000000000000';
const bob = '20000000-0000-4000-8000-000000000000';
const tables = ['ledger_entry', 'ledger_transaction', 'ledger_account', 'invoice_line', 'invoice'];

let fixture: InvoicingFixture;
let undo: string[] = [];

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

afterEach(async () => {
  for (const statement of undo.toReversed()) await fixture.owner.query(statement);
  undo = [];
});

/** What no service can do: by hand, with all triggers off. */
async function plant(statement: string, back: string): Promise<void> {
  await fixture.owner.query(guards('disable', tables));
  await fixture.owner.query(statement);
  undo = [guards('enable', tables), back];
}

const check = (): Promise<LedgerReport> => checkLedger(fixture.worker);
const firstOf = (table: string, key: string) => `${key} = (select min(${key}) from billing.${table})`;
const entry = firstOf('ledger_entry', 'transaction_id');
const number = (place: number) => `number = ${place}`;

describe('tollgate ledger check', () => {
  it('finds ledger, invoices and closed periods, adjustments included, as they should be', async () => {
    expect(await check()).toEqual({
      transactions: 4,
      entries: 9,
      invoices: 4,
      lines: 5,
      closedPeriods: 2,
      waiting: 0,
      differences: [],
    });
  });

  it('tells what was counted late and waits for the next invoice, and does not call it a difference', async () => {
    undo = [`delete from usage.rollup where hour = '2026-01-07Z'`];
    await fixture.addUsage({ consumerId: bob, tool: 'search', hour: '2026-01-07T00:00:00Z', calls: 5 });
    expect(await check()).toMatchObject({ waiting: 1, differences: [] });
  });

  it('names what was counted too late for any close to look back at', async () => {
    undo = [`delete from usage.rollup where hour < '2026-01-01Z'`];
    await fixture.addUsage({ consumerId: bob, tool: 'search', hour: '2025-03-05T00:00:00Z', calls: 5 });
    expect(await check()).toMatchObject({ waiting: 1, differences: [] });
    await fixture.addUsage({ consumerId: bob, tool: 'search', hour: '2025-02-05T00:00:00Z', calls: 6 });
    const example = expect.stringMatching(/ for 2.* in 2025-02: 6 calls, 0\.006 USD was counted and never billed/);
    expect(await check()).toMatchObject({ waiting: 1, differences: [{ rows: 1, examples: [example] }] });
  });

  it.each([
    [
      'each ledger transaction sums to zero',
      `update billing.ledger_entry set amount_micros = amount_micros + 1 where place = 1 and ${entry}`,
      `update billing.ledger_entry set amount_micros = amount_micros - 1 where place = 1 and ${entry}`,
      /^transaction close:.*: 2 entries, sum 1$/,
    ],
    [
      'each balance is the sum of its entries',
      `update billing.ledger_account set balance_micros = balance_micros - 1 where kind = 'builder_earned'`,
      `update billing.ledger_account set balance_micros = balance_micros + 1 where kind = 'builder_earned'`,
      /^account builder_earned of 0+-0000-4000-8000-0+b: balance -2454001, entries -2454000$/,
    ],
    [
      'each invoice charges the sum of its lines',
      `update billing.invoice_line set charge_micros = charge_micros + 10 where invoice_id in (select invoice_id from billing.invoice where ${number(1)})`,
      `update billing.invoice_line set charge_micros = charge_micros - 10 where invoice_id in (select invoice_id from billing.invoice where ${number(1)})`,
      /^invoice 1 \(.*\): charge 1234000, lines 1234010$/,
    ],
    [
      'each invoice carries in the amount that the one before carried out',
      `update billing.invoice set carried_in_micros = 0, carried_out_micros = carried_out_micros - 4000 where ${number(3)}`,
      `update billing.invoice set carried_in_micros = 4000, carried_out_micros = carried_out_micros + 4000 where ${number(3)}`,
      /^invoice 3 \(.*\): carried in 0, the one before carried out 4000$/,
    ],
    [
      'invoice numbers have no gaps',
      `update billing.invoice set number = 9 where ${number(2)}`,
      `update billing.invoice set number = 2 where ${number(9)}`,
      /^invoice 3 \(.*\) is the 2\. in their order$/,
    ],
    [
      'the postings of closes are the lines, and nothing else',
      `update billing.ledger_transaction set business_key = business_key || '?' where ${entry}`,
      `update billing.ledger_transaction set business_key = trim(business_key, '?') where ${entry}`,
      /^close:.*\?, builder_earned of .*: lines 0, ledger -/,
    ],
    [
      'rating closed periods again gives their lines and adjustments',
      `update usage.rollup set calls = calls - 1 where hour = '2026-01-06Z'`,
      `update usage.rollup set calls = calls + 1 where hour = '2026-01-06Z'`,
      /^search, charge 0 of price .* for 10000000-.* in 2026-01: -1 calls, -0.001 USD was counted and never billed/,
    ],
    [
      'rating closed periods again gives their lines and adjustments',
      `update billing.invoice_line set quantity = quantity - 1 where adjustment_of is not null`,
      `update billing.invoice_line set quantity = quantity + 1 where adjustment_of is not null`,
      /1236 calls, 1.237 USD is not its quantity at its price$/,
    ],
  ])('names the rows where this does not hold: %s', async (name, statement, back, example) => {
    await plant(statement, back);
    const { differences } = await check();
    const found = differences.find((difference) => difference.check === name);
    expect(found?.examples.find((text) => example.test(text))).toBeDefined();
  });

  it('names invoices that do not add up, even where no constraint refuses them any more', async () => {
    const constraint = await fixture.owner.query<{ conname: string }>(
      `select conname from pg_constraint where conrelid = 'billing.invoice'::regclass and pg_get_constraintdef(oid) like '%10000%'`,
    );
    await fixture.owner.query(`alter table billing.invoice drop constraint "${constraint[0]?.conname}"`);
    await plant(
      `update billing.invoice set total_cents = total_cents + 1 where ${number(1)}`,
      `update billing.invoice set total_cents = total_cents - 1 where ${number(1)}`,
    );
    expect((await check()).differences).toEqual([
      {
        check: 'each invoice bills or carries its whole charge',
        rows: 1,
        examples: [expect.stringMatching(/^invoice 1 \(.*\): 1234000 \+ 0 in, 124 cents \+ 4000 out$/)],
      },
    ]);
  });

  it('is whole again when what was planted is taken away', async () => {
    expect((await check()).differences).toEqual([]);
  });
});
