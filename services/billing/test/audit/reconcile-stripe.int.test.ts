import { describe, expect, it } from '@jest/globals';
import type { StripeState } from '@tollgate/testkit/stripe-double/stripe-state';
import { collectionDay, payoutDay, useStripeMoneyOnce } from '../support/use-stripe-money.ts';
import { onlyRow } from '@tollgate/database/database';
import { minuteMs } from '@tollgate/kernel/durations';
import { reconcileInbox } from '../../src/audit/reconcile-inbox.ts';
import { createStripeClient } from '../../src/processor/stripe/stripe-client.ts';
import { createStripeProcessor } from '../../src/processor/stripe/stripe-processor.ts';
import { planted } from '../support/planted.ts';

function only<Kept>(kept: ReadonlyMap<string, Kept>): Kept {
  const [first] = kept.values();
  if (first === undefined) throw new Error('there is none');
  return first;
}

type Collection = 'paymentIntents' | 'refunds' | 'transfers' | 'disputes' | 'balanceTransactions' | 'charges';

function replace<Kept extends { readonly id: string }>(map: Map<string, Kept>, change: Partial<Kept>): void {
  const object = only(map);
  map.set(object.id, { ...object, ...change });
}

const notKept = 'stripe keeps events for 30 days, so those of before 2026-01-09T02:00:00.000Z were not compared.';

describe('F121 reconcile with Stripe', () => {
  /** January: 30.00 charged, 1.00 given back, 30.00 transferred, a dispute lost, one open. All is known. */
  const fixture = useStripeMoneyOnce({
    calls: 3_000,
    reached: [collectionDay, payoutDay],
    async last({ refund, deliver, double: { banks, state, webhooks } }) {
      await refund(100n);
      banks.decideDispute(banks.dispute(only(state.paymentIntents).id, { amount: 700 }), 'lost');
      banks.dispute(only(state.paymentIntents).id, { amount: 300 });
      await deliver(webhooks.events);
    },
  });

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

describe('F278 the inbox of webhooks and the events at Stripe', () => {
  /** January’s invoice is collected on February 2nd, and its builder is paid on the 8th. All webhooks have arrived. */
  const fixture = useStripeMoneyOnce({
    calls: 3_000,
    reached: [collectionDay, payoutDay],
    async last({ clock, deliver, double }) {
      await deliver(double.webhooks.events);
      clock.set(Date.parse('2026-02-08T01:00:00.000Z'));
    },
  });

  /** The verdict of the step on these changes, which are undone after it. */
  function verdict(sql = 'select', { period = '2026-01', eventsMax = 1_000, processor = fixture.processor() } = {}) {
    return planted(fixture.owner, sql, (database) => reconcileInbox({ database, processor, eventsMax }, period));
  }

  it('agree where every webhook has arrived, of the types that billing wants and of the last 30 days', async () => {
    const { webhooks } = fixture.double;
    expect(webhooks.events.map(({ type }) => type)).toEqual([
      'payment_method.attached',
      'checkout.session.completed',
      'account.updated',
      'payment_intent.created',
      'charge.succeeded',
      'payment_intent.succeeded',
      'transfer.created',
    ]); // the first three are of January 2nd, and those of charges are not wanted
    expect(await verdict()).toEqual({
      name: 'inbox_events',
      unit: 'events',
      left: { what: 'webhooks in our inbox', count: 3n, sum: '3' },
      right: { what: 'events at stripe that they tell of', count: 3n, sum: '3' },
      differing: 0,
      rows: [],
      note: notKept,
    });
    expect(await verdict('select', { period: '2026-02' })).toMatchObject({ left: { count: 3n }, note: null });
  });

  it('differ where the inbox was emptied: each event is named', async () => {
    const { differing, rows } = await verdict('delete from billing.webhook_event');
    expect([differing, ...rows]).toEqual([
      3,
      expect.stringMatching(
        /^event evt_\w+ \(transfer\.created\) of 2026-02-08T00:00:01\.000Z: its webhook is not in our/,
      ),
      expect.stringMatching(/^event evt_\w+ \(payment_intent\.succeeded\) of 2026-02-02T.*: its webhook is not in our/),
      expect.stringContaining('(payment_intent.created)'),
    ]);
  });

  it('differ where a webhook is in the inbox that Stripe has no event of', async () => {
    const invented = (createdAt: string) =>
      `insert into billing.webhook_event (processor, event_id, type, object_kind, object_id, received_at, created_at)
       values ('stripe', 'evt_invented', 'payment_intent.succeeded', 'charge', 'pi_1', '2026-02-08Z', '${createdAt}')`;
    expect((await verdict(invented('2026-01-31Z'))).rows).toEqual([
      'event evt_invented (payment_intent.succeeded) of 2026-01-31T00:00:00.000Z: it is in our inbox, and the processor has none',
    ]);
    expect((await verdict(invented('2026-01-05Z'))).rows).toEqual([]); // received lately, and too old for Stripe's list
  });

  it('are compared from the newest day on, as far as there are not too many', async () => {
    const { left, note } = await verdict('select', { eventsMax: 1 });
    expect(left.count).toBe(1n); // that of the 8th
    expect(note).toBe(
      `${notKept} There are too many events, so those of before 2026-02-08T00:00:00.000Z were not compared.`,
    );
  });

  it('are not compared where Stripe does not answer or refuses, and the note says why', async () => {
    const { faults, baseUrl: apiUrl } = fixture.double;
    const emptied = 'delete from billing.webhook_event';
    faults.script({ at: 'GET /v1/events', what: 500, effect: 'not_done', times: 3 });
    expect(await verdict(emptied)).toMatchObject({
      differing: 0,
      note: 'The inbox could not be compared with the events at stripe: The payment processor cannot be reached.',
    });
    const stripe = createStripeClient({ secretKey: 'rk_test_without_rights', apiUrl, timeoutMs: 1_000 });
    const processor = createStripeProcessor({ stripe, clock: fixture.clock });
    expect(await verdict(emptied, { processor })).toMatchObject({
      differing: 0,
      note: expect.stringMatching(/^The inbox could not be compared with the events at stripe: .*key/),
    });
    expect(await verdict(emptied)).toMatchObject({ differing: 3 });
  });

  it('may differ by a webhook that is under way for 15 minutes', async () => {
    const atMs = fixture.clock.now();
    const { type } = onlyRow(fixture.double.webhooks.events.slice(-1));
    fixture.double.banks.reverseTransfer(onlyRow([...fixture.double.state.transfers.keys()]), 1);
    const lost = onlyRow(fixture.double.webhooks.events.slice(-1));
    expect([type, lost.type]).toEqual(['transfer.created', 'transfer.reversed']);
    fixture.clock.set(atMs + 15 * minuteMs);
    expect(await verdict()).toMatchObject({ differing: 0 });
    fixture.clock.set(atMs + 16 * minuteMs);
    expect((await verdict()).rows).toEqual([expect.stringContaining(lost.id)]);
    await fixture.deliver([lost]);
    expect(await verdict()).toMatchObject({ differing: 0, left: { count: 4n }, right: { count: 4n } });
  });
});
