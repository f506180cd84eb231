import { describe, expect, it } from '@jest/globals';
import { onlyRow } from '@tollgate/database/database';
import { listStrayMoney } from '../../src/refunds/sql-stray-money.ts';
import { byOperator } from '../support/by-operator.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { requireSandbox } from '../support/wire-money.ts';

const fixture = useCollection({ cards: { [ada]: 'visa' } });

/** Ada owes so many dollars for January, and pays them. */
async function pay(dollars: number, { balanceCents = 0n } = {}): Promise<void> {
  await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: dollars });
  if (balanceCents > 0n) await fixture.grant(ada, balanceCents);
  await fixture.reach('2026-02-02T00:01:00Z');
}

/** A bank opens a dispute of the n-th charge, of all of it unless told otherwise, and billing hears of it. */
async function dispute(number: number, cents?: bigint): Promise<string> {
  const text = `select object_id as id, amount_cents as cents from billing.processor_attempt where kind = 'charge' and number = $1`;
  const charge = onlyRow(await fixture.owner.query<{ id: string; cents: bigint }>(text, [number]));
  const order = {
    chargeObjectId: charge.id,
    amountCents: cents ?? BigInt(charge.cents),
    outcome: 'needs_response',
  } as const;
  const opened = await requireSandbox(fixture.money).bank.dispute(order);
  await fixture.money.refresh.dispute(opened?.objectId ?? '');
  return opened?.objectId ?? '';
}

async function decide(disputeId: string, decision: 'won' | 'lost'): Promise<void> {
  await requireSandbox(fixture.money).bank.decideDispute(disputeId, decision);
  await fixture.money.refresh.dispute(disputeId);
}

async function refund(amountCents?: bigint): Promise<string> {
  const invoiceId = await fixture.invoiceId(ada, '2026-01');
  const ordered = { invoiceId, amountCents, idempotencyKey: undefined, by: byOperator };
  return (await fixture.refundInvoice(ordered)).refund.status;
}

const refunds = async () =>
  (
    await fixture.owner.query<{ line: string }>(
      `select concat_ws(' ', cause, status, amount_cents, 'balance', balance_cents) as line from billing.refund order by created_at, cause`,
    )
  ).map(({ line }) => line);

/** As on the page docs.stripe.com/disputes/responding: a charge with an open dispute cannot be refunded. */
describe('F270 a refund of a disputed charge', () => {
  it('is refused at once, also in part, and possible once the dispute is won', async () => {
    await pay(100);
    const id = await dispute(1, 3_000n);
    const mustWait = { code: 'charge_disputed', message: expect.stringContaining('has to wait') };
    await expect(refund()).rejects.toMatchObject(mustWait);
    await expect(refund(1n)).rejects.toMatchObject(mustWait);
    expect(await refunds()).toEqual([]);
    await decide(id, 'won');
    await expect(refund()).resolves.toBe('succeeded');
  });

  it('goes back to the balance for the part that it had paid, and says how much that is', async () => {
    await pay(100, { balanceCents: 4_000n });
    const id = await dispute(1);
    await expect(refund()).rejects.toMatchObject({
      code: 'charge_disputed',
      message: expect.stringContaining('at most 40 USD'),
    });
    await expect(refund(4_001n)).rejects.toMatchObject({ code: 'charge_disputed' });
    await expect(refund(4_000n)).resolves.toBe('succeeded');
    await expect(refund(1n)).rejects.toMatchObject({ code: 'charge_disputed' });
    expect(await fixture.balances()).toMatchObject({ 'consumer_balance a': '-40' });
    await decide(id, 'lost');
    expect(await refunds()).toEqual(['dispute succeeded 6000 balance 0', 'operator succeeded 4000 balance 4000']);
    await expect(refund(1n)).rejects.toMatchObject({ code: 'refund_too_large' });
  });

  it('is taken from the other charges of its invoice', async () => {
    await pay(1_200_000);
    await dispute(2); // the smaller one, which a refund would take first
    await expect(refund(20_000_000n)).resolves.toBe('succeeded');
    await expect(refund()).rejects.toMatchObject({ message: expect.stringContaining('at most 799999.99 USD') });
    await expect(refund(79_999_999n)).resolves.toBe('succeeded');
    expect(await refunds()).toEqual(['operator succeeded 20000000 balance 0', 'operator succeeded 79999999 balance 0']);
  });

  it('that is stray money is refused, too', async () => {
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 1_200_000 });
    fixture.clock.set(Date.parse('2026-02-02T00:01:00Z'));
    await fixture.close('2026-01');
    await fixture.collectOnly();
    await fixture.failures.add({ on: 'charge', failure: 'expired_card', times: 1, subjectId: undefined });
    await fixture.collectOnly();
    await fixture.voidInvoice(await fixture.invoiceId(ada, '2026-01'), byOperator);
    const [stray] = await listStrayMoney(fixture.worker);
    const order = { attemptId: stray?.attemptId ?? '', by: byOperator };
    const id = await dispute(1);
    await expect(fixture.returnStrayMoney(order)).rejects.toMatchObject({ code: 'charge_disputed' });
    await decide(id, 'won');
    await expect(fixture.returnStrayMoney(order)).resolves.toMatchObject({ status: 'succeeded' });
  });
});
