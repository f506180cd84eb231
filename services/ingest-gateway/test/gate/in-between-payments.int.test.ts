import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import { onlyRow } from '@tollgate/database/database';
import { createFillBalances } from '../../src/gate/caps/balance-caps.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { type IncreaseDecision, increaseHold } from '../../src/gate/authorizations/increase-hold.ts';
import { createReadStanding } from '../../src/gate/deciding/read-standing.ts';
import { dropIdleBalanceCaps } from '../../src/gate/caps/sql-cap-state.ts';
import { listAccountsToSettle } from '../../src/gate/settling/sql-settlement.ts';
import type { LoggedEvent } from '../support/gate/gate-world.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { ageInvoices, payInvoices, putCreditLimit, putInvoice, putPaymentMethod } from '../support/gate/put-money.ts';
import { type Asking, atPrice, capture, take, wishOf } from '../support/gate/take.ts';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { dayOf } from '@tollgate/kernel/period';
import { eventually } from '@tollgate/testkit/eventually';
import type { WindowKind } from '../../src/passes/spending-window.ts';
import { type TestAuthorization, charging, perCall } from '../support/gate/charging.ts';
import { useGateway } from '../support/use-gateway.ts';

/** As a gateway wishes that has heard that the account is past due. */
function late(wish: HoldWish): HoldWish {
  return { ...wish, isPastDue: true };
}

const [second, minute] = [1_000, 60_000];

describe('in between payments', () => {
  const { world, gate, tool } = useGate('0.25', { consumerCredit: 'postpaid', allowanceMicros: micros(1_000_000n) });
  let accountId: string;
  beforeEach(() => void (accountId = randomUUID()));

  const money = () => ({ owner: world.owner, accountId, nowMs: world.nowMs });
  const asking = (more: Partial<Asking> = {}): HoldWish =>
    wishOf({ accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000, ...more });
  const kind = async (wish: HoldWish): Promise<string> => (await take(gate.gate, wish)).kind;

  /** A call that a gateway took without a hold, since the account had a payment method. */
  async function countCall(): Promise<void> {
    const { holdId, toolId, max } = asking({ state: 'captured' });
    const event: LoggedEvent = {
      eventId: holdId,
      accountId,
      passId: null,
      toolId,
      bodyHash: 'AAAA',
      occurredAtMs: world.nowMs,
      holdExpiresAtMs: Infinity,
      success: true,
      durationMs: max.durationMs,
      metadata: {},
    };
    await world.count([event]);
  }

  async function lostSince(): Promise<number> {
    const text = 'select unsecured_since from billing.secured_account_v1 where account_id = $1';
    const row = onlyRow(await world.owner.query<{ unsecured_since: Date | null }>(text, [accountId]));
    if (row.unsecured_since === null) throw new Error('the account has a payment method');
    return row.unsecured_since.getTime();
  }

  async function starts(): Promise<number[]> {
    const text = `select window_start from gate.cap_state where scope = 'balance' and owner_id = $1`;
    const rows = await world.owner.query<{ window_start: Date }>(text, [accountId]);
    return rows.map((row) => row.window_start.getTime());
  }

  /** Increases an authorization to this bound. */
  function increaseTo(each: bigint, { holdId, max }: HoldWish): Promise<IncreaseDecision> {
    const asker = { accountId, pass: undefined };
    return increaseHold(
      gate.database,
      { holdId, asker, tool: atPrice(tool, each), max, nowMs: world.nowMs },
      {
        readStanding: createReadStanding({ ...world.rules, refusesPastDue: true }),
        fillBalances: createFillBalances(world.rules),
        settleAccounts: gate.settleAccounts,
      },
    );
  }

  describe('F233 an account that a gateway takes for past due', () => {
    it('is free as soon as its payment is committed, whatever the gateway has heard', async () => {
      await putInvoice(money(), 250_000n);
      await ageInvoices(money(), 'past_due');
      expect(await kind(late(asking()))).toBe('past_due');
      await payInvoices(money(), 'card');
      expect(await kind(late(asking()))).toBe('held');
    });

    it('has the same answer to a repeat, and no hold for what is refused', async () => {
      const first = asking({ state: 'captured' });
      expect(await kind(first)).toBe('held');
      await putInvoice(money(), 250_000n);
      await ageInvoices(money(), 'past_due');
      expect(await kind(late(first))).toBe('repeat');
      const refused = late(asking({ state: 'captured' }));
      expect([await kind(refused), await kind(refused)]).toEqual(['past_due', 'past_due']);
    });
  });

  describe('F236 the row of an allowance', () => {
    it('counts all that was called before, also while there was a payment method, and what was on its way', async () => {
      expect(await kind(asking({ balanceSinceMs: 0 }))).toBe('held');
      await putPaymentMethod(money(), 'on file');
      await countCall();
      await countCall();
      await putPaymentMethod(money(), 'gone');
      const since = await lostSince();
      const lost = (): HoldWish => asking({ balanceSinceMs: since });
      expect([await kind(lost()), await kind(lost())]).toEqual(['held', 'no_room']);
      expect(await starts()).toEqual([since]);
    });

    it('has what invoices bill and nobody has paid, and frees it when they are paid', async () => {
      for (const _ of [1, 2, 3]) await countCall();
      await putInvoice(money(), 750_000n);
      const unpaid = (): HoldWish => asking({ balanceSinceMs: 0 });
      expect([await kind(unpaid()), await kind(unpaid())]).toEqual(['held', 'no_room']);
      await payInvoices(money(), 'card');
      expect([await kind(unpaid()), await kind(unpaid()), await kind(unpaid())]).toEqual(['held', 'held', 'held']);
      expect(await kind(unpaid())).toBe('no_room');
    });

    it('is refused to a gateway that has heard of an earlier loss only', async () => {
      await putPaymentMethod(money(), 'on file');
      await putPaymentMethod(money(), 'gone');
      const first = await lostSince();
      await putPaymentMethod(money(), 'on file');
      expect(await kind(asking({ balanceSinceMs: first }))).toBe('unavailable');
    });

    it('bounds nothing once a payment method is on file, and is dropped when nobody needs it', async () => {
      expect(await kind(asking({ balanceSinceMs: 0, callCount: 4 }))).toBe('held');
      await dropIdleBalanceCaps(gate.database, { hasAllowance: true });
      expect(await starts()).toEqual([0]);
      expect(await take(gate.gate, asking({ balanceSinceMs: 0 }))).toMatchObject({
        kind: 'no_room',
        cap: { boundBy: 'allowance' },
      });
      await putPaymentMethod(money(), 'on file');
      expect(await take(gate.gate, asking({ balanceSinceMs: 0 }))).toMatchObject({
        kind: 'held',
        room: { remainingMicros: null },
      });
      await dropIdleBalanceCaps(gate.database, { hasAllowance: true });
      expect(await starts()).toEqual([]);
    });

    it('is opened by an increase, and bounds what was asked for before the loss', async () => {
      await putPaymentMethod(money(), 'on file');
      const [before, other] = [asking(), asking()];
      expect([await kind(before), await kind(other)]).toEqual(['held', 'held']);
      await putPaymentMethod(money(), 'gone');
      const since = await lostSince();
      expect(await increaseTo(before.micros, before)).toMatchObject({ kind: 'increased' });
      expect(await starts()).toEqual([]);
      expect(await increaseTo(750_001n, before)).toMatchObject({
        kind: 'no_room',
        neededMicros: 750_001n - before.micros,
        cap: { boundBy: 'allowance', capMicros: 1_000_000n, heldMicros: before.micros + other.micros },
      });
      expect(await starts()).toEqual([since]);
      const rest = 1_000_000n - other.micros;
      expect(await increaseTo(rest, before)).toMatchObject({ kind: 'increased', room: { remainingMicros: 0n } });
      expect(await kind(asking({ balanceSinceMs: since }))).toBe('no_room');
    });

    it('is joined by the increased hold of a gateway that had not heard of the loss', async () => {
      await putPaymentMethod(money(), 'on file');
      await putPaymentMethod(money(), 'gone');
      const since = await lostSince();
      const [inRow, outside] = [asking({ balanceSinceMs: since }), asking()];
      expect([await kind(inRow), await kind(outside)]).toEqual(['held', 'held']);
      const rest = 1_000_000n - inRow.micros;
      expect(await increaseTo(rest + 1n, outside)).toMatchObject({ kind: 'no_room' });
      expect(await increaseTo(rest, outside)).toMatchObject({ kind: 'increased', room: { remainingMicros: 0n } });
      expect(await kind(asking({ balanceSinceMs: since }))).toBe('no_room');
    });

    it('is not opened by an increase once a payment method is on file again', async () => {
      await putPaymentMethod(money(), 'on file');
      const before = asking();
      expect(await kind(before)).toBe('held');
      await putPaymentMethod(money(), 'gone');
      await putPaymentMethod(money(), 'on file');
      expect(await increaseTo(5_000_000n, before)).toMatchObject({
        kind: 'increased',
        room: { remainingMicros: null },
      });
      expect(await starts()).toEqual([]);
    });

    it('is dropped when the allowance is set no more, and that of a credit limit stays', async () => {
      expect(await kind(asking({ balanceSinceMs: 0 }))).toBe('held');
      await dropIdleBalanceCaps(gate.database, { hasAllowance: false });
      expect(await starts()).toEqual([]);
      await putCreditLimit(money(), 50n);
      expect(await kind(asking({ balanceSinceMs: world.nowMs }))).toBe('held');
      await dropIdleBalanceCaps(gate.database, { hasAllowance: false });
      expect(await starts()).toEqual([world.nowMs]);
    });

    it('is settled until all calls are counted that gateways took before they knew of the loss', async () => {
      await putPaymentMethod(money(), 'on file');
      await putPaymentMethod(money(), 'gone');
      const since = await lostSince();
      const due = async (watermarkMs: number) =>
        (await listAccountsToSettle(gate.database, { watermarkMs, all: false })).includes(accountId);
      expect([await due(since), await due(since + 5_001)]).toEqual([true, false]);
    });
  });
});

describe('between the ask and the capture', () => {
  const gateway = useGateway();

  it('F248 a dearer price comes that the asking gateway did not know: 422, until the authorization is increased', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.25'));
    const ask = () =>
      gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
        token,
        body: { tool_id: toolId, ttl_seconds: 3_600 },
      });
    const asked = await ask();
    expect(asked.body.held_usd).toBe(0.25);
    const fromMs = Date.parse('2026-11-21T13:00:00.000Z');
    await gateway.owner.query(
      `insert into billing.tool_price (price_id, tool_id, price, measures, effective_from, created_at)
       values ($1, $2, $3, '{}', $4, now())`,
      [randomUUID(), toolId, perCall('0.5'), toIso(fromMs)],
    );
    await eventually(async () => (await ask()).body.held_usd === 0.5, { withinMs: 10_000 });
    gateway.clock.advance(fromMs - gateway.clock.now());
    const event = { tool_id: toolId, authorization_id: asked.body.id };
    const before = (await gateway.appended()).length;
    expect(await gateway.record(event, { token })).toMatchObject({
      status: 422,
      body: { code: 'authorization_exceeded' },
    });
    expect(await gateway.appended()).toHaveLength(before);
    const path = `/v1/authorizations/${asked.body.id}/increase`;
    const increased = await gateway.send('POST', path, { token, body: { max: {} } });
    expect(increased).toMatchObject({ status: 200, body: { held_usd: 0.5 } });
    expect((await gateway.record(event, { token })).status).toBe(201);
  });
});

describe('holds and windows', () => {
  const { world, gate, tool } = useGate();
  let accountId: string;
  beforeEach(() => void (accountId = randomUUID()));

  const wishAt = (nowMs: number, { window, ttlMs = 5_000 }: { window: WindowKind; ttlMs?: number }) =>
    wishOf({ accountId, tool, window, nowMs, ttlMs });

  /** Captures at a gateway with this clock; its event is counted. */
  async function captureAt(wish: HoldWish, nowMs: number): Promise<string> {
    const { kind } = await capture(gate.gate, wish, { tool, nowMs });
    if (kind !== 'captured') return kind;
    const bodyHash = await storedHash(wish);
    const { eventId, passId, toolId, expiresAtMs: holdExpiresAtMs, askedAtMs } = wish;
    const ids = { eventId, accountId, passId, toolId, bodyHash };
    const times = { occurredAtMs: Math.max(nowMs, askedAtMs), holdExpiresAtMs };
    await world.count([{ ...ids, ...times, success: true, durationMs: 0, metadata: {} }]);
    return kind;
  }

  async function storedHash({ holdId }: HoldWish): Promise<string> {
    const text = `select encode(body_hash, 'base64') as hash from gate.hold where hold_id = $1`;
    const [row] = await world.owner.query<{ hash: string }>(text, [holdId]);
    return Buffer.from(row?.hash ?? '', 'base64').toString('base64url');
  }

  const settle = () => gate.settle({ accountId, nowMs: world.nowMs });

  /** Reads what is spent and held, by the start of the window. */
  async function windows(): Promise<Record<string, readonly [spent: bigint, held: bigint]>> {
    const rows = await world.owner.query<{ start: Date; spent: bigint; held: bigint }>(
      `select window_start as start, spent_micros as spent, held_micros as held from gate.cap_state
       where owner_id = $1 order by window_start`,
      [accountId],
    );
    return Object.fromEntries(
      rows.map(({ start, spent, held }) => [toIso(start.getTime()).slice(0, 10), [spent, held]]),
    );
  }

  it('F248 the month of a budget ends between ask and capture: both hold the money, and the call’s own spends it', async () => {
    world.nowMs = Date.parse('2026-11-30T23:59:30.000Z');
    await world.setBudget(accountId, 500_000n, 'month');
    const wish = wishAt(world.nowMs, { window: 'month', ttlMs: minute });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect(await windows()).toEqual({ '2026-11-01': [0n, 250_000n], '2026-12-01': [0n, 250_000n] });
    world.nowMs += 40 * second;
    expect(await captureAt(wish, world.nowMs)).toBe('captured');
    await settle();
    expect(await windows()).toEqual({ '2026-11-01': [0n, 0n], '2026-12-01': [250_000n, 0n] });
  });

  it('F249 a gateway whose clock is ahead spends of the next day, and passes the cap of neither', async () => {
    world.nowMs = dayOf(world.nowMs) + dayMs - 20 * second;
    const [today, tomorrow] = [world.nowMs, world.nowMs + dayMs].map((at) => toIso(at).slice(0, 10));
    await world.setBudget(accountId, 500_000n, 'day');
    for (const clockMs of [world.nowMs, world.nowMs + minute]) {
      const wishes = [0, 1, 2].map(() => wishAt(clockMs, { window: 'day' }));
      const kinds: string[] = [];
      for (const wish of wishes) kinds.push((await take(gate.gate, wish)).kind);
      expect(kinds).toEqual(['held', 'held', 'no_room']);
      for (const wish of wishes.slice(0, 2)) expect(await captureAt(wish, clockMs)).toBe('captured');
    }
    await settle();
    const spent = [500_000n, 0n];
    expect(await windows()).toEqual({ [today ?? '']: spent, [tomorrow ?? '']: spent });
  });

  it('F249 a gateway whose clock is behind captures nothing whose money is free again', async () => {
    await world.setBudget(accountId, 250_000n, 'month');
    const wish = wishAt(world.nowMs, { window: 'month' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    const behindMs = world.nowMs; // it does not know that the hold has expired
    world.nowMs += minute;
    await world.moveWatermark(world.nowMs);
    await settle();
    expect((await take(gate.gate, wishAt(world.nowMs, { window: 'month' }))).kind).toBe('held');
    expect(await captureAt(wish, behindMs)).toBe('not_open');
  });

  it('F249 a gateway whose clock is ahead refuses early, and another one captures: nothing is freed by it', async () => {
    await world.setBudget(accountId, 250_000n, 'month');
    const wish = wishAt(world.nowMs, { window: 'month' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect(await captureAt(wish, world.nowMs + minute)).toBe('not_open');
    await gate.settle({ accountId, nowMs: world.nowMs + minute });
    expect((await take(gate.gate, wishAt(world.nowMs, { window: 'month' }))).kind).toBe('no_room');
    expect(await captureAt(wish, world.nowMs)).toBe('captured');
  });
});
