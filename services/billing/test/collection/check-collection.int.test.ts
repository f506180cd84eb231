import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createCollectionFixture, type CollectionFixture } from '../support/collection-fixture.ts';
import { guards } from '../support/guards.ts';
import { perCall } from '../support/invoicing-fixture.ts';

const ada = 'a0000000-0000-4000-8000-000000000000';
const bob = 'b0000000-0000-4000-8000-000000000000';
const xenia = 'e0000000-0000-4000-8000-000000000000';
const tables = ['ledger_entry', 'ledger_transaction', 'invoice', 'released_line', 'processor_attempt'];

let fixture: CollectionFixture;
let undo: string[] = [];

/** Ada pays 1,100 USD; Bob's 10 USD are written off. */
beforeAll(async () => {
  fixture = await createCollectionFixture();
  await fixture.putTool({ slug: 'search', ownerId: xenia, price: perCall('1') });
  await fixture.putCard(ada, 'visa');
  for (const [consumerId, calls] of [
    [ada, 1_100],
    [bob, 10],
  ] as const)
    await fixture.addUsage({ consumerId, tool: 'search', hour: '2026-01-05T00:00:00Z', calls });
  await fixture.reach('2026-02-02T00:00:00Z');
  await fixture.reach('2026-06-01T00:00:00Z');
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

const renamed = (key: string, to: string) =>
  `update billing.ledger_transaction set business_key = replace(business_key, '${key}', '${to}')`;
const ofLines = (change: string) => `update billing.released_line set ${change}`;
const ofCharges = (change: string) => `update billing.processor_attempt set ${change} where status = 'succeeded'`;

describe('tollgate ledger check on what was collected', () => {
  it.each([
    [
      'a paid invoice releases its lines and the unbilled lines before it, in order',
      ofLines('release_place = release_place + 1'),
      ofLines('release_place = release_place - 1'),
      /^line 1 of invoice .* as 2\. with 1100000000, expected by .* as 1\. with 1100000000$/,
    ],
    [
      'a paid invoice releases its lines and the unbilled lines before it, in order',
      ofLines(`gross_key = '2025-12'`),
      ofLines(`gross_key = 'lifetime'`),
      /^line 1 of invoice /,
    ],
    [
      'each payment releases its collected amount, but for carried amounts',
      ofLines('charge_micros = charge_micros + 1, earning_micros = earning_micros + 1'),
      ofLines('charge_micros = charge_micros - 1, earning_micros = earning_micros - 1'),
      /released 1100000001, collected 110000 cents, carried 0$/,
    ],
    [
      'each builder’s gross is its released less its refunded charges',
      'update billing.builder_gross set gross_micros = gross_micros + 1',
      'update billing.builder_gross set gross_micros = gross_micros - 1',
      /^builder e.*, lifetime: gross 1100000001, lines 1100000000$/,
    ],
    [
      'the fees taken from each builder are the fee on its gross',
      ofLines('fee_micros = fee_micros + 1, earning_micros = earning_micros - 1'),
      ofLines('fee_micros = fee_micros - 1, earning_micros = earning_micros + 1'),
      /^builder e.*, lifetime: gross 1100000000, fees 4000001, expected 4000000$/,
    ],
    [
      'the ledger has each payment with its released lines',
      renamed('paid:', 'repaid:'),
      renamed('repaid:', 'paid:'),
      /^paid:.*, builder_payable of e.*: expected -1096000000, ledger 0$/,
    ],
    [
      'uncollectible and void invoices are written off, and no others',
      renamed('written-off:', 'off:'),
      renamed('off:', 'written-off:'),
      /^invoice .*, receivable of b.*: expected -10000000, ledger 0$/,
    ],
    [
      'uncollectible and void invoices are written off, and no others',
      `update billing.invoice set status = 'past_due' where status = 'uncollectible'`,
      `update billing.invoice set status = 'uncollectible' where status = 'past_due'`,
      /^invoice .*, builder_earned of e.*: expected 0, ledger 10000000$/,
    ],
    [
      'each successful charge paid its invoice or is a stray',
      ofCharges('amount_cents = amount_cents + 1'),
      ofCharges('amount_cents = amount_cents - 1'),
      /^invoice 1 \(.*\): charged 1100010000, paid 1100000000, stray 0$/,
    ],
    [
      'the ledger has the processor’s fee on each charge',
      ofCharges('fee_cents = fee_cents + 1'),
      ofCharges('fee_cents = fee_cents - 1'),
      /^charge-fee:.*: expected 32210000, ledger 32200000$/,
    ],
  ])('names the rows where this does not hold: %s', async (name, statement, back, example) => {
    await plant(statement, back);
    const { differences } = await checkLedger(fixture.worker);
    const found = differences.find((difference) => difference.check === name);
    expect(found?.examples.find((text) => example.test(text))).toBeDefined();
  });

  it('names a line that is not its earning and its fee, even where no constraint refuses it any more', async () => {
    const [constraint] = await fixture.owner.query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = 'billing.released_line'::regclass and pg_get_constraintdef(oid) like '%earning_micros%'`,
    );
    await fixture.owner.query(`alter table billing.released_line drop constraint "${constraint?.name}"`);
    await plant(ofLines('earning_micros = earning_micros + 1'), ofLines('earning_micros = earning_micros - 1'));
    expect((await checkLedger(fixture.worker)).differences).toContainEqual({
      check: 'each released or refunded charge is its earning plus its fee',
      rows: 1,
      examples: [expect.stringMatching(/charge 1100000000, earning 1096000001, fee 4000000$/)],
    });
  });

  it('is whole again when what was planted is taken away', async () => {
    await expect(fixture.proveLedger()).resolves.toBeUndefined();
  });
});
