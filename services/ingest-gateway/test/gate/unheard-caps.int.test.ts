import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { capturedEventId } from '@tollgate/kernel/event-id';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { capture, eventOf, hashOf, take, wishOf } from '../support/gate/take.ts';

const { world, gate, tool } = useGate();
let accountId: string;
beforeEach(() => void (accountId = randomUUID()));

const asking = () => ({ accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000 });

describe('F94 what a gateway held before it heard of a cap', () => {
  /** Takes it at a gateway that has not heard of the cap, and counts its first call. */
  async function countUnheard(wish: HoldWish, callIndex?: number): Promise<void> {
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect((await capture(gate.gate, wish, { tool, nowMs: world.nowMs, callIndex })).kind).toBe('captured');
    const eventId = capturedEventId(wish.holdId, wish.askerId, callIndex);
    await world.count([{ ...eventOf(wish), eventId, bodyHash: hashOf(wish) }]);
    await gate.settle({ accountId, nowMs: world.nowMs });
  }

  it.each([
    ['a call', 1, undefined],
    ['a call of a book', 2, 0],
  ])('counts in the day of a budget: %s', async (_, callCount, callIndex) => {
    await world.setBudget(accountId, 1_000_000n, 'day');
    expect((await take(gate.gate, wishOf({ ...asking(), window: 'day' }))).kind).toBe('held');
    await countUnheard(wishOf({ ...asking(), callCount }), callIndex);
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 250_000n });
  });

  it.each(['day', 'total'] as const)('counts in the cap of a pass, long after: by %s', async (window) => {
    const pass = await world.addPass(accountId, undefined);
    const capped = await world.setPassCap(pass, { amountMicros: 1_000_000n, window });
    expect((await take(gate.gate, wishOf({ ...asking(), pass: capped }))).kind).toBe('held');
    await world.moveWatermark(world.nowMs + 5_001);
    await countUnheard(wishOf({ ...asking(), pass }));
    expect(await world.capOf(pass.passId)).toEqual({ spent: 250_000n, held: 250_000n });
  });
});
