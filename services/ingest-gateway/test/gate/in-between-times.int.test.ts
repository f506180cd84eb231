import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { dayOf } from '@tollgate/kernel/period';
import { eventually } from '@tollgate/testkit/eventually';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import type { WindowKind } from '../../src/passes/spending-window.ts';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { capture, take, wishOf } from '../support/gate/take.ts';
import { useGateway } from '../support/use-gateway.ts';

const [second, minute] = [1_000, 60_000];

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
