import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import type { RecordedEvent } from '@tollgate/contracts/events/event-answers';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Usage } from '@tollgate/contracts/money/usage';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { operatorOf, type DeadLetter } from './operator-of.ts';

const operatorToken = randomUUID();
const clockStart = '2023-11-16T18:15:00Z';
const patience = { withinMs: 5_000 };

describe('the operator', () => {
  const it = itWith(async (undo) => {
    const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: clockStart };
    const product = await openProduct({ name: 'operator', env }, undo);
    const { client } = product;
    const record = (token: string, body: object) => client<RecordedEvent>('POST', '/v1/events', { token, body });
    return { product, client, record, operator: operatorOf(product, operatorToken) };
  });

  it('starts the clock of all services of an empty database where the setting says', async (opened) => {
    const { client, record, operator } = opened;
    expect((await operator.nowMs()) - Date.parse(clockStart)).toBeLessThan(60_000);
    const { token } = await operator.newAccount();
    const account = await client<{ created_at: string }>('GET', '/v1/auth/me', { token });
    const recorded = await record(token, { tool_id: await operator.newTool(token) });
    for (const time of [account.body.created_at, recorded.body.timestamp]) expect(time).toMatch(/^2023-11-16T18:1/);
  });

  it('moves the clock, and is answered quickly when all earlier events are counted', async ({ operator }) => {
    const beganMs = systemClock.monotonicMs();
    for (let move = 1; move <= 5; move += 1) {
      const { now } = await operator.move({ advance_seconds: 3_600 });
      expect(await operator.countedThroughMs()).toBeGreaterThanOrEqual(Date.parse(now) - 7_500);
    }
    expect(systemClock.monotonicMs() - beganMs).toBeLessThan(5_000 + busyMs);
  });

  it('F44 moves the clock to a month without tables, and events are recorded and counted there', async (opened) => {
    const { client, record, operator } = opened;
    const { now } = await operator.move({ now: new Date((await operator.nowMs()) + 31 * dayMs).toISOString() });
    const { token } = await operator.newAccount();
    const { body } = await record(token, { tool_id: await operator.newTool(token) });
    const isCounted = async () => (await client('GET', `/v1/events/${body.event_id}`, { token })).status === 200;
    await eventually(isCounted, patience);
    const day = now.slice(0, 10).replaceAll('-', '');
    const tables = "select from pg_class where relname in ('event_' || $1, 'record_batch_' || $1)";
    expect(await operator.query(tables, [day])).toHaveLength(2);
  });

  it('expires tokens and events by moving the clock; expired tokens can be refreshed', async (opened) => {
    const { client, record, operator } = opened;
    const { token } = await operator.newAccount();
    const toolId = await operator.newTool(token);
    const refresh = (expiring: string) =>
      client<{ access_token: string }>('POST', '/v1/auth/refresh', { token: expiring });
    const { access_token: kept } = (await refresh(token)).body;
    await operator.move({ advance_seconds: 3_601 });
    expect((await client('GET', '/v1/auth/me', { token: kept })).status).toBe(401);
    const { access_token: fresh } = (await refresh(kept)).body;
    const nowMs = await operator.nowMs();
    const recordAged = (ageMs: number) =>
      record(fresh, { tool_id: toolId, timestamp: new Date(nowMs - ageMs).toISOString() });
    expect((await recordAged(dayMs - hourMs)).status).toBe(201);
    expect(await recordAged(dayMs + 1_000)).toMatchObject({ status: 422, body: { code: 'event_expired' } });
  });

  it('finds a frozen clock where it stood after a kill, and lets it go on', async ({ product, operator }) => {
    const frozen = await operator.move({ advance_seconds: 60, frozen: true });
    expect(frozen.frozen).toBe(true);
    await product.restart();
    expect(await operator.clock()).toEqual(frozen);
    expect((await operator.move({})).frozen).toBe(false);
  });

  it('F25 finds an unreadable record with its bytes; a replay of it becomes a dead letter again', async ({
    operator,
  }) => {
    const bytes = Buffer.from([0, 255, 123]);
    await operator.append(bytes);
    await eventually(async () => (await operator.deadLetters()).length === 1, patience);
    const [letter] = await operator.deadLetters();
    const path = `/v1/operator/dead-letters/${letter?.id}`;
    expect(await operator.ask('GET', path)).toMatchObject({ record_base64: bytes.toString('base64'), event_id: null });
    const { replayed_as: again } = await operator.ask<DeadLetter>('POST', `${path}/replay`);
    const isBack = async () => (await operator.deadLetters('?replayed=false')).some(({ id }) => id === again);
    await expect(eventually(isBack, patience)).resolves.toBe(true);
  });

  it('F06 keeps a conflict a conflict, however often it is replayed', async ({ client, record, operator }) => {
    const { token, accountId } = await operator.newAccount();
    const toolId = await operator.newTool(token);
    const key = randomUUID();
    const { status, body } = await record(token, { tool_id: toolId, idempotency_key: key });
    expect(status).toBe(201);
    const usage = () => client<Usage>('GET', `/v1/usage?tool_id=${toolId}`, { token });
    await eventually(async () => (await usage()).body.totals.calls === 1, patience); // before the other event is counted
    const { now: at } = await operator.clock();
    const other = { tool_id: toolId, success: false };
    const ids = { event_id: body.event_id, consumer_id: accountId, idempotency_key: key };
    const conflicting = { v: 1, ...ids, occurred_at: at, received_at: at, ...other, body_hash: bodyHashOf(other) };
    await operator.append(Buffer.from(JSON.stringify(conflicting)));
    const conflicts = () => operator.deadLetters(`?consumer_id=${accountId}&code=idempotency_conflict`);
    await eventually(async () => (await conflicts()).length === 1, patience);
    const [first] = await conflicts();
    const replay = `/v1/operator/dead-letters/${first?.id}/replay`;
    const { replayed_as: again } = await operator.ask<DeadLetter>('POST', replay);
    await eventually(async () => (await conflicts()).some(({ id }) => id === again), patience);
    expect((await usage()).body).toMatchObject({ totals: { calls: 1, failures: 0 } });
  });
});
