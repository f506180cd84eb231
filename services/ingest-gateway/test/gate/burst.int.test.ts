import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Price } from '@tollgate/contracts/tools/price';
import type { Gate } from '../../src/gate/gate.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { createGateWorld, type GateWorld } from '../support/gate/gate-world.ts';
import { take, wishOf } from '../support/gate/take.ts';

const cent: Price = {
  currency: 'usd',
  charges: [
    { name: null, metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '0.01' }, free_quantity: '0' },
  ],
  bill_failed_calls: false,
};
const startMs = Date.parse('2026-11-21T12:34:56.789Z');

/** A gateway that could not decide in time is asked again, as clients do. */
async function takeInTheEnd(gate: Gate, wish: HoldWish): Promise<string> {
  const bodyHash = bodyHashOf({ tool_id: wish.toolId, success: true });
  for (;;) {
    const { kind } = await take(gate, { ...wish, bodyHash });
    if (kind !== 'unavailable') return kind === 'repeat' ? 'held' : kind;
  }
}

describe('F105 a burst at a cap', () => {
  const suite = {} as { world: GateWorld };
  beforeAll(async () => void (suite.world = await createGateWorld(startMs)));
  afterAll(() => suite.world.stop());

  it('lets exactly 500 of 1,000 authorizations of a cent through to a cap of 5 dollars, at three gateways, each time', async () => {
    const { world } = suite;
    const tool = await world.addTool([[null, cent]]);
    const gates = [world.openGate(), world.openGate(), world.openGate()];
    for (let round = 0; round < 20; round += 1) {
      const accountId = randomUUID();
      await world.setBudget(accountId, 5_000_000n, 'month');
      const asked = Array.from({ length: 1_000 }, () =>
        wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 300_000 }),
      );
      const answers = await Promise.all(
        asked.map(async (wish, index) => {
          const at = gates[index % gates.length];
          return at && takeInTheEnd(at.gate, wish);
        }),
      );
      expect(answers.filter((kind) => kind === 'held')).toHaveLength(500);
      expect(answers.filter((kind) => kind === 'no_room')).toHaveLength(500);
    }
  }, 120_000);
});
