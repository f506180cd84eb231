import { describe, expect, it } from '@jest/globals';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollectionOnce } from '../support/use-collection.ts';
import { planted } from '../support/planted.ts';
import { plant } from '../support/plant-sql.ts';

/** Ada pays 1,100 USD; Bob's 10 USD are written off. */
const fixture = useCollectionOnce({
  uses: { [ada]: 1_100, [bob]: 10 },
  cards: { [ada]: 'visa' },
  async then({ reach }) {
    await reach('2026-02-02T00:00:00Z');
    await reach('2026-06-01T00:00:00Z');
  },
});

const renamed = (key: string, to: string) =>
  `update billing.ledger_transaction set business_key = replace(business_key, '${key}', '${to}')`;

const ofLines = (change: string) => `update billing.released_line set ${change}`;
const ofCharges = (change: string) => `update billing.processor_attempt set ${change} where status = 'succeeded'`;
const inOrder = 'a paid invoice releases its lines and the unbilled lines before it, in order';
const writtenOff = 'uncollectible and void invoices are written off, and no others';

describe('tollgate ledger check on what was collected', () => {
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
