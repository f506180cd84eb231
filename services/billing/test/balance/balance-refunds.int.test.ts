import { describe, expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { byOperator } from '../support/by-operator.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { silentLog as log } from '../support/silent-log.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

/** Ada tops up 5 USD, then 8. */
const fixture = useCollection({
  now: '2026-01-10T00:00:00Z',
  cards: { [ada]: 'visa' },
  async last({ topUp, clock }) {
    await topUp(ada, 500n);
    clock.advance(60_000);
    await topUp(ada, 800n);
  },
});

async function later(minutes: number): Promise<void> {
  fixture.clock.advance(minutes * 60_000);
  await fixture.runDue();
}

const fail = (failure: 'decline' | 'timeout_before_effect' | 'timeout_after_effect' | 'reverse_later') =>
  fixture.failures.add({ on: 'refund', failure, times: 1, subjectId: undefined });

const useCalls = (calls: number) =>
  fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls });

/** In cents, with what each credit has left, in the order in which they are spent. */
async function balance(): Promise<string> {
  const { balanceMicros, credits } = await fixture.findBalance(ada);
  return [balanceMicros / 10_000n, ...credits.map(({ leftCents }) => leftCents)].join(' ');
}

describe('F101 a refund of the balance', () => {
  it('goes back to the cards of its top-ups, the newest first, and never takes a grant', async () => {
    await fixture.grant(ada, 300n);
    expect(await fixture.refundBalance(ada, 1_000n)).toBe('1000: 800 succeeded, 200 succeeded');
    expect(await fixture.refundsAtSandbox()).toEqual(['succeeded 200', 'succeeded 800']);
    expect(await balance()).toBe('600 300 300');
    expect(await fixture.refundBalance(ada)).toBe('300: 300 succeeded');
    expect(await balance()).toBe('300 300');
    await expect(fixture.refundBalance(ada)).rejects.toMatchObject({ code: 'refund_too_large' });
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-3', promotions: '3' });
  });

  it('leaves what calls and invoices need', async () => {
    await useCalls(4);
    await expect(fixture.refundBalance(ada, 901n)).rejects.toMatchObject({
      code: 'refund_too_large',
      message: 'At most 9 USD of this balance can be refunded.',
    });
    expect(await fixture.refundBalance(ada)).toBe('900: 800 succeeded, 100 succeeded');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 400']);
    expect(await balance()).toBe('0');
  });

  it('leaves what the gate holds', async () => {
    await fixture.owner.query(
      `insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state, asked_at, expires_at)
       select gen_random_uuid(), $1, $1, 'search', gen_random_uuid(), gen_random_uuid(), '{}', 2500000, '{}', state, now(), now()
       from unnest(array['open', 'captured', 'released', 'settled', 'expired']) as t (state)`,
      [ada],
    );
    expect(await fixture.refundBalance(ada)).toBe('800: 800 succeeded');
    expect(await balance()).toBe('500 500');
  });

  it('takes no money on which the gate authorizes a call meanwhile, where the balance bounds the account', async () => {
    await fixture.owner.query(
      `insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, alerts, unheld_micros)
       values ('balance', $1, $1, 'epoch', 'infinity', 0, 2000000, 1000000, '{}', 0)`,
      [ada],
    );
    const refused = await fixture.owner.transaction(async (gate) => {
      await gate.query('update gate.cap_state set held_micros = 3000000');
      const refund = fixture.refundBalance(ada, 900n).catch((error: unknown) => error);
      await eventually(() => isLockAwaited(fixture.owner), { withinMs: 5_000 });
      return { refund };
    });
    expect(await refused.refund).toMatchObject({ message: 'At most 8 USD of this balance can be refunded.' });
    expect(await fixture.refundBalance(ada)).toBe('800: 800 succeeded');
    await expect(fixture.refundBalance(ada)).rejects.toMatchObject({ code: 'refund_too_large' });
  });

  it('that the processor refuses comes back onto the balance', async () => {
    await fail('decline');
    expect(await fixture.refundBalance(ada, 900n)).toBe('900: 800 failed declined, 100 succeeded');
    expect(await balance()).toBe('1200 400 800');
    expect(await fixture.refundBalance(ada, 900n)).toBe('900: 800 succeeded, 100 succeeded');
  });

  it.each(['timeout_after_effect', 'timeout_before_effect'] as const)(
    'whose answer is lost (%s) is spent by nothing until it is looked up, and goes back once',
    async (failure) => {
      await fail(failure);
      await useCalls(2);
      expect(await fixture.refundBalance(ada, 800n, { key: 'one' })).toBe('800: 800 pending');
      expect(await balance()).toBe('500 500');
      expect(await fixture.balances()).toMatchObject({ 'refund_in_transit a': '-8' });
      await expect(fixture.refundBalance(ada, 301n)).rejects.toMatchObject({ code: 'refund_too_large' });
      await later(2);
      expect(await fixture.refundBalance(ada, 800n, { key: 'one' })).toBe('800: 800 succeeded again');
      expect(await fixture.refundsAtSandbox()).toEqual(['succeeded 800']);
      expect(await fixture.balances()).not.toHaveProperty('refund_in_transit a');
      expect(await balance()).toBe('500 500');
    },
  );

  it('whose money the bank returns is on the balance again', async () => {
    await fail('reverse_later');
    expect(await fixture.refundBalance(ada, 800n, { key: 'one' })).toBe('800: 800 succeeded');
    fixture.clock.advance(2 * 3_600_000);
    const text = `select object_id as id from sandbox.movement where kind = 'refund'`;
    const [refund] = await fixture.owner.query<{ id: string }>(text);
    for (const _time of [1, 2]) await fixture.attempts.refresh('refund', refund?.id ?? '');
    expect(await fixture.refundBalance(ada, 800n, { key: 'one' })).toBe('800: 800 failed reversed again');
    expect(await balance()).toBe('1300 500 800');
    expect(await fixture.refundBalance(ada)).toBe('1300: 800 succeeded, 500 succeeded');
  });

  it('that succeeds after it was given up takes what is there, and the platform bears what was spent', async () => {
    await fail('timeout_before_effect');
    expect(await fixture.refundBalance(ada, 800n)).toBe('800: 800 pending');
    fixture.clock.advance(25 * 3_600_000);
    await fixture.runDue({ callMsMax: 0 }); // the key is forgotten, so the order never arrived
    expect(await fixture.balanceRefunds()).toEqual(['a failed 800 of 800 never_made']);
    await useCalls(10);
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await balance()).toBe('300 300');
    const text = `select attempt_id as "attemptId", idempotency_key as "idempotencyKey", amount_cents as "amountCents",
      party_id as "chargeObjectId", subject_id as "refundId" from billing.processor_attempt where kind = 'refund'`;
    const [order] = await fixture.owner.query<Parameters<typeof fixture.processor.refunds.create>[0]>(text);
    if (order === undefined) throw new Error('there is no order');
    const late = await fixture.processor.refunds.create({ ...order, amountCents: 800n });
    await fixture.attempts.refresh('refund', late.objectId ?? '');
    expect(await fixture.balanceRefunds()).toEqual(['a succeeded 800 of 800']);
    expect(await balance()).toBe('0');
    expect(await fixture.balances()).toMatchObject({ rounding: '5' });
  });

  it('is one per key, and two at once never take more than there is', async () => {
    const url = fixture.database.urlFor('billing_worker');
    const others = [1, 2, 3, 4].map((each) => createDatabase({ url, name: `test-worker-${each}`, log }));
    const same = await Promise.all(others.map((on) => fixture.refundBalance(ada, 600n, { key: 'one', on })));
    expect(same.filter((answer) => !answer.endsWith('again'))).toHaveLength(1);
    const own = await Promise.allSettled(others.map((on) => fixture.refundBalance(ada, 400n, { on })));
    await Promise.all(others.map((each) => each.stop()));
    expect(own.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balance()).toBe('300 300');
    await expect(fixture.refundBalance(ada, 601n, { key: 'one' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    expect(await fixture.refundBalance(ada, undefined, { key: 'one' })).toMatch(/ again$/);
  });

  it('of a top-up that is disputed later leaves the rest to the dispute', async () => {
    expect(await fixture.refundBalance(ada, 900n)).toBe('900: 800 succeeded, 100 succeeded');
    await fixture.disputeTopUp(ada, 300n, 'lost');
    expect(await balance()).toBe('100 100');
    expect(await fixture.refundBalance(ada)).toBe('100: 100 succeeded');
    expect(await fixture.balances()).not.toHaveProperty('rounding');
  });

  it('takes nothing of what a dispute took, though an invoice gave it back', async () => {
    await useCalls(13);
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.disputeTopUp(ada, 500n, 'lost');
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    await fixture.refundInvoice({ invoiceId, amountCents: undefined, idempotencyKey: undefined, by: byOperator });
    expect(await balance()).toBe('1300 500 800');
    expect(await fixture.refundBalance(ada)).toBe('800: 800 succeeded');
    expect(await balance()).toBe('500 500');
  });
});
