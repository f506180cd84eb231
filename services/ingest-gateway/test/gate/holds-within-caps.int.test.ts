import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { releaseHold } from '../../src/gate/authorizations/release-hold.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { altered, pausingDatabase, type Pause } from '../support/gate/dying-database.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

const { world, gate, tool } = useGate();
let accountId: string;
beforeEach(async () => {
  accountId = randomUUID();
  await world.setBudget(accountId, 500_000n, 'month');
});

const wish = (state: HoldWish['state'] = 'open') =>
  wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 60_000, state });

async function hold(state?: HoldWish['state']): Promise<HoldWish> {
  const one = wish(state);
  expect((await take(gate.gate, one)).kind).toBe('held');
  return one;
}

const sums = () => world.capOf(accountId);

/** A gateway for which every cap is ten times as high. */
function deluded(database: Database): Database {
  return altered(database, (tx) => async (statement, values) => {
    const rows = await tx.query(statement, values);
    const isLook = typeof statement !== 'string' && statement.name === 'gate.lock_caps';
    return (isLook ? rows.map((row) => ({ ...row, cap_micros: 5_000_000n })) : rows) as never;
  });
}

describe('F105 two gateways at the last of a cap', () => {
  it('decide one after the other: the second finds no room, and never has to ask again', async () => {
    await hold();
    let pause = {} as Pause;
    const slow = world.openDyingGate((database) => {
      const { database: pausing, ...rest } = pausingDatabase(database, 'gate.put_holds');
      pause = rest;
      return pausing;
    });
    const first = take(slow.gate, wish());
    await pause.reached;
    let isDecided = false;
    const second = take(gate.gate, wish()).finally(() => (isDecided = true));
    await eventually(async () => isDecided || (await isLockAwaited(world.owner)), { withinMs: 10_000 });
    pause.resume();
    expect([(await first).kind, (await second).kind]).toEqual(['held', 'no_room']);
    expect(await sums()).toEqual({ spent: 0n, held: 500_000n });
  });
});

describe('F247 the database', () => {
  it('refuses a hold above its cap, whatever a gateway has decided', async () => {
    await hold();
    await hold();
    expect((await take(world.openDyingGate(deluded).gate, wish())).kind).toBe('unavailable');
    expect(await sums()).toEqual({ spent: 0n, held: 500_000n });
  });

  it('refuses it for a pass too, and lets the last micro-dollar be held', async () => {
    const pass = await world.addPass(accountId, { amountMicros: 300_000n, window: 'day' });
    const asked = { accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000, pass };
    expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
    const raise = (by: number) =>
      gate.database.query('update gate.cap_state set held_micros = held_micros + $2 where owner_id = $1', [
        pass.passId,
        by,
      ]);
    await expect(raise(50_001)).rejects.toThrow('cannot hold 300001');
    await expect(raise(50_000)).resolves.toEqual([]);
  });

  it('lets calls be settled and released whose cap was lowered since, and holds no more', async () => {
    const [counted, open] = [await hold('captured'), await hold()];
    await world.setBudget(accountId, 10_000n, 'month');
    await world.count([eventOf(counted)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await sums()).toEqual({ spent: 250_000n, held: 250_000n });
    await releaseHold(gate.database, open.holdId);
    expect(await sums()).toEqual({ spent: 250_000n, held: 0n });
    expect((await take(gate.gate, wish())).kind).toBe('no_room');
    expect((await take(world.openDyingGate(deluded).gate, wish())).kind).toBe('unavailable');
  });

  it('stores what was on its way when a cap is set, also if that is more', async () => {
    const asked = { accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000 };
    for (let n = 0; n < 3; n += 1) expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
    expect((await take(gate.gate, wish())).kind).toBe('no_room');
    expect(await sums()).toEqual({ spent: 0n, held: 750_000n });
  });
});
