import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StripeState } from '@tollgate/testkit/stripe-double/stripe-state';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { balancesSql, deletePostingSql, plant, type PlantedRow, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';
import { createStripeMoneyFixture, type StripeMoneyFixture } from '../support/stripe-money-fixture.ts';

let fixture: StripeMoneyFixture;
let id: string;

/** The platform's 10.00 are on their way to its bank, and booked. */
beforeAll(async () => {
  fixture = await createStripeMoneyFixture();
  fixture.clock.set(Date.parse('2026-02-02T00:00:01.000Z'));
  id = fixture.double.banks.payOut(1_000);
  await fixture.deliver(fixture.double.webhooks.events);
}, 30_000);

afterAll(() => fixture.drop());

function change(state: StripeState, payoutId: string, facts: object): void {
  const payout = state.payouts.get(payoutId);
  if (payout) state.payouts.set(payoutId, { ...payout, ...facts });
}

/** Returns what reconcile says of a change at Stripe that no webhook reports. Afterwards Stripe is as before. */
async function afterChange(plant: (state: StripeState) => void): Promise<readonly string[]> {
  const { state } = fixture.double;
  const [payouts, transactions, { balanceCents }] = [[...state.payouts], [...state.balanceTransactions], { ...state }];
  plant(state);
  const found = await fixture.reconcile('2026-02');
  state.payouts.clear();
  for (const [payoutId, payout] of payouts) state.payouts.set(payoutId, payout);
  state.balanceTransactions.clear();
  for (const [transactionId, transaction] of transactions) state.balanceTransactions.set(transactionId, transaction);
  state.balanceCents = balanceCents;
  return found;
}

describe('F231 reconcile and the ledger check name', () => {
  it.each<[string, (state: StripeState) => void, RegExp]>([
    [
      'a payout that is not booked',
      () => void fixture.double.banks.payOut(700),
      /^payout po_.* of 7 USD .*: it is not booked/,
    ],
    [
      'its absence there',
      (state) => state.payouts.clear(),
      /^payout po_.* of 10 USD to the platform’s bank: the processor has none/,
    ],
    [
      'another amount',
      (state) => change(state, id, { amount: 900 }),
      /it is of 10 USD with us, 9 USD at the processor/,
    ],
    ['another currency', (state) => change(state, id, { currency: 'eur' }), /its currency is usd with us, eur at/],
    ['another date', (state) => change(state, id, { created: 1_770_000_000 }), /it was made at .* with us, .* at/],
    [
      'a return that is not booked',
      () => fixture.double.banks.returnPayout(id),
      /it took 10 USD with us, 0 USD at the processor/,
    ],
    [
      'another fee',
      ({ balanceTransactions: all }) =>
        [...all.values()].filter(({ type }) => type === 'payout').forEach((one) => all.set(one.id, { ...one, fee: 3 })),
      /its fee is 0 USD with us, 0\.03 USD at the processor/,
    ],
  ])('a payout at Stripe: %s', async (_what, plant, row) => {
    expect(await afterChange(plant)).toContainEqual(expect.stringMatching(row));
    expect(await fixture.reconcile('2026-02')).toEqual([]);
  });

  it.each<PlantedRow>([
    ['an amount', 'update billing.own_payout set amount_cents = 900', /payout po_.* of 900 cents: taken 1000/],
    ['what was taken', 'update billing.own_payout set taken_cents = 0', /taken 0 with a fee of 0, ledger 10000000/],
    ['a fee', 'update billing.own_payout set fee_cents = 5', /with a fee of 5, ledger 10000000 and 0/],
    plant('a removed posting', /own_payouts: payout .*: the ledger posted 0 USD at the bank/)`
    ${deletePostingSql('own-payout:%')}`,
    plant(
      'a posting that was doubled',
      /own_payouts: payout .*: the ledger posted 20 USD at the bank and a fee of 0 USD/,
    )`
    update billing.ledger_entry e set amount_micros = amount_micros * 2 from billing.ledger_transaction t
       where t.transaction_id = e.transaction_id and business_key like 'own-payout:%'; ${balancesSql}`,
    plant('a posting too many', /every posting belongs to a document: own-payout:/)`
    ${postSql(`'own-payout:' || (select own_payout_id from billing.own_payout) || ':2'`, { from: 'cash', to: 'bank', micros: 5 })}`,
    plant('a posting in other accounts', /every posting uses only the accounts of its kind: own-payout:/)`
    ${postSql(`'own-payout:' || (select own_payout_id from billing.own_payout) || ':2'`, { from: 'cash', to: 'platform_fees', micros: 5 })}`,
    ['a removed payout', 'delete from billing.own_payout', /own_payouts: payout po_.*: it is not booked/],
    ['a date', `update billing.own_payout set made_at = made_at - interval '1 hour'`, /it was made at/],
  ])('with us: %s', async (...[, sql, found]) => {
    const rows = await planted(fixture.owner, sql, async (database) => {
      const reconcile = createReconcile({ database, processor: fixture.processor() });
      const { steps } = await reconcile({ period: '2026-02', accountId: undefined });
      const { differences } = await checkLedger(database);
      return [
        ...steps.flatMap(({ name, rows: differing }) => differing.map((row) => `${name}: ${row}`)),
        ...differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`)),
      ];
    });
    expect(rows).toContainEqual(expect.stringMatching(found));
  });
});
