import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { micros } from '@tollgate/kernel/money';
import { toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { releaseHold } from '../../src/gate/authorizations/release-hold.ts';
import { compareHeld } from '../support/gate/compare-caps.ts';
import type { TestGate } from '../support/gate/gate-world.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { capture, eventOf, hashOf, take, wishOf } from '../support/gate/take.ts';

const ttlMs = 60_000;

const { world, gate, tool } = useGate();
let other: TestGate;
let accountId: string;
beforeAll(() => {
  other = world.openGate();
});
beforeEach(async () => {
  world.nowMs += 10 * ttlMs; // beyond the watermark that a test has left
  accountId = randomUUID();
  await world.setBudget(accountId, 1_000_000n, 'month');
});

/** A book of four calls, of which both gateways know since each has captured one. */
async function askKnownBook(): Promise<HoldWish> {
  const wish = wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs, callCount: 4 });
  expect((await take(gate.gate, wish)).kind).toBe('held');
  expect(await captureAt(gate, wish, 2)).toBe('captured');
  expect(await captureAt(other, wish, 3)).toBe('captured');
  return wish;
}

async function captureAt({ gate: at }: TestGate, wish: HoldWish, callIndex: number): Promise<string> {
  return (await capture(at, wish, { tool, nowMs: world.nowMs, callIndex })).kind;
}

async function count(wish: HoldWish, callIndexes: readonly number[]): Promise<void> {
  await world.count(
    callIndexes.map((callIndex) => {
      const eventId = capturedEventId(wish.holdId, wish.askerId, callIndex);
      return { ...eventOf({ ...wish, eventId }), bodyHash: hashOf(wish) };
    }),
  );
}

const settle = () => gate.settle({ accountId, nowMs: world.nowMs });

async function cap(): Promise<readonly [spent: bigint, held: bigint]> {
  const { spent = 0n, held = 0n } = (await world.capOf(accountId)) ?? {};
  return [spent, held];
}

it('a call is settled once, however often it is captured by gateways that know its book', async () => {
  const wish = await askKnownBook();
  await count(wish, [2, 3]);
  await settle();
  expect(await cap()).toEqual([500_000n, 500_000n]);
  expect(await captureAt(other, wish, 2)).toBe('unknown'); // it is counted: a repeat of the request finds it
  await settle();
  expect(await cap()).toEqual([500_000n, 500_000n]);
  expect(await compareHeld(world.owner)).toEqual([]);
});

it('two gateways that know its book capture a call for one event', async () => {
  const wish = await askKnownBook();
  const kinds = await Promise.all([gate, other, gate, other].map((at) => captureAt(at, wish, 0)));
  expect(kinds).toEqual(['captured', 'captured', 'captured', 'captured']);
  await count(wish, [0, 2, 3]);
  await settle();
  expect(await cap()).toEqual([750_000n, 250_000n]);
});

it('a call twice in one batch, with another event, is a conflict', async () => {
  const wish = await askKnownBook();
  const at = { tool, nowMs: world.nowMs, callIndex: 1 };
  const both = [capture(gate.gate, wish, at), capture(gate.gate, wish, { ...at, bodyHash: 'B'.repeat(43) })];
  expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['captured', 'conflict']);
});

it('a release waits for a capture, whose call stays held', async () => {
  const wish = await askKnownBook();
  let released: Promise<unknown> | undefined;
  await world.owner.transaction(async (tx) => {
    const eventId = capturedEventId(wish.holdId, wish.askerId, 0);
    const values = [[wish.holdId], [0], [eventId], [hashOf(wish)], [toIso(wish.expiresAtMs)]];
    const rows = await tx.query('select gate.capture_calls($1, $2, $3, $4, $5) as captured', values);
    expect(rows).toEqual([{ captured: 1n }]);
    released = releaseHold(other.database, wish.holdId);
    const [backend] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await eventually(() => isWaitingFor(backend?.pid ?? 0), { withinMs: 1_500 });
  });
  await released;
  expect(await cap()).toEqual([0n, 750_000n]);
  expect(await compareHeld(world.owner)).toEqual([]);
  expect(await captureAt(gate, wish, 1)).toBe('not_open');
  await count(wish, [0, 2, 3]);
  await settle();
  expect(await cap()).toEqual([750_000n, 0n]);
});

it('a book that was asked for anew, for less, is not the one that a gateway knows', async () => {
  const first = wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs, callCount: 4 });
  expect((await take(gate.gate, first)).kind).toBe('held');
  expect(await capture(other.gate, first, { tool, nowMs: world.nowMs, callIndex: 9 })).toMatchObject({
    kind: 'no_call',
  });
  world.nowMs += ttlMs;
  await world.moveWatermark(world.nowMs);
  await settle();
  expect(await cap()).toEqual([0n, 0n]);
  const anew = { ...first, askedAtMs: world.nowMs, expiresAtMs: world.nowMs + 1, micros: micros(4n) };
  expect((await take(gate.gate, anew)).kind).toBe('held');
  world.nowMs -= ttlMs; // this gateway's clock is behind: for it, the first is open
  expect(await captureAt(other, first, 0)).toBe('exceeded');
});

it('an event is captured again after the answer to its capture was lost', async () => {
  let isLost = true;
  const losing = world.openDyingGate((database): Database => ({
    ...database,
    async query(statement, values) {
      const rows = await database.query<never>(statement, values);
      const isCapture = typeof statement !== 'string' && statement.name === 'gate.capture_calls';
      if (isCapture && isLost) throw new AppError('unavailable', 'no answer');
      return rows;
    },
  }));
  const wish = await askKnownBook();
  expect(await captureAt(losing, wish, 2)).toBe('captured'); // in a transaction: it did not know the book
  expect(await captureAt(losing, wish, 0)).toBe('unavailable');
  isLost = false;
  expect(await captureAt(losing, wish, 0)).toBe('captured');
  await count(wish, [0, 2, 3]);
  await settle();
  expect(await cap()).toEqual([750_000n, 250_000n]);
});

it('a call whose event never came is free again once its book has expired', async () => {
  const wish = await askKnownBook();
  await count(wish, [2]);
  world.nowMs += ttlMs;
  await world.moveWatermark(world.nowMs);
  await settle();
  expect(await cap()).toEqual([250_000n, 0n]);
  expect(await compareHeld(world.owner)).toEqual([]);
});

async function isWaitingFor(pid: number): Promise<boolean> {
  const text = 'select from pg_locks where not granted and $1 = any (pg_blocking_pids(pid))';
  return (await world.owner.query(text, [pid])).length > 0;
}
