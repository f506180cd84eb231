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
import { type Queryable, createDatabase } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { takeTold, withoutVersion } from '@tollgate/testkit/take-told';
import { putCredit } from '../support/gate/put-money.ts';
import { operatorToken, useGatewayWithOperator } from '../support/use-gateway.ts';

const [fifty, eighty, hundred] = [500_000n, 800_000n, 1_000_000n];

interface Calling {
  /** The window of the budget; undefined if the account has none. */
  readonly window?: WindowKind;
  readonly pass?: Pass;
}

interface Alerts {
  readonly total: number;
  readonly next_cursor: string | null;
  readonly alerts: readonly Readonly<Record<string, unknown>>[];
}

describe('spending alerts', () => {
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

    it('F328 is told in the transaction that raises it: the threshold, and then all of the cap', async () => {
      const takeOwn = async () =>
        (await takeTold(world.owner, 'gate'))
          .filter(({ account_id: to }) => to === accountId)
          .map(({ type, data }) => [type, data['percent'], data['spent_usd']].join(' '))
          .toSorted();
      await setBudget(1_000_000n);
      await callAndSettle(5, { window: 'day' });
      expect(await takeOwn()).toEqual(['spending.threshold_reached 50 0.5']);
      await callAndSettle(5, { window: 'day' });
      expect(await takeOwn()).toEqual(['spending.limit_reached 100 1', 'spending.threshold_reached 80 1']);
      await settle();
      expect(await takeOwn()).toEqual([]);
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
});

describe('a balance that falls below its thresholds', () => {
  const { world, gate, tool } = useGate();
  let accountId: string;
  beforeEach(async () => {
    accountId = randomUUID();
    await putCredit(money(), 100n);
    await world.owner.query(
      `insert into billing.balance_threshold (account_id, below_cents, armed_at) values ($1, 80, $2), ($1, 30, $2)`,
      [accountId, toIso(world.nowMs)],
    );
  });

  const money = () => ({ owner: world.owner, accountId, nowMs: world.nowMs });

  /** A call that is counted and settled. */
  async function call(): Promise<void> {
    const asked = { accountId, tool, window: undefined, balanceSinceMs: 0, nowMs: world.nowMs, ttlMs: 60_000 };
    const wish = wishOf({ ...asked, state: 'captured' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.count([eventOf(wish)]);
    await settle();
  }

  async function settle(): Promise<void> {
    world.nowMs += 1_000;
    await gate.settle({ accountId, nowMs: world.nowMs });
  }

  /** The thresholds that were crossed, in cents, in the order of their alerts. */
  async function crossed(): Promise<number[]> {
    const rows = await world.owner.query<{ below: number }>(
      'select below_cents::int as below from billing.balance_threshold_alert where account_id = $1 order by raised_at, below_cents desc',
      [accountId],
    );
    return rows.map(({ below }) => below);
  }

  const compare = (db: Queryable) =>
    db.query('select billing.raise_balance_alerts($1, null, $2)', [accountId, toIso(world.nowMs)]);

  it('F237 is an alert for each as its calls are settled, once, and again after it was filled', async () => {
    await call();
    expect(await crossed()).toEqual([80]);
    await settle();
    await call();
    expect(await crossed()).toEqual([80]);
    await call();
    expect(await crossed()).toEqual([80, 30]);
    await putCredit(money(), 29n);
    await settle();
    expect(await crossed()).toEqual([80, 30]);
    await call();
    expect(await crossed()).toEqual([80, 30, 30]);
  });

  it('F237 counts what is held as not spent', async () => {
    const asked = { accountId, tool, window: undefined, balanceSinceMs: 0, nowMs: world.nowMs, ttlMs: 60_000 };
    for (let n = 0; n < 4; n += 1) expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
    await settle();
    expect(await crossed()).toEqual([]);
  });

  it('F237 is raised once where another compares by what it read before', async () => {
    await call();
    await putCredit(money(), 50n);
    await settle(); // 1.25 are left: the first threshold is armed again
    const log = createLogger({ name: 'gate-test', level: 'silent' });
    const other = createDatabase({ url: world.database.urlFor('billing_worker'), name: 'test-other', log });
    let compared: Promise<unknown> = Promise.resolve();
    await world.owner.transaction(async (tx) => {
      await tx.query('lock table billing.balance_threshold_alert in access exclusive mode');
      await tx.query('update gate.cap_state set spent_micros = spent_micros + 500000 where owner_id = $1', [accountId]);
      await compare(tx); // 0.75 are left
      compared = compare(other);
      await eventually(() => isLockAwaited(world.owner), { withinMs: 10_000 });
    });
    await compared;
    await other.stop();
    world.nowMs += 1_000;
    await compare(world.owner);
    expect(await crossed()).toEqual([80, 80]);
  });
});

describe('GET /v1/billing/alerts and /v1/operator/alerts', () => {
  const gateway = useGatewayWithOperator();

  const list = (token: string, path = '/v1/billing/alerts') => gateway.send<Alerts>('GET', path, { token });

  it('200: have what was spent of caps and what became of automatic top-ups, newest first', async () => {
    const [{ token, accountId }, other] = [await gateway.newAccount(), await gateway.newAccount()];
    await gateway.owner.query(
      `insert into gate.spending_alert (account_id, scope, owner_id, window_start, window_end, percent, cap_micros, spent_micros, raised_at)
       values ($1, 'account', $1, '2026-11-01', '2026-12-01', 80, 10000000, 8000000, '2026-11-20T01:00:00Z')`,
      [accountId],
    );
    await gateway.owner.query(
      `insert into billing.balance_alert (type, account_id, period, place, failure_code, cap_cents, spent_cents, raised_at)
       values ('auto_top_up.failed', $1, '2026-11', 1, 'declined', 20000, 0, '2026-11-20T02:00:00Z'),
         ('auto_top_up.limit_reached', $1, '2026-11', 0, null, 20000, 15000, '2026-11-20T03:00:00Z')`,
      [accountId],
    );
    await gateway.owner.query(
      `insert into billing.balance_threshold_alert (account_id, below_cents, armed_at, cap_micros, spent_micros, raised_at)
       values ($1, 500, '2026-11-19', -1000000, 2000000, '2026-11-20T00:00:00Z')`,
      [accountId],
    );
    const { body } = await list(token);
    expect(body).toMatchObject({
      total: 4,
      alerts: [
        { type: 'auto_top_up.limit_reached', scope: 'auto_top_up', percent: 75, cap_usd: 200, spent_usd: 150 },
        { type: 'auto_top_up.failed', percent: 0, failure_code: 'declined', window_start: '2026-11-01T00:00:00.000Z' },
        { type: 'spending.threshold_reached', scope: 'account', percent: 80, failure_code: null, below_usd: null },
        { type: 'balance.low', scope: 'balance', percent: 100, cap_usd: -1, spent_usd: 2, below_usd: 5 },
      ],
    });
    const first = await list(token, '/v1/billing/alerts?limit=2');
    const rest = await list(token, `/v1/billing/alerts?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.alerts, ...rest.body.alerts]).toEqual(body.alerts);
    expect((await list(other.token)).body.total).toBe(0);
    expect((await list(operatorToken, '/v1/operator/alerts')).body.total).toBe(4);
  });

  it('F328 are told as they are listed, each once; a failed automatic top-up that was ordered is told as `top_up.failed`', async () => {
    const { accountId } = await gateway.newAccount();
    await gateway.owner.query(
      `insert into billing.balance_alert (type, account_id, period, place, failure_code, cap_cents, spent_cents, raised_at)
       values ('auto_top_up.failed', $1, '2026-11', 1, 'payment_method_required', 20000, 0, '2026-11-20T02:00:00Z')`,
      [accountId],
    );
    const alerts = (await list(operatorToken, '/v1/operator/alerts')).body.alerts;
    const told = await takeTold(gateway.owner, 'gate');
    expect(told.map(({ type, account_id: to }) => [type, to])).toEqual(
      told.map(({ data }) => [data['type'], data['account_id']]),
    );
    const byId = (left: { id?: unknown }, right: { id?: unknown }) => (String(left.id) < String(right.id) ? -1 : 1);
    expect(told.map(({ data }) => withoutVersion(data)).toSorted(byId)).toEqual(
      alerts.filter(({ failure_code: code }) => code !== 'declined').toSorted(byId),
    );
  });
});
