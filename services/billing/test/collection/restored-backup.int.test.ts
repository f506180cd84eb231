import { describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { collectionDay, payoutDay, useStripeMoney } from '../support/use-stripe-money.ts';

const fixture = useStripeMoney({ calls: 3_000 });

const beforeTheClose = '2026-02-01T23:00:00.000Z';

const beforePayouts = '2026-02-07T23:00:00.000Z';

const lost = [
  { what: 'the invoice and its charge', backedUpAt: beforeTheClose, movedAt: collectionDay },
  { what: 'the payout and its transfer', backedUpAt: beforePayouts, movedAt: payoutDay },
];
const goesOn = [
  { after: 'an hour', laterMs: hourMs },
  { after: 'three days, when Stripe has forgotten the keys', laterMs: 72 * hourMs },
];
const cases = lost.flatMap((one) => goesOn.map((then) => ({ ...one, ...then })));

describe('a database that goes back by a backup', () => {
  it.each(cases)('F36 F91 makes $what again as they were after $after, and finds the money moved', async (one) => {
    const { backedUpAt, movedAt, laterMs } = one;
    if (backedUpAt === beforePayouts) await fixture.reach(collectionDay);
    await fixture.reach(backedUpAt);
    const backup = await fixture.backUp();
    await fixture.reach(movedAt);
    const [before, movedBefore] = [await stored(), moved()];
    expect(movedBefore.length).toBeGreaterThan(backedUpAt === beforePayouts ? 1 : 0);

    await backup.restore();
    fixture.restart();
    expect(await stored()).not.toEqual(before);
    // The log is counted again, and billing's work is due again.
    await fixture.reach(toIso(Date.parse(movedAt) + laterMs));
    expect(await stored()).toEqual(before);
    expect(moved()).toEqual(movedBefore);
    expect(await fixture.differences()).toEqual({ cashMicros: 0n, ledger: [] });
  });

  it('F36 F91 pays nobody again whose first transfer was refused, and whose second is lost', async () => {
    await fixture.reach(collectionDay);
    await fixture.reach(beforePayouts);
    const backup = await fixture.backUp();
    fixture.double.banks.setBalance(0);
    await fixture.reach(payoutDay);
    expect(transfers()).toEqual([]);
    fixture.double.banks.setBalance(20_000);
    await fixture.reach(toIso(Date.parse(payoutDay) + 48 * hourMs));
    expect(transfers()).toHaveLength(1);

    await backup.restore();
    fixture.restart();
    await fixture.reach(toIso(Date.parse(payoutDay) + 144 * hourMs));
    expect(transfers()).toHaveLength(1);
    expect(await fixture.standing()).toMatchObject({ payout: 'paid' });
  });

  function transfers(): string[] {
    return [...fixture.double.state.transfers.keys()];
  }

  /** Reads our books, as ids and amounts. */
  async function stored(): Promise<string[]> {
    const rows = await fixture.owner.query<{ line: string }>(
      `select concat_ws(' ', 'invoice', invoice_id, number, status, total_cents) as line from billing.invoice
       union all select concat_ws(' ', 'payout', payout_id, status, net_cents, fee_cents) from billing.payout
       union all select concat_ws(' ', 'attempt', kind, status, idempotency_key, object_id) from billing.processor_attempt order by 1`,
    );
    return rows.map(({ line }) => line);
  }

  /** Returns what the processor has moved. */
  function moved(): string[] {
    const { paymentIntents, transfers } = fixture.double.state;
    const each = [...paymentIntents.values(), ...transfers.values()];
    return each.map(({ id, amount }) => `${id} ${amount}`);
  }
});
