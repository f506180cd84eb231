import { describe, expect, it } from '@jest/globals';
import type { StripeState } from '@tollgate/testkit/stripe-double/stripe-state';
import { collectionDay, payoutDay, useStripeMoneyOnce } from '../support/use-stripe-money.ts';

/** January: 30.00 charged, 1.00 given back, 30.00 transferred, a dispute lost, one open. All is known. */
const fixture = useStripeMoneyOnce({
  calls: 3_000,
  reached: [collectionDay, payoutDay],
  async then({ refund, deliver, double: { banks, state, webhooks } }) {
    await refund(100n);
    banks.decideDispute(banks.dispute(only(state.paymentIntents).id, { amount: 700 }), 'lost');
    banks.dispute(only(state.paymentIntents).id, { amount: 300 });
    await deliver(webhooks.events);
  },
});

function only<Kept>(kept: ReadonlyMap<string, Kept>): Kept {
  const [first] = kept.values();
  if (first === undefined) throw new Error('there is none');
  return first;
}

type Collection = 'paymentIntents' | 'refunds' | 'transfers' | 'disputes' | 'balanceTransactions' | 'charges';

/** Returns what reconcile says of a change at Stripe that no webhook reports. Afterwards Stripe is as before. */
async function afterChange(change: (state: StripeState) => void): Promise<readonly string[]> {
  const { state } = fixture.double;
  const names: readonly Collection[] = [
    'paymentIntents',
    'refunds',
    'transfers',
    'disputes',
    'balanceTransactions',
    'charges',
  ];
  const kept = names.map((name) => [name, [...state[name]]] as const);
  const { balanceCents } = state;
  change(state);
  const found = await fixture.reconcile('2026-01');
  for (const [name, entries] of kept) {
    const map: Map<string, unknown> = state[name];
    map.clear();
    for (const [id, object] of entries) map.set(id, object);
  }
  state.balanceCents = balanceCents;
  return found;
}

function replace<Kept extends { readonly id: string }>(map: Map<string, Kept>, change: Partial<Kept>): void {
  const object = only(map);
  map.set(object.id, { ...object, ...change });
}

describe('F121 reconcile with Stripe', () => {
  it('finds nothing where nothing is wrong, with an open dispute and money of the platform’s own', async () => {
    expect(await fixture.reconcile('2026-01')).toEqual([]);
    fixture.double.banks.setBalance(fixture.double.state.balanceCents - 1_000); // the platform takes a deposit back
    expect(await fixture.reconcile('2026-01')).toEqual([]);
    expect(await fixture.reconcile('2026-02')).toEqual([]);
  });

  it.each<[string, (state: StripeState) => void, RegExp]>([
    [
      'a refund made by hand',
      (state) => void state.refunds.set('re_1', { ...only(state.refunds), id: 're_1', amount: 200, metadata: {} }),
      /^refund re_.* of 2 USD: we never ordered it/,
    ],
    [
      'a transfer reversed in part',
      (state) => fixture.double.banks.reverseTransfer(only(state.transfers).id, 700),
      /^transfer .*: 0 USD of it came back with us, 7 USD at the processor/,
    ],
    [
      'a dispute that we lack',
      (state) => fixture.double.banks.dispute(only(state.paymentIntents).id, { amount: 90 }),
      /^dispute du_.* of 0\.9 USD .*: we do not have it/,
    ],
    [
      'a lost dispute that was won',
      (state) => fixture.double.banks.decideDispute(only(state.disputes).id, 'won'),
      /^dispute du_.*: it is of 7 USD and lost with us, of 7 USD and won/,
    ],
    [
      'another currency',
      (state) => replace(state.transfers, { currency: 'eur' as 'usd' }),
      /^transfer .*: the processor has the currency eur/,
    ],
    [
      'another destination',
      (state) => replace(state.transfers, { destination: 'acct_evil' }),
      /^transfer .*: it is of acct_.* with us, of acct_evil/,
    ],
    [
      'another customer',
      (state) => replace(state.paymentIntents, { customer: 'cus_evil' }),
      /^charge .*: it is of cus_.* with us, of cus_evil/,
    ],
    [
      'a fee',
      ({ balanceTransactions: all }) =>
        [...all.values()].filter(({ type }) => type === 'charge').forEach((one) => all.set(one.id, { ...one, fee: 1 })),
      /^charge .*: its fee is 1\.17 USD, at the processor 0\.01 USD/,
    ],
    [
      'money that left in no known way',
      (state) => void (state.balanceCents -= 5),
      /^the processor holds .* USD that billing moved/,
    ],
  ])('names %s', async (_what, change, row) => {
    expect(await afterChange(change)).toContainEqual(expect.stringMatching(row));
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  });
});
