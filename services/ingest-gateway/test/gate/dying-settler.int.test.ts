import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { compareHeld } from '../support/gate/compare-caps.ts';
import { dyingDatabase, unheardDatabase } from '../support/gate/dying-database.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

/** More than a settlement has. */
const statementsMax = 60;

const { world, gate, tool } = useGate();

const [before, after] = [
  { spent: 0n, held: 500_000n },
  { spent: 250_000n, held: 0n },
];

it('F106 a settler that dies has settled all of a moment or nothing, whichever statement it dies at', async () => {
  let lastReached = 0;
  for (let at = 1; at <= statementsMax && lastReached === 0; at += 1) {
    const accountId = await putCountedAndExpired();
    const isDead = await settleDying(accountId, (database) => dyingDatabase(database, at));
    expect(await world.capOf(accountId)).toEqual(isDead ? before : after);
    if (!isDead) lastReached = at;
    await settleAndCompare(accountId);
  }
  expect(lastReached).toBeGreaterThan(15); // reads and writes
}, 60_000);

it('F106 a settler that does not hear of its commits has settled all of a moment or nothing', async () => {
  const accountId = await putCountedAndExpired();
  expect(await settleDying(accountId, unheardDatabase)).toBe(true);
  await settleAndCompare(accountId);
});

/** An account with a call that is counted, and an authorization whose time is over for certain. */
async function putCountedAndExpired(): Promise<string> {
  const accountId = randomUUID();
  await world.setBudget(accountId, 1_000_000n, 'month');
  const asking = { accountId, tool, window: 'month' as const, nowMs: world.nowMs, ttlMs: 60_000 };
  const [captured, open] = [wishOf({ ...asking, state: 'captured' }), wishOf(asking)];
  for (const wish of [captured, open]) expect((await take(gate.gate, wish)).kind).toBe('held');
  await world.count([eventOf(captured)]);
  world.nowMs += 120_000;
  await world.moveWatermark(world.nowMs - 6_000);
  return accountId;
}

async function settleDying(accountId: string, around: (database: Database) => Database): Promise<boolean> {
  const settled = world.openDyingGate(around).settle({ accountId, nowMs: world.nowMs });
  return settled.then(
    () => false,
    () => true,
  );
}

async function settleAndCompare(accountId: string): Promise<void> {
  await gate.settle({ accountId, nowMs: world.nowMs });
  expect(await world.capOf(accountId)).toEqual(after);
  expect(await compareHeld(world.owner)).toEqual([]);
}
