import { beforeEach, describe, expect, it } from '@jest/globals';
import { byOperator } from '../support/by-operator.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

const inJanuary = '2026-01-10T00:00:00Z';

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
