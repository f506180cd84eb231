import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { dayOf } from '@tollgate/kernel/period';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { increaseHold } from '../../src/gate/authorizations/increase-hold.ts';
import { createReadStanding } from '../../src/gate/deciding/read-standing.ts';
import { releaseHold } from '../../src/gate/authorizations/release-hold.ts';
import { findHolds } from '../../src/gate/authorizations/sql-hold.ts';
import { dropEndedHolds } from '../../src/gate/settling/sql-settled-hold.ts';
import { listAccountsToSettle, readCountedThrough } from '../../src/gate/settling/sql-settlement.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import type { Pass } from '../../src/passes/pass.ts';
import { openPausingGate, persist } from '../support/gate/pausing-gate.ts';
import { prepaid, type LoggedEvent } from '../support/gate/gate-world.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { payInvoices, putCredit, putCreditLimit, putInvoice } from '../support/gate/put-money.ts';
import { atPrice, capture, eventOf, take, wishOf } from '../support/gate/take.ts';

const { world, gate, tool } = useGate();
let accountId: string;
beforeEach(async () => {
  accountId = randomUUID();
  await world.setBudget(accountId, 1_000_000n, 'month');
});

const postpaid = { consumerCredit: 'postpaid', allowanceMicros: undefined } as const;
const asking = () => ({ accountId, tool, window: 'month' as const, nowMs: world.nowMs, ttlMs: 60_000 });

const openPausing = (statement: string) => openPausingGate(world, statement);

describe('F105 between the look at a hold and its capture', () => {
  it('a release waits, and then frees nothing', async () => {
    const wish = wishOf(asking());
    expect((await take(gate.gate, wish)).kind).toBe('held');
    const slow = openPausing('gate.capture_holds');
    const captured = capture(slow.gate, wish, { tool, nowMs: world.nowMs });
    await slow.reached;
    let isReleased = false;
    const released = persist(() => releaseHold(gate.database, wish.holdId)).finally(() => (isReleased = true));
    await eventually(async () => isReleased || (await isLockAwaited(world.owner)), { withinMs: 10_000 });
    slow.resume();
    expect((await captured).kind).toBe('captured');
    await released;
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 250_000n });
  });

  it('an increase is decided again, since its hold has joined a cap that it has not locked', async () => {
    const wish = wishOf({ ...asking(), window: undefined });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    const slow = openPausing('gate.lock_holds');
    const asker = { accountId, pass: undefined };
    const increased = increaseHold(
      slow.database,
      { holdId: wish.holdId, max: wish.max, asker, tool: atPrice(tool, 800_000n), nowMs: world.nowMs },
      {
        readStanding: createReadStanding({ ...postpaid, refusesPastDue: false }),
        fillBalances: async (_, caps) => [...caps],
        settleAccounts: gate.settleAccounts,
      },
    );
    await slow.reached;
    expect((await take(gate.gate, wishOf(asking()))).kind).toBe('held');
    slow.resume();
    expect(await increased).toMatchObject({ kind: 'no_room', neededMicros: 550_000n });
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 500_000n });
  });
});

describe('F106 a settler that sleeps between its reads and its write', () => {
  it('writes nothing once another has settled', async () => {
    const [first, second] = [wishOf({ ...asking(), state: 'captured' }), wishOf({ ...asking(), state: 'captured' })];
    for (const wish of [first, second]) expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.count([eventOf(first)]);
    const slow = openPausing('gate.advance_settlements');
    const late = slow.settle({ accountId, nowMs: world.nowMs });
    await slow.reached;
    await world.count([eventOf(second)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(accountId)).toEqual({ spent: 500_000n, held: 0n });
    slow.resume();
    await late;
    expect(await world.capOf(accountId)).toEqual({ spent: 500_000n, held: 0n });
  });
});

describe('F106 all reads of a settler are of one moment', () => {
  it('a call that is counted between them is charged once', async () => {
    await world.setBudget(accountId, 1_000_000n, 'day');
    const [first, second] = [
      wishOf({ ...asking(), window: 'day', state: 'captured' }),
      wishOf({ ...asking(), window: 'day', state: 'captured' }),
    ];
    for (const wish of [first, second]) expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.count([eventOf(first)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    const slow = openPausing('gate.sum_spent_usage');
    const late = slow.settle({ accountId, nowMs: world.nowMs });
    await slow.reached;
    await world.count([eventOf(second)]);
    slow.resume();
    await late;
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 250_000n });
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(accountId)).toEqual({ spent: 500_000n, held: 0n });
  });
});

describe('F103 an authorization that expires while its event is in the log', () => {
  it('stays held until the watermark has passed it', async () => {
    const wish = wishOf({ ...asking(), state: 'captured' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    world.nowMs = wish.expiresAtMs + 60_000;
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 250_000n });
    await world.count([eventOf({ ...wish, expiresAtMs: Number.POSITIVE_INFINITY })]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 0n });
  });

  it('is free again once it has, if no event came', async () => {
    const wish = wishOf(asking());
    expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.moveWatermark(wish.expiresAtMs);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 0n });
  });
});

describe('a cap that is set while calls are on their way', () => {
  let pass: Pass;
  beforeEach(async () => void (pass = await world.addPass(accountId, undefined)));

  /** A call that a gateway took before it knew of the cap: nothing holds its money. */
  function unheld(): LoggedEvent {
    const event = eventOf(wishOf({ ...asking(), pass, state: 'captured' }));
    return { ...event, holdExpiresAtMs: Number.POSITIVE_INFINITY };
  }

  it('counts what the pass had spent before, and what gateways took before they knew of it', async () => {
    await world.count([unheld(), unheld()]);
    world.nowMs += 60_000;
    pass = await world.setPassCap(pass, { amountMicros: 1_000_000n, window: 'day' });
    const wish = wishOf({ ...asking(), pass });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect(await world.capOf(pass.passId)).toEqual({ spent: 500_000n, held: 250_000n });
    await world.count([unheld()]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(pass.passId)).toEqual({ spent: 750_000n, held: 250_000n });
    expect(await take(gate.gate, wishOf({ ...asking(), pass }))).toMatchObject({ kind: 'no_room' });
  });

  it('is settled once a second until all those calls are counted', async () => {
    pass = await world.setPassCap(pass, { amountMicros: 1_000_000n, window: 'total' });
    const due = async () =>
      (await listAccountsToSettle(gate.database, { watermarkMs: await watermark(), all: false })).includes(accountId);
    expect(await due()).toBe(true);
    await world.setBudget(accountId, 1_000_000n, 'month');
    await world.moveWatermark(world.nowMs + 5_001);
    expect(await due()).toBe(false);
  });

  const watermark = () => readCountedThrough(gate.database);
});

describe('holds that ended long ago', () => {
  it('are dropped, oldest first; those that are open or young stay', async () => {
    // Removes those of other tests.
    await dropEndedHolds(gate.database, { beforeMs: world.nowMs + 86_400_000, max: 1_000 });
    const ids: string[] = [];
    for (const ttlMs of [5_000, 6_000, 7_000, 8_000]) {
      const wish = wishOf({ ...asking(), ttlMs });
      expect((await take(gate.gate, wish)).kind).toBe('held');
      ids.push(wish.holdId);
    }
    const [oldest = '', second = '', third = '', open = ''] = ids;
    for (const holdId of [oldest, second, third]) await releaseHold(gate.database, holdId);
    const left = async () => (await findHolds(gate.database, ids)).map(({ holdId }) => holdId).toSorted();
    const beforeMs = world.nowMs + 6_500;
    expect(await dropEndedHolds(gate.database, { beforeMs, max: 1 })).toBe(1);
    expect(await left()).toEqual([second, third, open].toSorted());
    await dropEndedHolds(gate.database, { beforeMs, max: 10 });
    expect(await left()).toEqual([third, open].toSorted());
    await dropEndedHolds(gate.database, { beforeMs: world.nowMs + 60_000, max: 10 });
    expect(await left()).toEqual([open]);
  });

  it('leave what they came to spent', async () => {
    const wish = wishOf({ ...asking(), state: 'captured' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.count([eventOf(wish)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    const unheld = () =>
      world.owner.query(
        'select spent_micros as spent, unheld_micros as unheld from gate.cap_state where owner_id = $1',
        [accountId],
      );
    expect(await unheld()).toEqual([{ spent: 250_000n, unheld: 0n }]);
    await dropEndedHolds(gate.database, { beforeMs: wish.expiresAtMs + 1, max: 1_000 });
    expect(await findHolds(gate.database, [wish.holdId])).toEqual([]);
    expect(await unheld()).toEqual([{ spent: 250_000n, unheld: 250_000n }]);
  });
});

describe('a raised cap of a pass', () => {
  it('keeps what is held and spent of its windows, also of the day after', async () => {
    world.nowMs = dayOf(world.nowMs) + dayMs - 30_000; // the authorization lasts beyond midnight
    const pass = await world.addPass(accountId, { amountMicros: 1_000_000n, window: 'day' });
    expect((await take(gate.gate, wishOf({ ...asking(), pass }))).kind).toBe('held');
    const rows = () =>
      world.owner.query('select cap_id, held_micros from gate.cap_state where owner_id = $1 order by 1', [pass.passId]);
    const before = await rows();
    expect(before).toHaveLength(2);
    await world.setPassCap(pass, { amountMicros: 2_000_000n, window: 'day' });
    expect(await rows()).toEqual(before);
  });
});

describe('the row of a cap', () => {
  it('is not made from a budget that was changed after the settler read it', async () => {
    const slow = openPausing('gate.insert_cap');
    const late = take(slow.gate, wishOf(asking()));
    await slow.reached;
    const changed = persist(() => world.setBudget(accountId, 250_000n, 'month'));
    await eventually(() => isLockAwaited(world.owner), { withinMs: 10_000 });
    slow.resume();
    await Promise.all([late, changed]);
    const [row] = await world.owner.query('select cap_micros from gate.cap_state where owner_id = $1', [accountId]);
    expect(row).toEqual({ cap_micros: 250_000n });
  });
});

describe('F97 the cap of a balance', () => {
  const money = () => ({ owner: world.owner, accountId, nowMs: world.nowMs });
  const before = () => ({ ...asking(), window: undefined, balanceSinceMs: 0 });
  const kind = async (wish: HoldWish): Promise<string> => (await take(gate.gate, wish)).kind;

  it('takes a top-up into account at once, and no more than that', async () => {
    await putCredit(money(), 25n);
    expect([await kind(wishOf(before())), await kind(wishOf(before()))]).toEqual(['held', 'no_room']);
    await putCredit(money(), 25n);
    expect([await kind(wishOf(before())), await kind(wishOf(before()))]).toEqual(['held', 'no_room']);
  });

  it('neither frees nor counts twice what is billed and paid while it is decided about', async () => {
    await putCredit(money(), 75n);
    const [counted, open] = [wishOf({ ...before(), state: 'captured' }), wishOf(before())];
    expect([await kind(counted), await kind(open)]).toEqual(['held', 'held']);
    await world.count([eventOf(counted)]);
    await putInvoice(money(), 250_000n); // before the settler has seen the call
    await payInvoices(money(), 'balance');
    const [first, second] = [wishOf(before()), wishOf(before())];
    expect([await kind(first), await kind(second)]).toEqual(['held', 'no_room']);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await kind(wishOf(before()))).toBe('no_room');
    await releaseHold(gate.database, open.holdId);
    expect([await kind(wishOf(before())), await kind(wishOf(before()))]).toEqual(['held', 'no_room']);
  });

  it('is read after its row is locked: money that left while a decision waited is not spent', async () => {
    const creditId = await putCredit(money(), 25n);
    expect(await kind(wishOf({ ...before(), callCount: 2 }))).toBe('no_room'); // makes the row
    const slow = openPausing('gate.read_spending_power');
    const decided = take(slow.gate, wishOf(before()));
    await slow.reached;
    let isDecided = false;
    const other = take(gate.gate, wishOf(before())).finally(() => (isDecided = true));
    await eventually(async () => isDecided || (await isLockAwaited(world.owner)), { withinMs: 10_000 });
    expect(isDecided).toBe(false);
    await world.owner.query(
      `insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, moved_at)
       values ('taken back', $1, $2, -25, now())`,
      [creditId, accountId],
    );
    slow.resume();
    expect([(await decided).kind, (await other).kind]).toEqual(['no_room', 'no_room']);
  });

  it('is as a lowered cap when the operator lowers the limit: what is held stays', async () => {
    await putCreditLimit(money(), 75n);
    const first = wishOf(before());
    for (const wish of [first, wishOf(before()), wishOf(before())]) expect(await kind(wish)).toBe('held');
    world.nowMs += 10_000;
    await putCreditLimit(money(), 0n);
    await putCredit(money(), 50n);
    expect(await take(gate.gate, wishOf(before()))).toMatchObject({ kind: 'no_room', cap: { capMicros: 500_000n } });
    expect((await capture(gate.gate, first, { tool, nowMs: world.nowMs })).kind).toBe('captured');
  });

  it('counts all that was spent before, also in months that are billed, and what was on its way', async () => {
    world.nowMs += 40 * dayMs;
    const early = eventOf(wishOf({ ...asking(), nowMs: world.nowMs - 40 * dayMs }));
    await world.count([early, eventOf(wishOf(asking()))].map((event) => ({ ...event, holdExpiresAtMs: Infinity })));
    await putInvoice(money(), 250_000n);
    await payInvoices(money(), 'card');
    await putCreditLimit(money(), 100n);
    const since = world.nowMs;
    expect(await take(gate.gate, wishOf({ ...before(), balanceSinceMs: since, callCount: 4 }))).toMatchObject({
      kind: 'no_room',
      cap: { capMicros: 1_000_000n, spentMicros: 250_000n },
    });
  });

  it('begins anew when the limit was taken away meanwhile, and not by an older limit', async () => {
    await putCreditLimit(money(), 50n);
    const first = world.nowMs;
    expect(await kind(wishOf({ ...before(), balanceSinceMs: first }))).toBe('held');
    await putCreditLimit(money(), null);
    await world.count([{ ...eventOf(wishOf(asking())), holdExpiresAtMs: Infinity }]);
    world.nowMs += 1_000;
    await putCreditLimit(money(), 50n);
    const again = { ...before(), balanceSinceMs: world.nowMs };
    expect(await kind(wishOf(again))).toBe('no_room');
    expect(await kind(wishOf({ ...before(), balanceSinceMs: first }))).toBe('unavailable');
  });

  it('is refused by a gateway that has not heard that the limit is gone', async () => {
    await putCreditLimit(money(), 50n);
    const since = world.nowMs;
    const postpaid = world.openGate({ ...prepaid, consumerCredit: 'postpaid' });
    expect((await take(postpaid.gate, wishOf({ ...before(), balanceSinceMs: since }))).kind).toBe('held');
    await putCreditLimit(money(), null);
    expect((await take(postpaid.gate, wishOf({ ...before(), balanceSinceMs: since }))).kind).toBe('unavailable');
  });

  it('is settled until all calls are counted that gateways took before they knew of the limit', async () => {
    await putCreditLimit(money(), 50n);
    const due = async (watermarkMs: number) =>
      (await listAccountsToSettle(gate.database, { watermarkMs, all: false })).includes(accountId);
    expect([await due(world.nowMs), await due(world.nowMs + 5_001)]).toEqual([true, false]);
  });
});
