import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { micros } from '@tollgate/kernel/money';
import { dayOf } from '@tollgate/kernel/period';
import { changeBudget } from '../../src/gate/caps/change-budget.ts';
import type { Pass } from '../../src/passes/pass.ts';
import type { WindowKind } from '../../src/passes/spending-window.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

const [fifty, eighty, hundred] = [500_000n, 800_000n, 1_000_000n];

const { world, gate, tool } = useGate('0.1');
let accountId: string;
beforeEach(() => void (accountId = randomUUID()));

const setBudget = (amountMicros: bigint, window: WindowKind = 'day') =>
  changeBudget(gate.database, {
    accountId,
    amountMicros: micros(amountMicros),
    window,
    alerts: [50, 80, 100],
    changedAtMs: world.nowMs,
  });

interface Calling {
  /** The window of the budget; undefined if the account has none. */
  readonly window?: WindowKind;
  readonly pass?: Pass;
}

/** So many calls of 0.10 USD, which are counted and not settled. */
async function call(times: number, { window, pass }: Calling): Promise<void> {
  const asked = { accountId, tool, window, pass, nowMs: world.nowMs, ttlMs: 60_000, state: 'captured' as const };
  const wishes = Array.from({ length: times }, () => wishOf(asked));
  for (const { kind } of await Promise.all(wishes.map((wish) => take(gate.gate, wish)))) expect(kind).toBe('held');
  await world.count(wishes.map(eventOf));
}

async function settle(): Promise<void> {
  world.nowMs += 1_000;
  await gate.settle({ accountId, nowMs: world.nowMs });
}

async function callAndSettle(times: number, calling: Calling): Promise<void> {
  await call(times, calling);
  await settle();
}

/** Reads the alerts that were raised for a budget or a pass, in their order. */
async function raisedAlerts(ownerId = accountId): Promise<{ percent: number; spent: bigint; window: string }[]> {
  const rows = await world.owner.query<{ percent: number; spent: bigint; start: Date }>(
    `select percent, spent_micros as spent, window_start as start from gate.spending_alert
     where account_id = $1 and owner_id = $2 order by raised_at, percent`,
    [accountId, ownerId],
  );
  return rows.map(({ percent, spent, start }) => ({ percent, spent, window: toIso(start.getTime()) }));
}

const today = (daysAhead = 0) => toIso(dayOf(world.nowMs) + daysAhead * dayMs);

describe('F246 a part of a budget that is spent', () => {
  it('is raised once a window for each threshold, and again in the next window', async () => {
    await setBudget(1_000_000n);
    await callAndSettle(4, { window: 'day' });
    expect(await raisedAlerts()).toEqual([]);
    await callAndSettle(1, { window: 'day' });
    const first = [{ percent: 50, spent: fifty, window: today() }];
    expect(await raisedAlerts()).toEqual(first);
    await callAndSettle(2, { window: 'day' });
    await settle();
    expect(await raisedAlerts()).toEqual(first);
    await callAndSettle(3, { window: 'day' });
    const all = [...first, ...[80, 100].map((percent) => ({ percent, spent: hundred, window: today() }))];
    expect(await raisedAlerts()).toEqual(all);
    world.nowMs += dayMs;
    await callAndSettle(8, { window: 'day' });
    const next = [50, 80].map((percent) => ({ percent, spent: eighty, window: today() }));
    expect(await raisedAlerts()).toEqual([...all, ...next]);
  });

  it('is not raised while it is only held', async () => {
    await setBudget(1_000_000n, 'month');
    for (let n = 0; n < 10; n += 1)
      await take(gate.gate, wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 60_000 }));
    await settle();
    expect(await raisedAlerts()).toEqual([]);
  });

  it('is raised for the window of its calls, also if they are settled after its end', async () => {
    world.nowMs = dayOf(world.nowMs) + dayMs - 1_000;
    await setBudget(1_000_000n);
    await call(5, { window: 'day' });
    world.nowMs += 5_000;
    await settle();
    expect(await raisedAlerts()).toEqual([{ percent: 50, spent: fifty, window: today(-1) }]);
  });

  it('is compared with a raised cap from then on, and not raised a second time', async () => {
    await setBudget(1_000_000n);
    await callAndSettle(6, { window: 'day' });
    await setBudget(2_000_000n);
    await settle();
    await callAndSettle(9, { window: 'day' });
    expect((await raisedAlerts()).map(({ percent }) => percent)).toEqual([50]);
    await callAndSettle(1, { window: 'day' });
    expect((await raisedAlerts()).map(({ percent, spent }) => [percent, spent])).toEqual([
      [50, 600_000n],
      [80, 1_600_000n],
    ]);
  });

  it('is raised for a month too, where a budget of a day raised that of the first', async () => {
    world.nowMs = Date.parse('2027-03-01T09:00:00.000Z');
    await setBudget(1_000_000n, 'day');
    await callAndSettle(5, { window: 'day' });
    await setBudget(1_000_000n, 'month');
    await callAndSettle(1, { window: 'month' });
    const window = toIso(world.nowMs).replace(/T.*/, 'T00:00:00.000Z');
    expect(await raisedAlerts()).toEqual([
      { percent: 50, spent: fifty, window },
      { percent: 50, spent: fifty, window }, // as the row of the month is made
    ]);
  });

  it('of a window that has ended is not raised because the cap was lowered since', async () => {
    await setBudget(1_000_000n);
    await callAndSettle(4, { window: 'day' });
    world.nowMs += dayMs;
    await setBudget(500_000n);
    await callAndSettle(1, { window: 'day' });
    expect(await raisedAlerts()).toEqual([]);
  });
});

describe('F246 a part of the cap of a pass that is spent', () => {
  it('is raised once a window for each threshold, and of no other pass', async () => {
    const cap = { amountMicros: 1_000_000n, window: 'day' as const };
    const [pass, other] = [await world.addPass(accountId, cap), await world.addPass(accountId, cap)];
    await callAndSettle(4, { pass: other });
    await callAndSettle(5, { pass });
    await callAndSettle(5, { pass });
    expect((await raisedAlerts(pass.passId)).map(({ percent }) => percent)).toEqual([50, 80, 100]);
    expect([await raisedAlerts(other.passId), await raisedAlerts()]).toEqual([[], []]);
    world.nowMs += dayMs;
    await callAndSettle(5, { pass });
    expect((await raisedAlerts(pass.passId)).at(-1)).toEqual({ percent: 50, spent: fifty, window: today() });
  });
});
