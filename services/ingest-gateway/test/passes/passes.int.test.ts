import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useOnce } from '@tollgate/testkit/use-world';
import type { ApiPass } from '@tollgate/contracts/spending/passes';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall } from '../support/gate/charging.ts';
import { startGateway, type TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

type Created = ApiPass & { readonly key: string; readonly code: string; readonly errors?: { pointer: string }[] };

const gateway = useGateway({ settings: { PASSES_PER_ACCOUNT_MAX: '10' } });
const other = useOnce(() => startGateway({ beside: gateway }));
let consumer: TestAccount;
let toolId: string;

beforeAll(async () => {
  toolId = await gateway.newTool();
});

beforeEach(async () => void (consumer = await gateway.newAccount()));

const send = (method: string, path: string, body?: object, token = consumer.token) =>
  gateway.send<Created>(method, path, { token, ...(body && { body }) });
async function createPass(body: object = {}): Promise<Created> {
  const answer = await send('POST', '/v1/passes', { name: 'agent', tools: [toolId], ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}
const patch = (id: string, body: object) => send('PATCH', `/v1/passes/${id}`, body);
const callWith = async ({ key }: { key: string }, by = gateway, tool = toolId) => {
  const { status, body } = await by.record({ tool_id: tool }, { token: key });
  return status === 201 ? 201 : body.code;
};

describe('a pass', () => {
  it('F95 records events as its own, on the account of its owner, of the tools that it names', async () => {
    const pass = await createPass();
    const { body } = await gateway.record({ tool_id: toolId }, { token: pass.key });
    const records = await gateway.appended();
    const record = records.find(({ event_id: id }) => id === body.event_id);
    expect(record).toMatchObject({ consumer_id: consumer.accountId, pass_id: pass.id });
    expect(await callWith(pass, gateway, await gateway.newTool())).toBe('tool_not_allowed');
    expect(await callWith(await createPass({ tools: '*' }), gateway, await gateway.newTool())).toBe(201);
  });

  it('is refused per item in a batch for a tool that it does not name', async () => {
    const { id, key } = await createPass();
    const events = [{ tool_id: toolId }, { tool_id: await gateway.newTool() }];
    const { body } = await gateway.send<{ results: { status: string; event_id?: string; error?: { code: string } }[] }>(
      'POST',
      '/v1/events/batch',
      { token: key, body: { events } },
    );
    expect(body.results.map(({ status, error }) => error?.code ?? status)).toEqual(['recorded', 'tool_not_allowed']);
    const records = await gateway.appended();
    expect(records.find(({ event_id: eventId }) => eventId === body.results[0]?.event_id)?.pass_id).toBe(id);
  });

  it('shows its key once, and is listed newest first without it', async () => {
    const first = await createPass({ name: 'first', tags: { team: 'a' } });
    gateway.clock.advance(1);
    const second = await createPass({ name: 'second', tools: '*' });
    const { text, body } = await gateway.send<{ passes: ApiPass[]; total: number }>('GET', '/v1/passes?limit=1', {
      token: consumer.token,
    });
    expect(body).toMatchObject({ total: 2, passes: [{ id: second.id, tools: '*', prefix: second.key.slice(0, 12) }] });
    expect(text).not.toContain(second.key);
    expect((await send('GET', `/v1/passes/${first.id}`)).body).toMatchObject({ tags: { team: 'a' }, paused: false });
  });

  it('F92 reads itself, paused or not, and opens nothing else', async () => {
    const pass = await createPass();
    await send('PATCH', `/v1/passes/${pass.id}`, { paused: true });
    expect((await send('GET', '/v1/passes/self', undefined, pass.key)).body).toMatchObject({
      id: pass.id,
      paused: true,
    });
    expect((await send('GET', '/v1/passes', undefined, pass.key)).status).toBe(403);
    expect((await send('GET', '/v1/passes/self')).status).toBe(403);
  });

  it('works again when it is resumed, with the tools that were changed', async () => {
    const [pass, tool] = [await createPass(), await gateway.newTool()];
    await send('PATCH', `/v1/passes/${pass.id}`, { paused: true });
    expect(await callWith(pass)).toBe('pass_refused');
    await send('PATCH', `/v1/passes/${pass.id}`, { paused: false, tools: [tool] });
    expect([await callWith(pass), await callWith(pass, gateway, tool)]).toEqual(['tool_not_allowed', 201]);
  });

  it('is refused from its expiry on, and again works when that is taken away', async () => {
    const pass = await createPass({ expires_at: new Date(gateway.clock.now() + 60_000).toISOString() });
    expect(await callWith(pass)).toBe(201);
    gateway.clock.advance(60_000);
    expect(await callWith(pass)).toBe('unauthorized');
    await send('PATCH', `/v1/passes/${pass.id}`, { expires_at: null });
    expect(await callWith(pass)).toBe(201);
  });

  it('has a new key after a rotation, and the earlier one for its grace', async () => {
    const pass = await createPass();
    const rotated = (await send('POST', `/v1/passes/${pass.id}/rotate`, { grace_seconds: 60 })).body;
    expect([await callWith(pass), await callWith(rotated)]).toEqual([201, 201]);
    gateway.clock.advance(60_000);
    expect([await callWith(pass), await callWith(rotated)]).toEqual(['unauthorized', 201]);
    const again = (await send('POST', `/v1/passes/${pass.id}/rotate`, {})).body;
    expect([await callWith(rotated), await callWith(again)]).toEqual(['unauthorized', 201]);
  });

  it('is another account’s business alone', async () => {
    const [pass, stranger] = [await createPass(), await gateway.newAccount()];
    const path = `/v1/passes/${pass.id}`;
    for (const [method, at, body] of [
      ['GET', path],
      ['PATCH', path, { paused: true }],
      ['POST', `${path}/rotate`, {}],
      ['DELETE', path],
    ] as const)
      expect((await send(method, at, body, stranger.token)).status).toBe(404);
    expect(await callWith(pass)).toBe(201);
  });

  it.each([
    ['an unknown tool', { tools: ['no-such-tool'] }, '/tools/0'],
    ['no tool', { tools: [] }, '/tools'],
    ['a time of expiry in the past', { expires_at: '2020-01-01T00:00:00Z' }, '/expires_at'],
    ['six tags', { tags: { a: '', b: '', c: '', d: '', e: '', f: '' } }, '/tags'],
    ['an unknown field', { cap_usd: 5 }, '/cap_usd'],
  ])('is not created with %s', async (_title, body, pointer) => {
    const answer = await send('POST', '/v1/passes', { name: 'agent', tools: '*', ...body });
    expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
  });

  it('leaves its row in the audit trail, without its key', async () => {
    const pass = await createPass();
    await send('DELETE', `/v1/passes/${pass.id}`);
    const rows = await gateway.owner.query<{ action: string; text: string }>(
      'select action, to_jsonb(act)::text as text from audit.act act where account_id = $1 order by act_id',
      [consumer.accountId],
    );
    expect(rows.map(({ action }) => action)).toEqual(['pass.created', 'pass.revoked']);
    expect(rows.map(({ text }) => text).join()).not.toContain(pass.key);
  });
});

describe('F93 an account has passes up to a cap, also when it asks for many at once', () => {
  it('refuses the eleventh and names the cap', async () => {
    const answers = await Promise.all(
      Array.from({ length: 14 }, () => send('POST', '/v1/passes', { name: 'agent', tools: '*' })),
    );
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.text).toContain('at most 10 live passes');
  });
});

describe('F94 every gateway knows a change of a pass within a second', () => {
  it.each([
    ['revoked', 'DELETE', '', undefined, 'unauthorized'],
    ['paused', 'PATCH', '', { paused: true }, 'pass_refused'],
    ['rotated', 'POST', '/rotate', {}, 'unauthorized'],
  ])('is refused by the other gateway: a %s pass', async (_title, method, path, body, refusal) => {
    const run = bestRunBelow(1_000, async () => {
      const pass = await createPass({ tools: '*' });
      expect(await callWith(pass, other)).toBe(201); // it has the pass in memory
      await send(method, `/v1/passes/${pass.id}${path}`, body);
      const ms = await msOf(() =>
        eventually(async () => (await callWith(pass, other)) === refusal, { withinMs: 10_000 }),
      );
      if (method !== 'DELETE') await send('DELETE', `/v1/passes/${pass.id}`); // the cap of the account
      return ms;
    });
    await expect(run).resolves.toBe('held');
  });

  /** A call costs 0.25 USD. */
  it.each<readonly [string, string, (pass: Created) => Promise<unknown>]>([
    ['the tools of a pass', 'tool_not_allowed', ({ id }) => patch(id, { tools: [toolId] })],
    ['a cap of a pass', 'spending_cap_reached', ({ id }) => patch(id, { cap: { amount_usd: 0.1, window: 'day' } })],
    ['the maximum of a call', 'spending_cap_reached', ({ id }) => patch(id, { per_call_max_usd: 0.1 })],
    [
      'the expiry of a pass',
      'unauthorized',
      async ({ id }) => {
        await patch(id, { expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
        gateway.clock.advance(1_000);
      },
    ],
    ['a budget', 'spending_cap_reached', () => send('PUT', '/v1/billing/budget', { amount_usd: 0.1, window: 'month' })],
  ])('counts at the other gateway: %s', async (_title, refusal, change) => {
    const priced = await charging(gateway, perCall('0.25'));
    const run = bestRunBelow(1_000, async () => {
      consumer = await gateway.newAccount();
      const pass = await createPass({ tools: '*' });
      expect(await callWith(pass, other, priced)).toBe(201); // it has the pass in memory
      await change(pass);
      const isRefused = async () => (await callWith(pass, other, priced)) === refusal;
      return msOf(() => eventually(isRefused, { withinMs: 10_000 }));
    });
    await expect(run).resolves.toBe('held');
  });

  it('a new pass works at once, at any gateway', async () => {
    expect(await callWith(await createPass(), other)).toBe(201);
  });
});
