import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createStripeMoneyFixture, type StripeMoneyFixture } from './testing/stripe-money-fixture.ts';

let fixture: StripeMoneyFixture;

beforeEach(async () => {
  fixture = await createStripeMoneyFixture();
  await fixture.connect();
  await fixture.useTool('2026-01', 3_000);
}, 30_000);

afterEach(() => fixture.drop());

const beforeTheClose = '2026-02-01T23:00:00.000Z';
const collectionDay = '2026-02-02T00:00:01.000Z';
const beforePayouts = '2026-02-07T23:00:00.000Z';
const payoutDay = '2026-02-08T00:00:01.000Z';

describe('a database that goes back to what it was an hour ago', () => {
  it.each([
    { lost: 'the invoice and its charge', backedUpAt: beforeTheClose, movedAt: collectionDay },
    { lost: 'the payout and its transfer', backedUpAt: beforePayouts, movedAt: payoutDay },
  ])('F36 F91 makes $lost again as they were, and finds the money moved', async ({ backedUpAt, movedAt }) => {
    if (backedUpAt === beforePayouts) await fixture.reach(collectionDay);
    await fixture.reach(backedUpAt);
    const backup = await fixture.backUp();
    await fixture.reach(movedAt);
    const [before, movedBefore] = [await stored(), moved()];
    expect(movedBefore.length).toBeGreaterThan(backedUpAt === beforePayouts ? 1 : 0);

    await backup.restore();
    fixture.restart();
    expect(await stored()).not.toEqual(before);
    await fixture.reach(movedAt); // the log is counted again, and billing's work is due again
    expect(await stored()).toEqual(before);
    expect(moved()).toEqual(movedBefore);
    expect(await fixture.differences()).toEqual({ cashMicros: 0n, ledger: [] });
  });

  /** What our books have of it, by ids and amounts. */
  async function stored(): Promise<string[]> {
    const rows = await fixture.owner.query<{ line: string }>(
      `select concat_ws(' ', 'invoice', invoice_id, number, status, total_cents) as line from billing.invoice
       union all select concat_ws(' ', 'payout', payout_id, status, net_cents, fee_cents) from billing.payout
       union all select concat_ws(' ', 'attempt', kind, status, idempotency_key, object_id) from billing.processor_attempt order by 1`,
    );
    return rows.map(({ line }) => line);
  }

  /** What the processor has moved. */
  function moved(): string[] {
    const { paymentIntents, transfers } = fixture.double.state;
    const each = [...paymentIntents.values(), ...transfers.values()];
    return each.map(({ id, amount }) => `${id} ${amount}`);
  }
});
