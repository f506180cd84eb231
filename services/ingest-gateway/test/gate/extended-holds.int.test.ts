import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { createFillBalances, readBalanceCaps } from '../../src/gate/caps/balance-caps.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { increaseHold, type IncreaseDecision } from '../../src/gate/authorizations/increase-hold.ts';
import { releaseHold } from '../../src/gate/authorizations/release-hold.ts';
import { findHolds } from '../../src/gate/authorizations/sql-hold.ts';
import { createReadStanding } from '../../src/gate/deciding/read-standing.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { perCall } from '../support/gate/charging.ts';
import { compareHeld } from '../support/gate/compare-caps.ts';
import type { Pause } from '../support/gate/dying-database.ts';
import { openPausingGate, persist } from '../support/gate/pausing-gate.ts';
import type { TestGate } from '../support/gate/gate-world.ts';
import { putCredit } from '../support/gate/put-money.ts';
import { capture, eventOf, hashOf, take, wishOf, type Asking } from '../support/gate/take.ts';
import { useGate } from '../support/gate/use-gate.ts';

const { world, gate, tool } = useGate();
let accountId: string;
beforeEach(() => {
  accountId = randomUUID();
});

const postpaid = { consumerCredit: 'postpaid', allowanceMicros: undefined } as const;

const asking = (more: Partial<Asking> = {}): HoldWish =>
  wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: minuteMs, ...more });

async function held(more: Partial<Asking> = {}): Promise<HoldWish> {
  const wish = asking(more);
  expect((await take(gate.gate, wish)).kind).toBe('held');
  return wish;
}

interface Extending {
  readonly ttlMs: number;
  readonly at?: TestGate;
  readonly of?: Tool;
  readonly nowMs?: number;
  readonly isPrepaid?: boolean;
  readonly isPastDue?: boolean;
}

function extend(wish: HoldWish, { ttlMs, at = gate, of = tool, ...more }: Extending): Promise<IncreaseDecision> {
  const { nowMs = world.nowMs, isPrepaid = false, isPastDue = false } = more;
  const read = createReadStanding({ ...postpaid, refusesPastDue: false });
  const asker = { accountId: wish.askerId, pass: undefined };
  return increaseHold(
    at.database,
    { holdId: wish.holdId, asker, tool: of, ttlMs, nowMs },
    {
      readStanding: async (tx, id) => ({
        ...(await read(tx, id)),
        isPastDue,
        balanceCaps: isPrepaid ? await readBalanceCaps(tx, id, { ...world.rules, refusesPastDue: false }) : [],
      }),
      fillBalances: createFillBalances(world.rules),
      settleAccounts: at.settleAccounts,
    },
  );
}

const openPausing = (statement: string) => openPausingGate(world, statement);

/** Starts a second piece of work while the first one is paused at its statement, and lets both end. */
async function between<A, B>(slow: Pause, first: Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  await slow.reached;
  let isOver = false;
  const other = persist(second).finally(() => (isOver = true));
  await eventually(async () => isOver || (await isLockAwaited(world.owner)), { withinMs: 10_000 });
  slow.resume();
  return [await first, await other];
}

const settle = () => gate.settle({ accountId, nowMs: world.nowMs });

/** Counts what has come until then. */
async function settleAt(nowMs: number): Promise<void> {
  world.nowMs = nowMs;
  await world.moveWatermark(nowMs);
  await settle();
}

/** Each window of the account that has anything. */
async function caps(): Promise<{ start: string; spent: bigint; held: bigint }[]> {
  return world.owner.query(
    `select to_char(window_start at time zone 'UTC', 'YYYY-MM-DD') as start, spent_micros as spent, held_micros as held
     from gate.cap_state where account_id = $1 order by window_start`,
    [accountId],
  );
}

async function captureAt(wish: HoldWish, nowMs: number, of: Tool = tool): Promise<string> {
  return (await capture(gate.gate, wish, { tool: of, nowMs })).kind;
}

describe('F293 an authorization that is extended', () => {
  beforeEach(async () => {
    world.nowMs += hourMs; // beyond the watermark that a test has left
    await world.setBudget(accountId, 1_000_000n, 'month');
  });

  it('is captured until its new end, and frees all that its call did not come to', async () => {
    const wish = await held();
    expect(await extend(wish, { ttlMs: 3 * hourMs })).toMatchObject({ kind: 'increased' });
    const lateMs = wish.expiresAtMs + 2 * hourMs;
    await settleAt(lateMs);
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 250_000n });
    expect(await captureAt(wish, lateMs)).toBe('captured');
    await world.count([eventOf({ ...wish, bodyHash: hashOf(wish), expiresAtMs: wish.askedAtMs + 3 * hourMs })]);
    await settle();
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 0n });
  });

  it('is free again after its new end', async () => {
    const wish = await held();
    await extend(wish, { ttlMs: 2 * hourMs });
    const endMs = wish.askedAtMs + 2 * hourMs;
    expect(await captureAt(wish, endMs)).toBe('not_open');
    await settleAt(endMs);
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 0n });
    expect(await extend(wish, { ttlMs: minuteMs })).toEqual({ kind: 'not_open' });
  });

  it('never ends earlier, nor later than a day after it was asked for', async () => {
    const wish = await held();
    const endOf = async () => (await findHolds(gate.database, [wish.holdId]))[0]?.expiresAtMs;
    await extend(wish, { ttlMs: 5_000 });
    expect(await endOf()).toBe(wish.expiresAtMs);
    await extend(wish, { ttlMs: dayMs, nowMs: wish.askedAtMs + 1_000 });
    expect(await endOf()).toBe(wish.askedAtMs + dayMs);
    await releaseHold(gate.database, wish.holdId);
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 0n });
  });

  it('is refused to an account that is past due, unless its call costs nothing', async () => {
    const wish = await held();
    expect(await extend(wish, { ttlMs: hourMs, isPastDue: true })).toEqual({ kind: 'past_due' });
    const gratis = await world.addTool([[null, perCall('0')]]);
    const free = await held({ tool: gratis });
    expect((await extend(free, { ttlMs: hourMs, of: gratis, isPastDue: true })).kind).toBe('increased');
    await releaseHold(gate.database, wish.holdId);
  });

  it('while it is extended a release waits, and then frees all', async () => {
    const wish = await held();
    const slow = openPausing('gate.raise_hold');
    const extended = extend(wish, { ttlMs: hourMs, at: slow });
    const [decision] = await between(slow, extended, () => releaseHold(gate.database, wish.holdId));
    expect(decision.kind).toBe('increased');
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 0n });
  });

  it.each([
    ['released', 'gate.end_holds', (at: TestGate, { holdId }: HoldWish) => releaseHold(at.database, holdId), 0n],
    [
      'captured',
      'gate.capture_holds',
      (at: TestGate, wish: HoldWish) => capture(at.gate, wish, { tool, nowMs: world.nowMs }),
      250_000n,
    ],
  ])('while it is %s an extension waits, and gives no more time', async (_, statement, end, stillHeld) => {
    const wish = await held();
    const slow = openPausing(statement);
    const [, decision] = await between<unknown, IncreaseDecision>(slow, end(slow, wish), () =>
      extend(wish, { ttlMs: hourMs }),
    );
    expect(decision).toEqual({ kind: 'not_open' });
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: stillHeld });
  });

  it('while a settlement ends it, an extension by a slow clock waits, and gives no more time', async () => {
    const wish = await held();
    await world.moveWatermark(wish.expiresAtMs);
    const slow = openPausing('gate.change_caps');
    const settled = slow.settle({ accountId, nowMs: world.nowMs });
    const [, decision] = await between(slow, settled, () =>
      extend(wish, { ttlMs: hourMs, nowMs: wish.expiresAtMs - 1 }),
    );
    expect(decision).toEqual({ kind: 'not_open' });
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 0n });
  });

  it('while it is extended a settlement does not end it', async () => {
    const wish = await held();
    const slow = openPausing('gate.lock_caps_of_hold');
    const extended = extend(wish, { ttlMs: hourMs, at: slow });
    await slow.reached;
    await world.moveWatermark(wish.expiresAtMs);
    await settle();
    slow.resume();
    expect((await extended).kind).toBe('increased');
    await settle();
    expect(await captureAt(wish, wish.expiresAtMs + minuteMs)).toBe('captured');
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 250_000n });
  });
});

describe('F293 a book that is extended', () => {
  beforeEach(async () => {
    world.nowMs += hourMs; // beyond the watermark that a test has left
    await world.setBudget(accountId, 1_000_000n, 'month');
  });

  async function bookWithCall(): Promise<HoldWish> {
    const wish = await held({ callCount: 2 });
    expect((await capture(gate.gate, wish, { tool, nowMs: world.nowMs, callIndex: 0 })).kind).toBe('captured');
    return wish;
  }

  it('keeps its captured calls held, also if a settlement had taken them for lost before', async () => {
    const wish = await bookWithCall();
    const extending = openPausing('gate.raise_hold');
    const extended = extend(wish, { ttlMs: hourMs, at: extending });
    await extending.reached;
    await world.moveWatermark(wish.expiresAtMs);
    const settling = openPausing('gate.advance_settlements');
    const settled = settling.settle({ accountId, nowMs: world.nowMs });
    await settling.reached;
    extending.resume();
    expect((await extended).kind).toBe('increased');
    settling.resume();
    await settled;
    const eventId = capturedEventId(wish.holdId, wish.askerId, 0);
    const repeated = await capture(gate.gate, wish, { tool, nowMs: wish.expiresAtMs + 1, callIndex: 0 });
    expect(repeated.kind).toBe('captured');
    const expiresAtMs = wish.askedAtMs + hourMs;
    await world.count([{ ...eventOf({ ...wish, eventId, expiresAtMs }), bodyHash: hashOf(wish) }]);
    await settle();
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 250_000n });
    expect(await compareHeld(world.owner)).toEqual([]);
  });

  it('gets no more time once the watermark has passed its end, whatever a slow clock says', async () => {
    const wish = await bookWithCall();
    await world.moveWatermark(wish.expiresAtMs);
    expect(await extend(wish, { ttlMs: hourMs, nowMs: wish.expiresAtMs - 1_000 })).toEqual({ kind: 'not_open' });
  });
});

describe('F294 an authorization that is extended into another window', () => {
  const eveningMs = Date.parse('2026-11-30T23:50:00.000Z');
  beforeEach(() => {
    world.nowMs = eveningMs;
  });

  it('is held in both days, and its call is spent in its own', async () => {
    await world.setBudget(accountId, 400_000n, 'day');
    const wish = await held({ window: 'day' });
    expect((await extend(wish, { ttlMs: hourMs })).kind).toBe('increased');
    expect(await caps()).toEqual([
      { start: '2026-11-30', spent: 0n, held: 250_000n },
      { start: '2026-12-01', spent: 0n, held: 250_000n },
    ]);
    const afterMs = eveningMs + 30 * minuteMs;
    expect(await captureAt(wish, afterMs)).toBe('captured');
    const event = { ...eventOf({ ...wish, bodyHash: hashOf(wish), expiresAtMs: eveningMs + hourMs }) };
    await world.count([{ ...event, occurredAtMs: afterMs }]);
    await settle();
    expect(await caps()).toEqual([
      { start: '2026-11-30', spent: 0n, held: 0n },
      { start: '2026-12-01', spent: 250_000n, held: 0n },
    ]);
  });

  it('is refused by a day that has no room for all of it, and stays as it was', async () => {
    await world.setBudget(accountId, 500_000n, 'day');
    await held({ window: 'day', ttlMs: hourMs });
    const wish = await held({ window: 'day' });
    await world.setBudget(accountId, 400_000n, 'day');
    expect(await extend(wish, { ttlMs: hourMs })).toMatchObject({ kind: 'no_room', neededMicros: 250_000n });
    expect((await caps()).map(({ held: micros }) => micros)).toEqual([500_000n, 250_000n]);
    expect((await findHolds(gate.database, [wish.holdId]))[0]?.expiresAtMs).toBe(wish.expiresAtMs);
  });

  it('is held for the dearer price that comes meanwhile, if that fits', async () => {
    const dearerMs = Date.parse('2026-12-01T00:00:00.000Z');
    const dearer = await world.addTool([
      [null, perCall('0.25')],
      [dearerMs, perCall('0.75')],
    ]);
    await world.setBudget(accountId, 1_000_000n, 'day');
    const wish = await held({ window: 'day', tool: dearer });
    expect((await extend(wish, { ttlMs: hourMs, of: dearer })).kind).toBe('increased');
    const other = await held({ window: 'day', tool: dearer });
    expect((await caps()).map(({ held: micros }) => micros)).toEqual([1_000_000n, 750_000n]);
    expect(await extend(other, { ttlMs: hourMs, of: dearer })).toMatchObject({ kind: 'no_room' });
    expect(await captureAt(wish, dearerMs + minuteMs, dearer)).toBe('captured');
    const expiresAtMs = eveningMs + hourMs;
    const event = eventOf({ ...wish, bodyHash: hashOf(wish), expiresAtMs });
    await world.count([{ ...event, occurredAtMs: dearerMs + minuteMs }]);
    await releaseHold(gate.database, other.holdId);
    await settle();
    expect(await caps()).toEqual([
      { start: '2026-11-30', spent: 0n, held: 0n },
      { start: '2026-12-01', spent: 750_000n, held: 0n },
    ]);
  });

  it('stands in the lines of both months where calls begin free, and nothing is held in the end', async () => {
    const price = perCall('0.25');
    const free = await world.addTool([
      [null, { ...price, charges: price.charges.map((charge) => ({ ...charge, free_quantity: '1' })) }],
    ]);
    world.nowMs = eveningMs - minuteMs;
    await world.setBudget(accountId, 250_000n, 'month');
    await world.moveWatermark(eveningMs - minuteMs / 2); // calls of before its cap are counted
    world.nowMs = eveningMs;
    const [first, second] = [await held({ tool: free }), await held({ tool: free })];
    for (const wish of [first, second])
      expect((await extend(wish, { ttlMs: hourMs, of: free })).kind).toBe('increased');
    expect(await caps()).toEqual([
      { start: '2026-11-01', spent: 0n, held: 250_000n },
      { start: '2026-12-01', spent: 0n, held: 250_000n },
    ]);
    const afterMs = eveningMs + 30 * minuteMs;
    expect(await captureAt(first, afterMs, free)).toBe('captured');
    const event = eventOf({ ...first, bodyHash: hashOf(first), expiresAtMs: eveningMs + hourMs });
    await world.count([{ ...event, occurredAtMs: afterMs }]);
    await settleAt(eveningMs + 2 * hourMs);
    expect((await caps()).map(({ spent, held: micros }) => [spent, micros])).toEqual([
      [0n, 0n],
      [0n, 0n],
    ]);
    expect(await compareHeld(world.owner)).toEqual([]);
  });
});

describe('F266 a grant that ends before an extended call', () => {
  it('pays no other call of its line, since the extended one may be the one that costs', async () => {
    const price = perCall('0.25');
    const free = await world.addTool([
      [null, { ...price, charges: price.charges.map((charge) => ({ ...charge, free_quantity: '1' })) }],
    ]);
    const money = { owner: world.owner, accountId, nowMs: world.nowMs };
    await putCredit(money, 25n, world.nowMs + 4 * hourMs);
    const of = { tool: free, window: undefined, balanceSinceMs: 0 };
    const long = await held(of);
    expect((await extend(long, { ttlMs: dayMs, of: free, isPrepaid: true })).kind).toBe('increased');
    expect((await take(gate.gate, asking(of))).kind).toBe('no_room');
    await releaseHold(gate.database, long.holdId);
  });
});
