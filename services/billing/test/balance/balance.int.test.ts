import { beforeEach, describe, expect, it } from '@jest/globals';
import { byOperator } from '../support/by-operator.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { createDatabase } from '@tollgate/database/database';
import { silentLog as log } from '../support/silent-log.ts';
import { putThresholds } from '../../src/balance/sql-balance-threshold.ts';

const inJanuary = '2026-01-10T00:00:00Z';

describe('balance', () => {
  /** Ada owes 10 USD for January, which is due on February 2nd. */
  const fixture = useCollection({ uses: { [ada]: 10 }, now: inJanuary });

  const use = (month: string, calls: number) =>
    fixture.addUsage({ consumerId: ada, tool: 'search', hour: `${month}-05T00:00:00Z`, calls });

  const refund = async (amountCents: bigint) => {
    const invoiceId = await fixture.invoiceId(ada, '2026-01');
    const { refund: made } = await fixture.refundInvoice({
      invoiceId,
      amountCents,
      idempotencyKey: undefined,
      by: byOperator,
    });
    return `${made.status}: ${made.amountCents}, ${made.balanceCents} to the balance`;
  };

  /** In dollars, with what each credit has left. */
  async function balance(): Promise<string[]> {
    const { balanceMicros, credits } = await fixture.findBalance(ada);
    return [String(balanceMicros / 10_000n), ...credits.map(({ leftCents }) => String(leftCents))];
  }

  describe('F226 an invoice', () => {
    it('that the balance covers is paid by it alone, and its builder as by any other payment', async () => {
      await fixture.grant(ada, 1_500n);
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await fixture.charges()).toEqual([]);
      expect(await balance()).toEqual(['500', '500']);
      expect(await fixture.balances()).toEqual({
        'builder_payable e': '-10',
        'consumer_balance a': '-5',
        promotions: '15',
      });
    });

    it('takes the balance first, and charges the card for the rest', async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.grant(ada, 300n);
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 700']);
      expect(await balance()).toEqual(['0']);
      expect(await fixture.balances()).toMatchObject({ 'builder_payable e': '-10', promotions: '3' });
    });

    it('keeps what the balance paid when the card is declined, and charges no more than the rest later', async () => {
      await fixture.putCard(ada, 'declined');
      await fixture.grant(ada, 300n);
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000 again at 02-03 00:00']);
      expect(await fixture.charges()).toEqual(['2026-01 1 failed 700 declined']);
      await fixture.proveLedger();
      await fixture.grant(ada, 200n); // which makes it due at once
      await fixture.runDue();
      await fixture.putCard(ada, 'visa');
      await fixture.runDue();
      expect((await fixture.charges()).slice(1)).toEqual(['2026-01 2 failed 500 declined', '2026-01 3 succeeded 500']);
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    });

    it('is paid by a later credit without a card', async () => {
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.grant(ada, 400n);
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
      await fixture.grant(ada, 600n);
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    });

    it('gives its part back when it is voided or written off, and a written off one takes all or nothing', async () => {
      await fixture.grant(ada, 400n);
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await balance()).toEqual(['0']);
      await fixture.reach('2026-05-02T00:00:00Z');
      expect(await fixture.invoices()).toEqual(['a 2026-01 uncollectible 1000']);
      expect(await balance()).toEqual(['400', '400']);
      await fixture.grant(ada, 500n);
      await fixture.runDue();
      expect(await balance()).toEqual(['900', '400', '500']);
      await fixture.grant(ada, 100n);
      await fixture.runDue();
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await balance()).toEqual(['0']);
    });

    it('whose charge of unknown outcome succeeds after a write-off takes the balance for the rest again', async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.grant(ada, 300n);
      await fixture.failures.add({ on: 'charge', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await fixture.charges()).toEqual(['2026-01 1 unknown 700']);
      await fixture.reach('2026-05-02T00:00:00Z'); // it ages before it is looked up
      expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
      expect(await balance()).toEqual(['0']);
      expect(await fixture.balances()).not.toHaveProperty('rounding');
    });

    it('is charged under the same amount when the outcome is unknown, whatever was granted meanwhile', async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.failures.add({ on: 'charge', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      await fixture.reach('2026-02-02T00:00:00Z');
      await fixture.grant(ada, 300n);
      await fixture.reach('2026-02-02T00:10:00Z');
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1000']);
      expect(await balance()).toEqual(['300', '300']);
    });
  });

  describe('F227 a credit', () => {
    it('that expires first is spent first, and what is left of it goes back to promotions', async () => {
      await fixture.grant(ada, 700n);
      await fixture.grant(ada, 800n, { expires: '2026-03-01T00:00:00Z' });
      await fixture.grant(ada, 600n, { expires: '2026-02-20T00:00:00Z' });
      await fixture.reach('2026-02-02T00:00:00Z');
      expect(await balance()).toEqual(['1100', '400', '700']);
      await fixture.reach('2026-03-01T23:59:00Z'); // calls of its last hour may still be counted
      expect(await balance()).toEqual(['1100', '400', '700']);
      await fixture.reach('2026-03-02T00:00:00Z');
      expect(await balance()).toEqual(['700', '700']);
      expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-7', promotions: '17' });
    });

    it('is granted once per key, refused under it with another amount, and not if it has expired', async () => {
      const first = await fixture.grant(ada, 700n, { key: 'one' });
      expect(await fixture.grant(ada, 700n, { key: 'one' })).toMatchObject({ isReplayed: true, credit: first.credit });
      await expect(fixture.grant(ada, 701n, { key: 'one' })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
      const past = fixture.grant(ada, 1n, { expires: inJanuary });
      await expect(past).rejects.toMatchObject({ code: 'invalid_request' });
      expect(await balance()).toEqual(['700', '700']);
      expect(await fixture.acts()).toEqual([expect.stringContaining('credit.granted')]);
    });

    it('is spent once when several collect and expire at once', async () => {
      await use('2026-02', 8);
      await fixture.grant(ada, 900n);
      await fixture.grant(ada, 500n, { expires: '2026-03-02T00:00:00Z' });
      await fixture.reach('2026-02-01T12:00:00Z');
      fixture.clock.set(Date.parse('2026-03-02T00:00:00Z'));
      await fixture.close('2026-01');
      await fixture.close('2026-02');
      fixture.clock.advance(60_000);
      await fixture.runDueAtOnce();
      await fixture.runDue();
      expect(await balance()).toEqual(['0']);
    });

    it('cannot be overdrawn, by nobody', async () => {
      const { credit } = await fixture.grant(ada, 700n);
      const overdraw = `insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, moved_at)
      values ('anything', $1, $2, -701, now())`;
      await expect(fixture.owner.query(overdraw, [credit.id, ada])).rejects.toThrow('credit_is_never_overdrawn');
      const spend = fixture.worker.transaction(async (tx) => {
        const { postLedger } = await import('../../src/ledger/sql-ledger.ts');
        const { balancePaidPosting } = await import('../../src/balance/balance-postings.ts');
        const more = { invoiceId: ada, accountId: ada, place: 1, cents: 701n, occurredAtMs: fixture.clock.now() };
        await postLedger(tx, [balancePaidPosting(more)]);
      });
      await expect(spend).rejects.toThrow('balance_is_never_overdrawn');
      expect(await balance()).toEqual(['700', '700']);
    });
  });

  describe('F228 a refund of an invoice that balance and card paid', () => {
    beforeEach(async () => {
      await fixture.putCard(ada, 'visa');
      await fixture.grant(ada, 200n, { expires: '2026-06-01T00:00:00Z' });
      await fixture.grant(ada, 100n);
      await fixture.reach('2026-02-02T00:00:00Z');
    });

    it('goes back to the card first, then to the credits, the last one spent first', async () => {
      expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 700']);
      expect(await refund(600n)).toBe('succeeded: 600, 0 to the balance');
      expect(await refund(250n)).toBe('succeeded: 250, 150 to the balance');
      expect(await balance()).toEqual(['150', '50', '100']);
      expect(await refund(150n)).toBe('succeeded: 150, 150 to the balance');
      await expect(refund(1n)).rejects.toMatchObject({ code: 'refund_too_large' });
      expect(await balance()).toEqual(['300', '200', '100']);
      expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-3', promotions: '3' });
      expect(await fixture.balances()).not.toHaveProperty('builder_payable e');
    });

    it('moves nothing at all while the card’s part is unknown or declined', async () => {
      await fixture.failures.add({ on: 'refund', failure: 'decline', times: 1, subjectId: undefined });
      expect(await refund(900n)).toBe('failed: 900, 200 to the balance');
      expect(await balance()).toEqual(['0']);
      await fixture.failures.add({ on: 'refund', failure: 'timeout_after_effect', times: 1, subjectId: undefined });
      expect(await refund(900n)).toBe('pending: 900, 200 to the balance');
      expect(await balance()).toEqual(['0']);
      await expect(refund(101n)).rejects.toMatchObject({ code: 'refund_too_large' });
      await fixture.reach('2026-02-02T00:05:00Z');
      expect(await balance()).toEqual(['200', '100', '100']);
    });

    it('to a credit that has expired may be used for 30 days, and expires once more', async () => {
      await fixture.reach('2026-06-02T00:00:00Z');
      await refund(1_000n);
      expect(await balance()).toEqual(['300', '200', '100']);
      await fixture.reach('2026-07-02T12:00:00Z');
      expect(await balance()).toEqual(['300', '200', '100']);
      await fixture.reach('2026-07-03T12:00:00Z');
      expect(await balance()).toEqual(['100', '100']);
    });
  });
});

describe('what an account is shown of its balance', () => {
  /** Ada has 20 USD, and calls of January for 10.005. */
  const fixture = useCollection({
    price: '1.0005',
    uses: { [ada]: 10 },
    now: '2026-01-10T00:00:00Z',
    last: ({ grant }) => grant(ada, 2_000n),
  });

  async function setLimit(cents: number | null, since = '2026-01-09T00:00:00Z'): Promise<void> {
    await fixture.owner.query(
      `insert into billing.credit_limit (account_id, limit_cents, changed_at) values ($1, $2, $3)
     on conflict (account_id) do update set limit_cents = excluded.limit_cents, changed_at = excluded.changed_at`,
      [ada, cents, since],
    );
  }

  /** As the gateway leaves it: what the account's calls ever came to, and what is held. */
  async function putRow(spent: bigint, held: bigint, from: string): Promise<void> {
    await fixture.owner.query(
      `insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros, alerts, unheld_micros)
     values ('balance', $1, $1, $2, '9999-12-31Z', 0, $3, $4, '{}', $3)`,
      [ada, from, String(spent), String(held)],
    );
  }

  /** Available, held and what is not billed, in micro-dollars. */
  async function shown(): Promise<unknown[]> {
    const { availableMicros, heldMicros, bound } = await fixture.findBalance(ada);
    return [availableMicros, heldMicros, bound?.unbilledMicros];
  }

  it('F238 is its whole balance, where that bounds no calls', async () => {
    expect(await shown()).toEqual([20_000_000n, 0n, undefined]);
    await setLimit(null);
    await putRow(10_005_000n, 1_000_000n, '2025-12-01Z'); // the row of a limit that was taken away
    expect(await shown()).toEqual([20_000_000n, 0n, undefined]);
  });

  it('F238 is the room of the gate’s row, before and after a close', async () => {
    await putRow(10_005_000n, 1_000_000n, 'epoch');
    expect(await shown()).toEqual([8_995_000n, 1_000_000n, 10_005_000n]);
    await setLimit(500);
    expect(await shown()).toEqual([13_995_000n, 1_000_000n, 10_005_000n]);
    await fixture.reach('2026-02-02T00:00:00Z'); // the balance pays 10.00, and less than a cent is carried on
    expect(await fixture.findBalance(ada)).toMatchObject({
      balanceMicros: 10_000_000n,
      availableMicros: 13_995_000n,
      bound: { owedMicros: 5_000n, unbilledMicros: 0n, creditLimitMicros: 5_000_000n },
    });
  });

  it('F238 has its calls taken off, where a limit is set and no call has come since', async () => {
    await setLimit(500);
    expect(await shown()).toEqual([14_995_000n, 0n, 10_005_000n]);
    await fixture.reach('2026-02-02T00:00:00Z');
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-02-01T00:00:00Z', calls: 1 });
    expect(await shown()).toEqual([13_994_500n, 0n, 1_000_500n]);
  });

  it('F238 is less by a credit that has expired and is still on it', async () => {
    await fixture.grant(ada, 300n, { expires: '2026-01-11T00:00:00Z' });
    fixture.clock.set(Date.parse('2026-01-11T00:00:00Z'));
    expect(await shown()).toEqual([20_000_000n, 3_000_000n, undefined]);
  });
});

describe('F102 what the gate reads of the money of accounts', () => {
  /** Ada owes 10 USD and less than a cent for January, which is due on February 2nd. */
  const fixture = useCollection({ price: '1.0005', uses: { [ada]: 10 }, now: '2026-01-10T00:00:00Z' });

  /** As the gateway asks: per account balance, owed, credit limit, all in micro-dollars, and the two facts. */
  async function ask(...accounts: string[]): Promise<unknown[]> {
    const gateway = createDatabase({
      url: fixture.database.urlFor('ingest_gateway_worker'),
      name: 'test-gateway',
      log,
    });
    const text = `select left(consumer_id::text, 1) as id, balance_micros::text, owed_micros::text, credit_limit_micros::text,
    is_past_due, has_payment_method from billing.spending_power_v1($1, $2, array_fill($2::timestamptz, array[cardinality($1::uuid[])]))`;
    const rows = await gateway.query(text, [accounts, new Date(fixture.clock.now()).toISOString()]);
    await gateway.stop();
    return rows.map((row): unknown[] => Object.values(row));
  }

  it('is nothing of accounts that have none', async () => {
    expect(await ask(ada, bob)).toEqual([
      ['a', '0', '0', null, false, false],
      ['b', '0', '0', null, false, false],
    ]);
  });

  it('is what an invoice could take at this time: no expired credit, no disputed top-up', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 500n);
    await fixture.grant(ada, 300n, { expires: '2026-01-11T00:00:00Z' });
    expect(await ask(ada)).toEqual([['a', '8000000', '0', null, false, true]]);
    fixture.clock.set(Date.parse('2026-01-11T00:00:00Z'));
    expect(await ask(ada)).toEqual([['a', '5000000', '0', null, false, true]]);
    await fixture.owner.query(
      `insert into billing.dispute (dispute_id, processor, processor_dispute_id, top_up_id, amount_cents, status, opened_at)
       select gen_random_uuid(), 'sandbox', 'dp', top_up_id, 100, 'open', now() from billing.top_up`,
    );
    expect(await ask(ada)).toEqual([['a', '0', '0', null, false, true]]);
  });

  it('is owed from the close until something pays it, with what is carried on', async () => {
    await fixture.grant(ada, 400n);
    await fixture.reach('2026-02-02T00:00:00Z'); // the balance pays 4 of 10.005 USD
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    expect(await ask(ada)).toEqual([['a', '0', '6005000', null, false, false]]);
    await fixture.reach('2026-02-17T00:00:00Z');
    expect(await ask(ada)).toEqual([['a', '0', '6005000', null, true, false]]);
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await ask(ada)).toEqual([['a', '0', '5000', null, false, true]]);
  });
});

describe('a balance that no call fills or empties', () => {
  /** Ada wants to know when she has less than 15 or 5 USD to spend. */
  const fixture = useCollection({
    now: '2026-01-10T00:00:00Z',
    cards: { [ada]: 'visa' },
    async last({ grant, topUp }) {
      await grant(ada, 1_000n, { expires: '2026-01-20T00:00:00Z' });
      await topUp(ada, 1_000n);
    },
  });

  beforeEach(() => setThresholds(500n, 1_500n));
  async function setThresholds(...belowCents: bigint[]): Promise<void> {
    const set = { accountId: ada, belowCents, nowMs: fixture.clock.now() };
    await fixture.owner.transaction((tx) => putThresholds(tx, set));
  }

  /** One text an alert. */
  async function alerts(): Promise<string[]> {
    const text = `select concat_ws(' ', below_micros / 10000, 'spent', spent_micros / 10000, 'of', cap_micros / 10000,
      percent || ' %', 'since', to_char(window_start at time zone 'UTC', 'MM-DD')) as line
    from billing.balance_threshold_alert_v1 order by raised_at, below_micros desc`;
    const rows = await fixture.owner.query<{ line: string }>(text);
    return rows.map(({ line }) => line.replaceAll(/\.0+(?= |$)/g, ''));
  }

  it('F237 is compared when its credit expires, when it is filled, and when a bank takes it back', async () => {
    await fixture.runDue();
    expect(await alerts()).toEqual([]);
    fixture.clock.set(Date.parse('2026-01-20T00:00:00Z'));
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10']);
    fixture.clock.set(Date.parse('2026-01-21T00:00:00Z'));
    await fixture.grant(ada, 500n);
    await fixture.runDue();
    await fixture.disputeTopUp(ada, 1_000n, 'lost');
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10', '1500 spent 0 of 500 0 % since 01-21']);
  });

  it('F237 is less by calls that no invoice has billed, and by what invoices bill, as in the month that bills them', async () => {
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-25T00:00:00Z', calls: 6 });
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 600 of 2000 30 % since 01-10']);
    await fixture.reach('2026-02-02T00:00:00Z'); // the grant expired before these calls
    expect(await alerts()).toEqual(['1500 spent 600 of 2000 30 % since 01-10', '500 spent 0 of 400 0 % since 01-10']);
  });

  it('is compared with a threshold as it is set, and set again it is not raised again', async () => {
    fixture.clock.set(Date.parse('2026-01-20T00:00:00Z'));
    await fixture.runDue();
    await setThresholds(1_500n, 1_200n);
    await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10', '1200 spent 0 of 1000 0 % since 01-20']);
    await setThresholds();
    await fixture.runDue();
    expect(await alerts()).toHaveLength(2);
  });
});
