import { describe, expect, it } from '@jest/globals';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { sumFees } from '../../src/audit/sql-sum-ledger.ts';
import { deletePostingSql, plant, type PlantedRow } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';
import { collectionDay, nothingDiffers, useStripeMoney } from '../support/use-stripe-money.ts';

/** Follows Stripe's page `api/balance_transactions/object`: the transaction of a refund has its `fee`. */
const fixture = useStripeMoney({
  first: ({ double }) => void (double.state.platform.refundFeeCents = 25),
  calls: 3_000,
  reached: [collectionDay],
});

const deliver = () => fixture.deliver(fixture.double.webhooks.events);

async function fees(): Promise<unknown> {
  return (await sumFees(fixture.owner, {})).find(({ of }) => of === 'refund_fees')?.amountMicros;
}

function refundByHand(): void {
  const [paymentId = ''] = fixture.double.state.paymentIntents.keys();
  fixture.double.banks.refundByHand(paymentId, 200);
}

describe('F224 the fee of Stripe on a refund', () => {
  it('is posted once, for one that we ordered and one that somebody made there', async () => {
    await fixture.refund(100n);
    expect(await fees()).toBe(250_000n);
    refundByHand();
    await deliver();
    await deliver();
    expect(await fees()).toBe(500_000n);
    expect(await fixture.differences()).toEqual(nothingDiffers);
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  });

  it('stays if the money comes back', async () => {
    await fixture.refund(100n);
    const [refundId = ''] = fixture.double.state.refunds.keys();
    fixture.double.banks.failRefund(refundId);
    await deliver();
    expect(await fees()).toBe(250_000n);
    expect(await fixture.differences()).toEqual(nothingDiffers);
    expect(await fixture.reconcile('2026-01')).toEqual([]);
  });

  it.each<PlantedRow>([
    plant('a posting that was removed', /fee on each refund: refund-fee:.*: expected 250000, ledger 0/)`
    ${deletePostingSql('refund-fee:%')}`,
    plant('the fee of an order', /expected 240000, ledger 250000/)`
    update billing.processor_attempt set fee_cents = 24 where kind = 'refund'`,
    plant('the fee of a refund made there', /expected 260000, ledger 250000/)`
    update billing.foreign_refund_fee set fee_cents = 26`,
    plant('a fee that was removed', /every posting belongs to a document: refund-fee:/)`
    delete from billing.foreign_refund_fee`,
    plant('a fee of no refund', /nobody made it/)`
    insert into billing.foreign_refund_fee values (gen_random_uuid(), 5, now())`,
  ])('is compared by the ledger check: %s', async (...[, sql, found]) => {
    await fixture.refund(100n);
    refundByHand();
    await deliver();
    const { differences } = await planted(fixture.owner, sql, checkLedger);
    const rows = differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`));
    expect(rows).toContainEqual(expect.stringMatching(found));
  });
});
