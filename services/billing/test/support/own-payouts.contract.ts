import { describe, expect, it } from '@jest/globals';
import { collect } from './collect.ts';
import type { Processor } from '../../src/processor/processor.ts';

export interface OpenOwnPayouts {
  readonly processor: Processor;
  nowMs(): number;
  /** Our balance there is paid out to our bank. Returns the id of the payout. */
  payOut(amountCents: bigint): Promise<string>;
  /** The same, and later the bank sends the money back. */
  payOutInVain(amountCents: bigint): Promise<string>;
}

/** Billing relies on this contract of any processor where the platform's own balance is paid out to its bank. */
export function describeOwnPayouts(opened: () => OpenOwnPayouts): void {
  const secondStart = () => Math.floor(opened().nowMs() / 1_000) * 1_000;

  describe('F230 payouts of our own balance', () => {
    const payouts = () => opened().processor.ownPayouts;
    const held = async () => (await opened().processor.readBalance()).heldCents;

    it('leave the balance, and are read and listed with amount, currency and date', async () => {
      const [before, sinceMs] = [await held(), secondStart()];
      const objectId = await opened().payOut(1_200n);
      expect((await held()) - before).toBe(-1_200n);
      const payout = await payouts().read(objectId);
      expect(payout).toMatchObject({
        objectId,
        amountCents: 1_200n,
        currency: 'usd',
        takenCents: 1_200n,
        feeCents: 0n,
      });
      const { createdAtMs: at } = payout;
      expect(at).toBeGreaterThanOrEqual(sinceMs);
      const listed = (from: number, untilMs: number) => collect(payouts().list({ sinceMs: from, untilMs }));
      expect(await listed(sinceMs, opened().nowMs() + 1_000)).toContainEqual(payout);
      expect(await listed(at + 1_000, at + 2_000)).not.toContainEqual(payout);
    });

    it('are nothing that the platform owns beside the books, also where one came back', async () => {
      const own = (await opened().processor.readBalance()).ownCents;
      const before = await held();
      await opened().payOut(300n);
      const objectId = await opened().payOutInVain(500n);
      expect(await payouts().read(objectId)).toMatchObject({ amountCents: 500n, takenCents: 0n, feeCents: 0n });
      expect((await held()) - before).toBe(-300n);
      expect((await opened().processor.readBalance()).ownCents).toBe(own);
    });

    it('are none that nobody made', async () => {
      await expect(payouts().read('none_unknown')).rejects.toMatchObject({ kind: 'not_found' });
    });
  });
}
