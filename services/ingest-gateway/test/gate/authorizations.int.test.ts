import { describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();

interface Refusal {
  readonly code: string;
  readonly detail: string;
  readonly limit?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly pointer: string }[];
}

describe('POST /v1/authorizations', () => {
  it('201 holds what the call can come to, and its event is paid from that, once, however often it is sent', async () => {
    const { token, accountId } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.25'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
      token,
      body: { tool_id: toolId },
    });
    expect(asked).toMatchObject({
      status: 201,
      body: { consumer_id: accountId, tool_id: toolId, state: 'open', count: 1, held_usd: 0.25, remaining_usd: 0.75 },
    });
    const event = { tool_id: toolId, authorization_id: asked.body.id };
    const [first, again] = [await gateway.record(event, { token }), await gateway.record(event, { token })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body.event_id).toBe(first.body.event_id);
    const records = (await gateway.appended()).filter((record) => record.event_id === first.body.event_id);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ consumer_id: accountId, idempotency_key: asked.body.id });
    expect(await state(token, asked.body.id)).toBe('captured');
  });

  it('F95 201 charges the pass of the authorization, whoever of the account sends the event', async () => {
    const { token, accountId } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.25'));
    const passBody = { token, body: { name: 'agent', tools: '*' } };
    const sender = await gateway.send<{ id: string; key: string }>('POST', '/v1/passes', passBody);
    const recordedPass = async (passId: string | null, bearer: string) => {
      const asked = { token, body: { tool_id: toolId } };
      const { id } = (await gateway.send<TestAuthorization>('POST', '/v1/authorizations', asked)).body;
      await gateway.owner.query('update gate.hold set pass_id = $2 where hold_id = $1', [id, passId]);
      const { body } = await gateway.record({ tool_id: toolId, authorization_id: id }, { token: bearer });
      return (await gateway.appended()).find((record) => record.event_id === body.event_id)?.pass_id;
    };
    expect(await recordedPass(accountId, token)).toBe(accountId); // any id
    expect(await recordedPass(null, sender.body.key)).toBeUndefined();
  });

  it('402 says which cap has no room, with its figures, and holds nothing', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.4'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'day' });
    const ask = () => gateway.send<Refusal>('POST', '/v1/authorizations', { token, body: { tool_id: toolId } });
    expect([(await ask()).status, (await ask()).status]).toEqual([201, 201]);
    const refused = await ask();
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual(problemExample('account'));
    expect(await budget(token)).toMatchObject({ held_usd: 0.8, remaining_usd: 0.2 });
  });

  it('400 names what the price counts and the request does not bound', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, {
      ...perCall('0.1'),
      charges: [
        { ...perCall('0.001').charges[0], metric: { type: 'duration_ms' } },
        { ...perCall('0.001').charges[0], metric: { type: 'metadata_sum', key: 'tokens' } },
      ],
    });
    const body = { tool_id: toolId };
    const refused = await gateway.send<Refusal>('POST', '/v1/authorizations', { token, body });
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/max/duration_ms', '/max/metadata/tokens']);
    const max = { duration_ms: 100, metadata: { tokens: 20.5 } };
    const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
      token,
      body: { ...body, max },
    });
    expect(asked.body.held_usd).toBe(0.120501); // sums of fractions are rounded
  });

  it('201 takes the default bound of the tool where it has no `max`, and the event is bounded by it', async () => {
    const { token } = await gateway.newAccount();
    const perToken = { ...perCall('0.001').charges[0], metric: { type: 'metadata_sum', key: 'tokens' } };
    const toolId = await charging(gateway, { ...perCall('0.1'), charges: [perToken] });
    const ask = (max?: object) =>
      gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId, max } });
    expect((await ask()).status).toBe(400);
    const changed = 'update billing.tool set default_max = $2 where tool_id = $1';
    await gateway.owner.query(changed, [toolId, { metadata: { tokens: 20 } }]);
    await eventually(async () => (await ask()).status === 201, { withinMs: busyMs });
    const asked = await ask();
    expect(asked.body.held_usd).toBe(0.020001); // sums of fractions are rounded
    expect((await ask({ metadata: { tokens: 30 } })).body.held_usd).toBe(0.030001);
    expect((await ask({ duration_ms: 5 })).status).toBe(400); // its own `max` bounds too little
    const event = (tokens: number) =>
      gateway.record({ tool_id: toolId, authorization_id: asked.body.id, metadata: { tokens } }, { token });
    expect(await event(21)).toMatchObject({ status: 422, body: { code: 'authorization_exceeded' } });
    expect((await event(20)).status).toBe(201);
  });

  it('422 records nothing of an event with more than was authorized; increased, the authorization pays for it', async () => {
    const { token } = await gateway.newAccount();
    const perMs = { ...perCall('0.01').charges[0], metric: { type: 'duration_ms' } };
    const toolId = await charging(gateway, { ...perCall('0.01'), charges: [perMs] });
    const body = { tool_id: toolId, max: { duration_ms: 10 } };
    const { id } = (await gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body })).body;
    const event = { tool_id: toolId, authorization_id: id, duration_ms: 11 };
    expect(await gateway.record(event, { token })).toMatchObject({
      status: 422,
      body: { code: 'authorization_exceeded' },
    });
    const more = await gateway.send<TestAuthorization>('POST', `/v1/authorizations/${id}/increase`, {
      token,
      body: { max: { duration_ms: 20 } },
    });
    expect(more).toMatchObject({ status: 200, body: { held_usd: 0.2 } });
    expect((await gateway.record(event, { token })).status).toBe(201);
  });

  it('409 after it is released or has expired; the money is free at once when it is released', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('1'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    const ask = () =>
      gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
        token,
        body: { tool_id: toolId, ttl_seconds: 5 },
      });
    const released = await ask();
    expect((await ask()).status).toBe(402);
    const path = `/v1/authorizations/${released.body.id}`;
    expect((await gateway.send('DELETE', path, { token })).status).toBe(204);
    expect((await gateway.send('DELETE', path, { token })).status).toBe(204);
    const event = { tool_id: toolId, authorization_id: released.body.id };
    expect(await gateway.record(event, { token })).toMatchObject({
      status: 409,
      body: { code: 'authorization_not_open' },
    });
    const expired = await ask();
    expect(expired.status).toBe(201);
    gateway.clock.advance(5_000);
    const late = { ...event, authorization_id: expired.body.id };
    const increase = () =>
      gateway.send('POST', `/v1/authorizations/${expired.body.id}/increase`, { token, body: { max: {} } });
    const movedClock = expect.stringContaining(` It is ${toIso(gateway.clock.now())} here, since the sandbox clock`);
    for (const refused of [await gateway.record(late, { token }), await increase()])
      expect(refused).toMatchObject({ status: 409, body: { code: 'authorization_not_open', detail: movedClock } });
  });

  it('404 for everybody but the account that asked, who cannot capture it either', async () => {
    const [{ token }, stranger] = [await gateway.newAccount(), await gateway.newAccount()];
    const toolId = await charging(gateway, perCall('0.1'));
    const { id } = (
      await gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId } })
    ).body;
    const refusal = { status: 404, body: { code: 'authorization_not_found' } };
    for (const method of ['GET', 'DELETE'] as const)
      expect(await gateway.send(method, `/v1/authorizations/${id}`, { token: stranger.token })).toMatchObject(refusal);
    const event = { tool_id: toolId, authorization_id: id };
    expect(await gateway.record(event, { token: stranger.token })).toMatchObject(refusal);
    expect(await state(token, id)).toBe('open');
  });

  it('201 again for a repeated key, which holds nothing more; 422 for another request with the key', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.5'));
    await putBudget(gateway, token, { amount_usd: 5, window: 'month' });
    const ask = (ttl_seconds: number) =>
      gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
        token,
        body: { tool_id: toolId, ttl_seconds, idempotency_key: 'job-1' },
      });
    const [first, again] = [await ask(60), await ask(60)];
    expect(again.body.id).toBe(first.body.id);
    expect(await budget(token)).toMatchObject({ held_usd: 0.5 });
    expect((await ask(61)).status).toBe(422);
  });
});

describe('POST /v1/events of an account with a budget', () => {
  it('402 for the event that does not fit, and 201 for those before; an account without a budget goes on', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.3'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    const statuses = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await gateway.record({ tool_id: toolId }, { token })).status);
    expect(statuses).toEqual([201, 201, 201, 402]);
    expect((await gateway.record({ tool_id: toolId })).status).toBe(201);
    const batch = await gateway.send<{ results: { error?: { code: string } }[] }>('POST', '/v1/events/batch', {
      token,
      body: { events: [{ tool_id: toolId }] },
    });
    expect(batch.body.results[0]?.error?.code).toBe('spending_cap_reached');
  });

  it('201 once more for a repeated key, which takes no more money', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.3'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    for (let time = 0; time < 4; time += 1)
      expect((await gateway.record({ tool_id: toolId, idempotency_key: 'one' }, { token })).status).toBe(201);
    expect(await budget(token)).toMatchObject({ held_usd: 0.3 });
  });

  it('takes events without money, such as failed calls that the price does not bill, at a cap that is reached', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('1'));
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    const [first, second] = [
      await gateway.record({ tool_id: toolId }, { token }),
      await gateway.record({ tool_id: toolId }, { token }),
    ];
    expect([first.status, second.status]).toEqual([201, 402]);
    expect((await gateway.record({ tool_id: toolId, success: false }, { token })).status).toBe(201);
  });
});

describe('F108 while the rows of caps cannot be read', () => {
  it('who has a budget gets 503, never an unchecked yes; all others go on', async () => {
    const [capped, free] = [await gateway.newAccount(), await gateway.newAccount()];
    const toolId = await charging(gateway, perCall('0.1'));
    await putBudget(gateway, capped.token, { amount_usd: 1, window: 'month' });
    const pass = await gateway.send<{ key: string }>('POST', '/v1/passes', {
      token: free.token,
      body: { name: 'agent', tools: '*', cap: { amount_usd: 1, window: 'day' } },
    });
    await gateway.owner.transaction(async (tx) => {
      await tx.query('lock table gate.cap_state');
      const [refused, byPass, taken] = await Promise.all([
        gateway.record({ tool_id: toolId }, capped),
        gateway.record({ tool_id: toolId }, { token: pass.body.key }),
        gateway.record({ tool_id: toolId }, free),
      ]);
      for (const answer of [refused, byPass]) {
        expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(taken.status).toBe(201);
    });
    expect((await gateway.record({ tool_id: toolId }, capped)).status).toBe(201);
  });
});

describe('the budget', () => {
  it('is 404 where there is none, counts at once when it is raised, and is gone when it is deleted', async () => {
    const { token } = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('2'));
    expect((await gateway.send('GET', '/v1/billing/budget', { token })).status).toBe(404);
    await putBudget(gateway, token, { amount_usd: 1, window: 'month' });
    const ask = () => gateway.send('POST', '/v1/authorizations', { token, body: { tool_id: toolId } });
    expect((await ask()).status).toBe(402);
    await putBudget(gateway, token, { amount_usd: 2, window: 'month' });
    expect((await ask()).status).toBe(201);
    expect((await ask()).status).toBe(402);
    expect((await gateway.send('DELETE', '/v1/billing/budget', { token })).status).toBe(204);
    expect((await ask()).status).toBe(201);
  });
});

async function state(token: string, id: string): Promise<string> {
  return (await gateway.send<TestAuthorization>('GET', `/v1/authorizations/${id}`, { token })).body.state;
}

async function budget(token: string): Promise<object> {
  return (await gateway.send<object>('GET', '/v1/billing/budget', { token })).body;
}
