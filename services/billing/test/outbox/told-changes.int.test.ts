import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { onlyRow, type Database } from '@tollgate/database/database';
import { dataOf, takeTold, typesOf, withoutVersion } from '@tollgate/testkit/take-told';
import { useEach } from '@tollgate/testkit/use-world';
import { toApiInvoiceSummary } from '../../src/invoicing/to-api-invoice.ts';
import { listAllInvoices } from '../../src/invoicing/sql-list-invoices.ts';
import { byOperator } from '../support/by-operator.ts';
import { ada, bob } from '../support/cast.ts';
import { createPayoutsFixture } from '../support/payouts-fixture.ts';
import { useCollection } from '../support/use-collection.ts';
import { requireSandbox } from '../support/wire-money.ts';

const take = (owner: Database) => takeTold(owner, 'billing');

describe('F286 the changes of invoices', () => {
  const fixture = useCollection({ uses: { [ada]: 10 } });

  /** The invoice as the operator's list of the API shows it. */
  async function shown() {
    const { rows } = await listAllInvoices(fixture.owner, { limit: 1 });
    return rows.map(toApiInvoiceSummary)[0];
  }
  const invoiceId = async () =>
    onlyRow(await fixture.owner.query<{ id: string }>('select invoice_id as id from billing.invoice')).id;

  it('are told one by one, each as the API shows the invoice then', async () => {
    await fixture.grant(ada, 250n);
    await take(fixture.owner);
    await fixture.putCard(ada, 'visa');
    await fixture.reach('2026-02-02T00:00:00Z');
    const paid = await take(fixture.owner);
    expect(typesOf(paid)).toEqual(['payment_method.updated', 'invoice.issued', 'invoice.paid']);
    expect(dataOf(paid, 'payment_method.updated')).toMatchObject({ brand: 'visa', last4: '4242', exp_year: 2030 });
    expect(dataOf(paid, 'invoice.issued')).toMatchObject({ status: 'open', total_usd: 10, balance_paid_usd: 0 });
    expect(dataOf(paid, 'invoice.paid')).toMatchObject({ status: 'paid', balance_paid_usd: 2.5, card_paid_usd: 7.5 });
    expect(withoutVersion(dataOf(paid, 'invoice.paid'))).toEqual(await shown());

    await fixture.refundInvoice({
      invoiceId: await invoiceId(),
      amountCents: 425n,
      idempotencyKey: undefined,
      by: byOperator,
    });
    const refunded = await take(fixture.owner);
    expect(typesOf(refunded)).toEqual(['invoice.refunded', 'credit_note.issued']);
    expect(withoutVersion(dataOf(refunded, 'invoice.refunded'))).toEqual(await shown());
    expect(dataOf(refunded, 'credit_note.issued')).toMatchObject({
      amount_usd: 4.25,
      invoice_number: 1,
      period: '2026-01',
    });
  });

  it('are told of one that is never paid, until it is written off', async () => {
    await fixture.putCard(ada, 'declined');
    await take(fixture.owner);
    await fixture.reach('2026-02-02T00:00:00Z');
    const failed = await take(fixture.owner);
    expect(typesOf(failed)).toEqual(['invoice.issued', 'invoice.payment_failed']);
    expect(withoutVersion(dataOf(failed, 'invoice.payment_failed'))).toEqual(await shown());
    await fixture.reach('2026-02-17T00:00:00Z');
    const late = await take(fixture.owner);
    expect(new Set(typesOf(late))).toEqual(new Set(['invoice.payment_failed', 'invoice.past_due']));
    expect(withoutVersion(dataOf(late, 'invoice.past_due'))).toMatchObject({ status: 'past_due', paid_at: null });
    await fixture.reach('2026-05-02T00:00:00Z');
    const lost = await take(fixture.owner);
    expect(withoutVersion(dataOf(lost, 'invoice.uncollectible'))).toEqual(await shown());
    await fixture.putCard(ada, null);
    expect(dataOf(await take(fixture.owner), 'payment_method.removed')).toMatchObject({
      account_id: ada,
      exp_month: 12,
    });
  });

  it('are told of one that is voided', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    await take(fixture.owner);
    await fixture.voidInvoice(await invoiceId(), byOperator);
    const told = await take(fixture.owner);
    expect(typesOf(told)).toEqual(['invoice.voided']);
    expect(withoutVersion(dataOf(told, 'invoice.voided'))).toEqual(await shown());
  });

  it('are told of a charge that is disputed, when it is and when it is lost', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.reach('2026-02-02T00:00:00Z');
    await take(fixture.owner);
    const { object_id: chargeObjectId } = onlyRow(
      await fixture.owner.query<{ object_id: string }>('select object_id from billing.processor_attempt'),
    );
    const { bank } = requireSandbox(fixture.money);
    const dispute = await bank.dispute({ chargeObjectId, amountCents: 300n, outcome: 'needs_response' });
    await fixture.money.refresh.dispute(dispute?.objectId ?? '');
    const opened = await take(fixture.owner);
    expect(typesOf(opened)).toEqual(['dispute.opened']);
    expect(dataOf(opened, 'dispute.opened')).toMatchObject({
      invoice_id: await invoiceId(),
      top_up_id: null,
      amount_usd: 3,
      status: 'open',
      closed_at: null,
    });
    await bank.decideDispute(dispute?.objectId ?? '', 'lost');
    await fixture.money.refresh.dispute(dispute?.objectId ?? '');
    const lost = await take(fixture.owner);
    expect(new Set(typesOf(lost))).toEqual(new Set(['dispute.lost', 'invoice.refunded', 'credit_note.issued']));
    expect(dataOf(lost, 'dispute.lost')).toMatchObject({ status: 'lost', account_id: ada });
  });
});

describe('F286 the invoices of a close', () => {
  const fixture = useCollection({ price: '0.001', uses: { [ada]: 10_000, [bob]: 17 } });

  it('are told, each as the API shows it, also one that bills nothing', async () => {
    await take(fixture.owner);
    await fixture.close('2026-01');
    const told = await take(fixture.owner);
    expect(told.map(({ type, data }) => `${type} ${String(data['status'])}`).toSorted()).toEqual([
      'invoice.issued carried',
      'invoice.issued open',
    ]);
    const { rows } = await listAllInvoices(fixture.owner, { limit: 2 });
    const byNumber = (left: { number?: unknown }, right: { number?: unknown }) =>
      Number(left.number) - Number(right.number);
    expect(told.map(({ data }) => withoutVersion(data)).toSorted(byNumber)).toEqual(
      rows.map(toApiInvoiceSummary).toSorted(byNumber),
    );
  });
});

describe('F286 the changes of a balance', () => {
  const fixture = useCollection();

  it('are told: credits that are granted and expire, top-ups that succeed, fail and are disputed', async () => {
    await take(fixture.owner);
    await fixture.grant(ada, 2_500n, { expires: '2026-01-10T00:00:00Z' });
    const granted = await take(fixture.owner);
    expect(typesOf(granted)).toEqual(['credit.granted']);
    expect(dataOf(granted, 'credit.granted')).toMatchObject({
      amount_usd: 25,
      left_usd: 25,
      effective_from: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-10T00:00:00.000Z',
      top_up_id: null,
    });
    await fixture.reach('2026-01-12T00:00:00Z');
    const expired = await take(fixture.owner);
    expect(typesOf(expired)).toEqual(['credit.expired']);
    expect(dataOf(expired, 'credit.expired')).toMatchObject({ amount_usd: 25, left_usd: 0 });

    await fixture.putCard(ada, 'visa');
    await take(fixture.owner);
    expect(await fixture.topUp(ada, 5_000n)).toBe('succeeded');
    const toppedUp = await take(fixture.owner);
    expect(typesOf(toppedUp)).toEqual(['balance.topped_up']);
    expect(dataOf(toppedUp, 'balance.topped_up')).toMatchObject({
      amount_usd: 50,
      status: 'succeeded',
      failure_code: null,
      succeeded_at: '2026-01-12T00:00:00.000Z',
    });
    await fixture.disputeTopUp(ada, 1_000n, 'won');
    const disputed = await take(fixture.owner);
    expect(typesOf(disputed)).toEqual(['dispute.opened', 'dispute.won']);
    expect(dataOf(disputed, 'dispute.won')).toMatchObject({ invoice_id: null, amount_usd: 10, status: 'won' });

    await fixture.putCard(ada, 'declined');
    await take(fixture.owner);
    await fixture.topUp(ada, 5_000n);
    const failed = await take(fixture.owner);
    expect(typesOf(failed)).toEqual(['top_up.failed']);
    expect(dataOf(failed, 'top_up.failed')).toMatchObject({ status: 'failed', failure_code: 'declined' });
  });
});

describe('F286 the changes of payouts', () => {
  const fixture = useEach(() => createPayoutsFixture());

  it('are told to the builder: scheduled, failed, scheduled again, paid, and reversed', async () => {
    const builder = await fixture.addBuilder('a');
    await fixture.earn({ period: '2026-01', letter: 'a', consumerId: ada, calls: 500 });
    await take(fixture.owner);
    for (const failure of ['decline', 'reverse_later'] as const)
      await fixture.failures.add({ on: 'transfer', failure, times: 1, subjectId: undefined });
    await fixture.reachPayoutDay('2026-01');
    const failed = await take(fixture.owner);
    expect(failed.map(({ type, account_id: to }) => [type, to])).toEqual([
      ['payout.scheduled', builder],
      ['payout.failed', builder],
    ]);
    fixture.clock.advance(hourMs);
    await fixture.runDue();
    const paid = await take(fixture.owner);
    expect(typesOf(paid)).toEqual(['payout.scheduled', 'payout.paid']);
    expect(dataOf(paid, 'payout.paid')).toMatchObject({
      amount_usd: 5,
      net_usd: 5,
      fee_usd: 0,
      period: '2026-01',
      paid_at: toIso(fixture.clock.now()),
    });
    fixture.clock.advance(hourMs);
    const { object_id: transfer } = onlyRow(
      await fixture.owner.query<{ object_id: string }>(
        "select object_id from sandbox.movement where kind = 'transfer' and status = 'succeeded'",
      ),
    );
    await fixture.attempts.refresh('transfer', transfer);
    const reversed = await take(fixture.owner);
    expect(typesOf(reversed)).toEqual(['payout.reversed']);
    expect(dataOf(reversed, 'payout.reversed')).toMatchObject({ status: 'failed', paid_at: null });
  });
});

describe('F286 a change that its transaction takes back', () => {
  const fixture = useCollection({ uses: { [ada]: 10 } });

  it('is not told', async () => {
    await fixture.reach('2026-02-02T00:00:00Z');
    await take(fixture.owner);
    const undone = fixture.owner.transaction(async (tx) => {
      await tx.query("update billing.invoice set status = 'past_due'");
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await take(fixture.owner)).toEqual([]);
  });
});
