import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let builder: TestAccount;
let consumer: TestAccount;
let toolId: string;
let pass: { readonly id: string; readonly key: string };

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perCall('0.25'), builder.accountId);
  const body = { name: 'agent', tools: [toolId], cap: { amount_usd: 1, window: 'month' } };
  pass = (await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body })).body;
});

interface Named extends TestAuthorization {
  readonly expires_at: string;
  readonly reference: string | null;
}

interface Page {
  readonly authorizations: readonly Named[];
  readonly total: number;
  readonly next_cursor: string | null;
}

async function ask(more: object = {}, token = builder.token): Promise<Named> {
  const body = { tool_id: toolId, pass: pass.key, ...more };
  const answer = await gateway.send<Named>('POST', '/v1/authorizations', { token, body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const extend = ({ id }: Pick<Named, 'id'>, body: object, token = builder.token) =>
  gateway.send<Named>('POST', `/v1/authorizations/${id}/extend`, { token, body });
const list = (query: string, token = builder.token) =>
  gateway.send<Page>('GET', `/v1/authorizations?${query}`, { token });
const listed = async (query: string, token?: string) =>
  (await list(query, token)).body.authorizations.map(({ id }) => id);

describe('POST /v1/authorizations/{authorization_id}/extend', () => {
  it('200 moves the end, gives it the name, and holds nothing more; its event is paid until then', async () => {
    const asked = await ask({ ttl_seconds: 60 });
    const extended = await extend(asked, { ttl_seconds: 7_200, reference: 'task-1' });
    const endMs = gateway.clock.now() + 7_200_000;
    expect(extended).toMatchObject({
      status: 200,
      body: { id: asked.id, state: 'open', held_usd: 0.25, reference: 'task-1', expires_at: toIso(endMs) },
    });
    gateway.clock.advance(7_000_000);
    const event = { tool_id: toolId, authorization_id: asked.id };
    const recorded = await gateway.record(event, builder);
    expect(recorded.status).toBe(201);
    const record = (await gateway.appended()).find(({ event_id: id }) => id === recorded.body.event_id);
    expect(record?.hold_expires_at).toBe(toIso(endMs));
    expect((await extend(asked, { ttl_seconds: 60 })).status).toBe(409);
  });

  it('200 ends no later than 24 hours after it was asked for, however often it is extended', async () => {
    const asked = await ask({ ttl_seconds: 3_600 });
    const lastMs = gateway.clock.now() + 86_400_000;
    for (let hour = 0; hour < 3; hour += 1) {
      gateway.clock.advance(3_500_000);
      const { body } = await extend(asked, { ttl_seconds: 82_800 });
      expect(Date.parse(body.expires_at)).toBe(Math.min(gateway.clock.now() + 82_800_000, lastMs));
    }
    expect((await ask({ idempotency_key: 'new' })).reference).toBeNull();
  });

  it('402 and 403 where a new one would be refused, and 400 for more than a day', async () => {
    const asked = await ask();
    const path = `/v1/passes/${pass.id}`;
    const { token } = consumer;
    await gateway.send('PATCH', path, { token, body: { paused: true } });
    expect(await extend(asked, { ttl_seconds: 600 })).toMatchObject({ status: 403, body: { code: 'pass_refused' } });
    await gateway.send('PATCH', path, { token, body: { paused: false, per_call_max_usd: 0.1 } });
    expect(await extend(asked, { ttl_seconds: 600 })).toMatchObject({
      status: 402,
      body: { code: 'spending_cap_reached' },
    });
    expect((await extend(asked, { ttl_seconds: 86_401 })).status).toBe(400);
  });

  it('404 for everybody but the account that asked, also for the one that pays', async () => {
    const asked = await ask();
    const stranger = await gateway.newAccount();
    for (const { token } of [consumer, stranger])
      expect((await extend(asked, { ttl_seconds: 600 }, token)).status).toBe(404);
  });

  it.each([
    ['day', '2026-11-24'],
    ['month', '2026-11-30'],
  ])('F294 200 for 24 hours in the first hour of a day, with a cap for each %s', async (window, day) => {
    gateway.clock.advance(Date.parse(`${day}T00:20:00.000Z`) - gateway.clock.now());
    const { token } = await gateway.newAccount();
    const body = { name: 'agent', tools: [toolId], cap: { amount_usd: 1, window } };
    const { key } = (await gateway.send<typeof pass>('POST', '/v1/passes', { token, body })).body;
    const asked = await ask({ pass: undefined, ttl_seconds: 60 }, key);
    const endMs = gateway.clock.now() + 86_400_000;
    expect(await extend(asked, { ttl_seconds: 86_400 }, key)).toMatchObject({
      status: 200,
      body: { held_usd: 0.25, expires_at: toIso(endMs) },
    });
  });

  it('409 once it is released', async () => {
    const asked = await ask();
    const { token } = builder;
    expect((await gateway.send('DELETE', `/v1/authorizations/${asked.id}`, { token })).status).toBe(204);
    expect(await extend(asked, { ttl_seconds: 600 })).toMatchObject({
      status: 409,
      body: { code: 'authorization_not_open' },
    });
  });
});

describe('GET /v1/authorizations', () => {
  it('200 lists the open ones of its asker with the reference, newest first, by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await ask({ reference: 'job 1' })).id);
      gateway.clock.advance(1);
    }
    await ask({ reference: 'job 2' });
    expect(await listed('reference=job%201')).toEqual(ids);
    const first = (await list('reference=job%201&limit=2')).body;
    expect([first.total, first.authorizations.map(({ id }) => id)]).toEqual([3, ids.slice(0, 2)]);
    expect(await listed(`reference=job%201&limit=2&cursor=${first.next_cursor}`)).toEqual(ids.slice(2));
  });

  it('200 lists none that is captured, released or expired, and none of others', async () => {
    const { token } = builder;
    const [captured, released, expired, open] = [
      await ask({ reference: 'job' }),
      await ask({ reference: 'job' }),
      await ask({ reference: 'job', ttl_seconds: 5 }),
      await ask({ reference: 'job' }),
    ];
    await gateway.record({ tool_id: toolId, authorization_id: captured.id }, builder);
    await gateway.send('DELETE', `/v1/authorizations/${released.id}`, { token });
    gateway.clock.advance(5_000);
    expect(await listed('reference=job')).toEqual([open.id]);
    expect(expired.reference).toBe('job');
    for (const asker of [consumer.token, pass.key]) expect(await listed('reference=job', asker)).toEqual([]);
    expect((await list('')).status).toBe(400);
  });

  it('200 lists for a pass what it asked for; who pays sees the authorization and not its name', async () => {
    const { body: own } = await gateway.send<Named>('POST', '/v1/authorizations', {
      token: pass.key,
      body: { tool_id: toolId, reference: 'job' },
    });
    expect(await listed('reference=job', pass.key)).toEqual([own.id]);
    const shown = await gateway.send<Named>('GET', `/v1/authorizations/${own.id}`, { token: consumer.token });
    expect(shown).toMatchObject({ status: 200, body: { reference: null } });
  });
});
