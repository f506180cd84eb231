import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let builder: TestAccount;
let consumer: TestAccount;
let toolId: string;

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perCall('0.25'), builder.accountId);
});

interface TestPass {
  readonly id: string;
  readonly key: string;
  readonly spent_usd: number | null;
  readonly held_usd: number | null;
  readonly remaining_usd: number | null;
  readonly resets_at: string | null;
}

async function newPass(body: object = {}): Promise<TestPass> {
  const answer = await gateway.send<TestPass>('POST', '/v1/passes', {
    token: consumer.token,
    body: { name: 'agent', tools: [toolId], ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body;
}
const ask = (token: string, body: object = {}) =>
  gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId, ...body } });
const showPass = async ({ id }: TestPass) =>
  (await gateway.send<TestPass>('GET', `/v1/passes/${id}`, { token: consumer.token })).body;

describe('a builder with the pass of a consumer', () => {
  it('holds the consumer’s money, and its event is the consumer’s, once, with the pass', async () => {
    const pass = await newPass({ cap: { amount_usd: 1, window: 'month' } });
    const asked = await ask(builder.token, { pass: pass.key });
    expect(asked).toMatchObject({
      status: 201,
      body: { consumer_id: consumer.accountId, pass_id: pass.id, held_usd: 0.25, remaining_usd: null, low: false },
    });
    const event = { tool_id: toolId, authorization_id: asked.body.id, duration_ms: 40 }; // no price counts it
    const sent = [await gateway.record(event, builder), await gateway.record(event, builder)];
    expect(sent.map(({ status }) => status)).toEqual([201, 201]);
    const records = (await gateway.appended()).filter(({ event_id: id }) => id === sent[0]?.body.event_id);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ consumer_id: consumer.accountId, tool_id: toolId, pass_id: pass.id });
    expect(await showPass(pass)).toMatchObject({ spent_usd: 0, held_usd: 0.25, remaining_usd: 0.75 });
  });

  it('402 at the pass’s cap: the consumer sees the figures, the builder when it is free again', async () => {
    const pass = await newPass({ cap: { amount_usd: 0.5, window: 'day' } });
    for (const low of [false, true]) expect((await ask(builder.token, { pass: pass.key })).body).toMatchObject({ low });
    const refused = await ask(builder.token, { pass: pass.key });
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ code: 'spending_cap_reached', resets_at: expect.any(String) });
    expect(Object.keys(refused.body)).not.toContain('limit');
    expect(refused.text).not.toContain('0.5');
    const byOwner = await ask(consumer.token, { pass: pass.key });
    expect(byOwner.status).toBe(402);
    expect(byOwner.body).toMatchObject({ limit: problemExample('approvable')['limit'] });
    const byPass = await gateway.record({ tool_id: toolId }, { token: pass.key });
    expect(byPass.status).toBe(402);
    expect(byPass.body).toEqual(problemExample('cap_shown_to_a_builder', '/v1/events'));
  });

  it('402 for a call that can come to more than the pass allows for one, also when it is increased', async () => {
    const pass = await newPass({ per_call_max_usd: 0.2 });
    const byOwner = await ask(consumer.token, { pass: pass.key });
    expect(byOwner.status).toBe(402);
    expect(byOwner.body).toEqual(problemExample('call'));
    const byBuilder = await ask(builder.token, { pass: pass.key });
    expect(byBuilder.status).toBe(402);
    expect(byBuilder.body).toEqual(problemExample('call_shown_to_a_builder'));
    expect((await gateway.record({ tool_id: toolId }, { token: pass.key })).status).toBe(402);
    expect((await gateway.record({ tool_id: toolId, success: false }, { token: pass.key })).status).toBe(201);
    const perMs = { ...perCall('0.01').charges[0], metric: { type: 'duration_ms' } };
    const slow = await charging(gateway, { ...perCall('0.01'), charges: [perMs] }, builder.accountId);
    const { key } = await newPass({ tools: [slow], per_call_max_usd: 0.2 });
    const asked = await ask(builder.token, { tool_id: slow, pass: key, max: { duration_ms: 20 } });
    expect(asked.status).toBe(201);
    const path = `/v1/authorizations/${asked.body.id}/increase`;
    const more = await gateway.send('POST', path, { token: builder.token, body: { max: { duration_ms: 21 } } });
    expect(more).toMatchObject({ status: 402 });
  });

  it.each([
    ['an unknown', async () => ({ key: `tg_pass_${'0'.repeat(38)}` })],
    [
      'a revoked',
      async () => {
        const pass = await newPass();
        await gateway.send('DELETE', `/v1/passes/${pass.id}`, { token: consumer.token });
        return pass;
      },
    ],
    [
      'a paused',
      async () => {
        const pass = await newPass();
        await gateway.send('PATCH', `/v1/passes/${pass.id}`, { token: consumer.token, body: { paused: true } });
        return pass;
      },
    ],
    [
      'an expired',
      async () => {
        const pass = await newPass({ expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
        gateway.clock.advance(1_000);
        return pass;
      },
    ],
    ['an API key in place of a', async () => ({ key: consumer.token })],
  ])('F109 is answered 403, and always the same, for %s pass', async (_title, make) => {
    const { key } = await make();
    const refused = await ask(builder.token, { pass: key });
    const movedClock = expect.stringContaining(` It is ${toIso(gateway.clock.now())} here, since the sandbox clock`);
    expect(refused).toMatchObject({ status: 403, body: { code: 'pass_refused', detail: movedClock } });
    const stranger = await gateway.newAccount(); // built another tool
    const other = await ask(stranger.token, { pass: (await newPass()).key });
    const withoutId = ({ body }: typeof refused) => ({ ...body, request_id: '' });
    expect(withoutId(other)).toEqual(withoutId(refused));
  });

  it('403 for a tool that the pass does not name, and for a suspended consumer', async () => {
    const pass = await newPass({ tools: [await charging(gateway, perCall('1'), builder.accountId)] });
    expect((await ask(builder.token, { pass: pass.key })).body.code).toBe('tool_not_allowed');
    const good = await newPass();
    await createAuthRows(gateway.owner).suspend(consumer.accountId);
    const isRefused = async () => (await ask(builder.token, { pass: good.key })).status === 403;
    await eventually(isRefused, { withinMs: 10_000 });
    const refused = await ask(builder.token, { pass: good.key });
    expect(refused.body.code).toBe('pass_refused');
  });

  it('alone may capture, increase and release what it asked for; the consumer sees it', async () => {
    const pass = await newPass();
    const { id } = (await ask(builder.token, { pass: pass.key })).body;
    const path = `/v1/authorizations/${id}`;
    expect((await gateway.send('GET', path, { token: consumer.token })).status).toBe(200);
    expect((await gateway.send('DELETE', path, { token: consumer.token })).status).toBe(404);
    expect((await gateway.send('GET', path, { token: pass.key })).status).toBe(404);
    for (const token of [consumer.token, pass.key])
      expect(await gateway.record({ tool_id: toolId, authorization_id: id }, { token })).toMatchObject({
        status: 404,
        body: { code: 'authorization_not_found' },
      });
    expect((await gateway.send('DELETE', path, { token: builder.token })).status).toBe(204);
  });

  it('reads what it asked for with a key for events alone, which shows its account nothing that others asked for', async () => {
    const { createKey } = createAuthRows(gateway.owner);
    const keyOf = async (accountId: string) => (await createKey(accountId, { can: ['events'] })).key;
    const [ofBuilder, ofConsumer] = [await keyOf(builder.accountId), await keyOf(consumer.accountId)];
    const { id } = (await ask(ofBuilder, { pass: (await newPass()).key })).body;
    const read = (by: string, of: string) => gateway.send('GET', `/v1/authorizations/${of}`, { token: by });
    expect(await read(ofBuilder, id)).toMatchObject({ status: 200, body: { id, state: 'open' } });
    expect((await read(ofConsumer, id)).status).toBe(404);
    expect((await read(ofConsumer, (await ask(ofConsumer)).body.id)).status).toBe(200);
  });

  it('422 for the same key with another consumer’s pass', async () => {
    const [first, key] = [await newPass(), 'job'];
    expect((await ask(builder.token, { pass: first.key, idempotency_key: key })).status).toBe(201);
    consumer = await gateway.newAccount();
    const second = await newPass();
    expect((await ask(builder.token, { pass: second.key, idempotency_key: key })).status).toBe(422);
  });

  it.each([
    ['revoked', 'DELETE', '', undefined],
    ['paused', 'PATCH', '', { paused: true }],
    ['rotated', 'POST', '/rotate', {}],
    ['capped lower', 'PATCH', '', { cap: { amount_usd: 0.01, window: 'month' } }],
  ])('F107 is paid for a call that was authorized before the pass was %s', async (_title, method, path, body) => {
    const pass = await newPass({ cap: { amount_usd: 1, window: 'month' } });
    const { id } = (await ask(builder.token, { pass: pass.key })).body;
    await gateway.send(method, `/v1/passes/${pass.id}${path}`, { token: consumer.token, ...(body && { body }) });
    expect((await gateway.record({ tool_id: toolId, authorization_id: id }, builder)).status).toBe(201);
  });
});

describe('a pass as the bearer', () => {
  it('asks and captures for its account, under both caps, and sees no figures', async () => {
    await putBudget(gateway, consumer.token, { amount_usd: 0.5, window: 'month' });
    const pass = await newPass({ cap: { amount_usd: 100, window: 'total' } });
    const asked = await ask(pass.key);
    expect(asked).toMatchObject({ status: 201, body: { consumer_id: consumer.accountId, remaining_usd: null } });
    expect(
      (await gateway.record({ tool_id: toolId, authorization_id: asked.body.id }, { token: pass.key })).status,
    ).toBe(201);
    expect((await ask(pass.key)).status).toBe(201);
    const refused = await ask(pass.key);
    expect(refused).toMatchObject({ status: 402, body: { code: 'spending_cap_reached' } });
    expect(refused.body).not.toHaveProperty('limit');
  });

  it('reads no figure of its owner: only whether little is left, and when its window begins anew', async () => {
    const pass = await newPass({ cap: { amount_usd: 0.77, window: 'day' }, per_call_max_usd: 0.31 });
    const self = async () => (await gateway.send<object>('GET', '/v1/passes/self', { token: pass.key })).body;
    expect(await self()).toMatchObject({ low: false, resets_at: '2026-11-22T00:00:00.000Z' });
    for (let call = 0; call < 3; call += 1) expect((await ask(pass.key)).status).toBe(201);
    const read = await self();
    expect(read).toMatchObject({ id: pass.id, tools: [toolId], low: true });
    expect(Object.entries(read).filter(([name, value]) => name.includes('usd') || typeof value === 'number')).toEqual(
      [],
    );
    expect(JSON.stringify(read)).not.toMatch(/"cap"|0\.77|0\.31|0\.75|0\.02/);
    expect(await showPass(pass)).toMatchObject({ held_usd: 0.75, remaining_usd: 0.02, per_call_max_usd: 0.31 });
  });

  it('400 when it names another pass', async () => {
    const [pass, other] = [await newPass(), await newPass()];
    expect((await ask(pass.key, { pass: other.key })).status).toBe(400);
  });
});

describe('the cap of a pass', () => {
  it('counts at once when it is raised, starts anew with another window, and is gone when it is taken away', async () => {
    const pass = await newPass({ cap: { amount_usd: 0.25, window: 'day' } });
    const change = (cap: object | null) =>
      gateway.send('PATCH', `/v1/passes/${pass.id}`, { token: consumer.token, body: { cap } });
    const status = async () => (await ask(builder.token, { pass: pass.key })).status;
    expect([await status(), await status()]).toEqual([201, 402]);
    await change({ amount_usd: 0.5, window: 'day' });
    expect([await status(), await status()]).toEqual([201, 402]);
    await change({ amount_usd: 0.75, window: 'month' }); // held money is held in the new window too
    expect([await status(), await status()]).toEqual([201, 402]);
    await change(null);
    expect(await status()).toBe(201);
    expect(await showPass(pass)).toMatchObject({ cap: null, spent_usd: null, remaining_usd: null });
  });

  it.each([
    ['no window', { cap: { amount_usd: 5 } }, '/cap/window'],
    ['half a cent', { cap: { amount_usd: 0.005, window: 'day' } }, '/cap/amount_usd'],
    ['a call of nothing', { per_call_max_usd: 0 }, '/per_call_max_usd'],
  ])('is 400 with %s', async (_title, body, pointer) => {
    const answer = await gateway.send<{ errors: { pointer: string }[] }>('POST', '/v1/passes', {
      token: consumer.token,
      body: { name: 'agent', tools: '*', ...body },
    });
    expect([answer.status, answer.body.errors[0]?.pointer]).toEqual([400, pointer]);
  });
});

describe('a book of calls', () => {
  it('holds all of them, and each is captured by itself, once', async () => {
    const pass = await newPass({ cap: { amount_usd: 1, window: 'month' } });
    const { id } = (await ask(builder.token, { pass: pass.key, count: 3 })).body;
    expect(await showPass(pass)).toMatchObject({ held_usd: 0.75 });
    const capture = async (index: number | undefined, more: object = {}) => {
      const event = { tool_id: toolId, authorization_id: id, ...(index === undefined ? {} : { call_index: index }) };
      const { status, body } = await gateway.record({ ...event, ...more }, builder);
      return status === 201 ? body.event_id : status;
    };
    const events = [await capture(0), await capture(2)];
    expect(new Set(events).size).toBe(2);
    expect([await capture(0), await capture(2)]).toEqual(events);
    expect(await capture(2, { success: false })).toBe(409);
    expect([await capture(undefined), await capture(3)]).toEqual([400, 400]);
    const path = `/v1/authorizations/${id}`;
    const shown = await gateway.send('GET', path, { token: builder.token });
    expect(shown.body).toMatchObject({ count: 3, captured_count: 2, state: 'open', held_usd: 0.75 });
    expect((await gateway.send('DELETE', path, { token: builder.token })).status).toBe(204);
    expect(await showPass(pass)).toMatchObject({ held_usd: 0.5 });
    expect(await capture(1)).toBe(409);
    expect(await capture(0)).toBe(events[0]);
  });

  it('captures many calls of one book in one batch', async () => {
    const { id } = (await ask(consumer.token, { count: 1_000 })).body;
    const events = Array.from({ length: 1_000 }, (_, index) => {
      return { tool_id: toolId, authorization_id: id, call_index: 999 - index };
    });
    const sent = await gateway.send<{ results: { status: string; event_id: string }[] }>('POST', '/v1/events/batch', {
      token: consumer.token,
      body: { events },
    });
    expect(new Set(sent.body.results.map(({ status }) => status))).toEqual(new Set(['recorded']));
    expect(new Set(sent.body.results.map(({ event_id: eventId }) => eventId)).size).toBe(1_000);
    const shown = await gateway.send<TestAuthorization>('GET', `/v1/authorizations/${id}`, { token: consumer.token });
    expect(shown.body).toMatchObject({ captured_count: 1_000, held_usd: 250 });
  });

  it('is increased by what its open calls need', async () => {
    const perMs = { ...perCall('0.01').charges[0], metric: { type: 'duration_ms' } };
    const slow = await charging(gateway, { ...perCall('0.01'), charges: [perMs] }, builder.accountId);
    const asked = await ask(consumer.token, { tool_id: slow, count: 3, max: { duration_ms: 10 } });
    expect(asked.body.held_usd).toBe(0.3);
    const event = { tool_id: slow, authorization_id: asked.body.id, duration_ms: 10, call_index: 0 };
    expect((await gateway.record(event, consumer)).status).toBe(201);
    const more = await gateway.send('POST', `/v1/authorizations/${asked.body.id}/increase`, {
      token: consumer.token,
      body: { max: { duration_ms: 20 } },
    });
    expect(more).toMatchObject({ status: 200, body: { held_usd: 0.5 } });
    expect((await gateway.record({ ...event, duration_ms: 20, call_index: 1 }, consumer)).status).toBe(201);
  });
});
