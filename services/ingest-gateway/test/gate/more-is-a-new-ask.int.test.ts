import { request as httpRequest } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { charging, perMillisecond, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let builder: TestAccount;
let consumer: TestAccount;
let pass: { readonly id: string; readonly key: string };
let toolId: string;

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perMillisecond('0.01'), builder.accountId);
  const body = { name: 'agent', tools: [toolId], per_call_max_usd: 1_000 };
  pass = (await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body })).body;
});

const byOwner = (method: string, path: string, body?: object) =>
  gateway.send(method, path, { token: consumer.token, ...(body && { body }) });
const changePass = (body: object) => byOwner('PATCH', `/v1/passes/${pass.id}`, body);

/** Changes between the ask and the increase, by the consumer, the operator or the builder, with the refusal of more. */
const changes = {
  'its pass is revoked': [() => byOwner('DELETE', `/v1/passes/${pass.id}`), 'pass_refused'],
  'its pass is paused': [() => changePass({ paused: true }), 'pass_refused'],
  'its pass has expired': [
    async () => {
      await changePass({ expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
      gateway.clock.advance(1_000);
    },
    'pass_refused',
  ],
  'its pass names other tools': [async () => changePass({ tools: [await gateway.newTool()] }), 'tool_not_allowed'],
  'a call with its pass may come to less': [() => changePass({ per_call_max_usd: 0.2 }), 'spending_cap_reached'],
  'its pass has a cap': [() => changePass({ cap: { amount_usd: 0.2, window: 'day' } }), 'spending_cap_reached'],
  'the account has a budget': [
    () => putBudget(gateway, consumer.token, { amount_usd: 0.2, window: 'month' }),
    'spending_cap_reached',
  ],
  'the tool is archived': [() => gateway.archive(toolId), 'tool_not_found'],
  'the consumer is suspended': [() => createAuthRows(gateway.owner).suspend(consumer.accountId), 'pass_refused'],
} satisfies Record<string, readonly [change: () => Promise<unknown>, refusal: string]>;

type Change = keyof typeof changes;

/** The askers. A pass that is gone, and a suspended account, are refused before they can ask for more. */
const askers = {
  'the builder': () => ({ token: builder.token, body: { pass: pass.key } }),
  'the consumer with its pass': () => ({ token: consumer.token, body: { pass: pass.key } }),
  'the pass': () => ({ token: pass.key, body: {} }),
} satisfies Record<string, () => { readonly token: string; readonly body: object }>;

type Who = keyof typeof askers;
const before: Partial<Record<`${Who}, ${Change}`, string>> = {
  'the pass, its pass is revoked': 'unauthorized',
  'the pass, its pass has expired': 'unauthorized',
  'the pass, the consumer is suspended': 'account_suspended',
  'the consumer with its pass, the consumer is suspended': 'account_suspended',
};
const cases = (Object.keys(changes) as Change[]).flatMap((change) =>
  (Object.keys(askers) as Who[]).flatMap((who) => [1, 3].map((count) => [change, who, count] as const)),
);

async function ask(who: Who, count: number) {
  const { token, body } = askers[who]();
  const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
    token,
    body: { ...body, tool_id: toolId, count, max: { duration_ms: 10 } },
  });
  expect(asked.status).toBe(201);
  return { token, id: asked.body.id };
}

const increase = (token: string, id: string, durationMs: number) =>
  gateway.send<TestAuthorization>('POST', `/v1/authorizations/${id}/increase`, {
    token,
    body: { max: { duration_ms: durationMs } },
  });

describe('F252 more of an authorization is asked for as a new one', () => {
  it.each(cases)('is refused once %s, asked by %s with count %d; what was authorized is paid', async (...of) => {
    const [change, who, count] = of;
    const { token, id } = await ask(who, count);
    const [act, refusal] = changes[change];
    await act();
    const refused = before[`${who}, ${change}`] ?? refusal;
    const more = await increase(token, id, 100_000);
    const [held] = await gateway.owner.query<{ held: bigint }>(
      'select held_micros as held from gate.hold where hold_id = $1',
      [id],
    );
    expect([more.body.code, held?.held]).toEqual([refused, 100_000n * BigInt(count)]);
    if (refused === 'unauthorized' || refused === 'account_suspended') return;
    const event = { tool_id: toolId, authorization_id: id, duration_ms: 10, ...(count > 1 && { call_index: 1 }) };
    const captured = await gateway.record(event, { token });
    expect([captured.status, captured.body.code]).toEqual([201, undefined]);
  });
});

/** Sends the body only once the request has been let in, and this is done. */
function askLate(token: string, whenLetIn: () => Promise<unknown>): Promise<number | undefined> {
  const body = JSON.stringify({ tool_id: toolId, max: { duration_ms: 10 } });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': body.length,
    expect: '100-continue',
  };
  const options = { port: gateway.port, path: '/v1/authorizations', method: 'POST', headers };
  return new Promise((resolve, reject) => {
    const asked = httpRequest(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    asked.on('continue', () => void whenLetIn().then(() => asked.end(body), reject));
    asked.flushHeaders();
  });
}

describe('F253 a request whose pass is revoked while it is read', () => {
  it('is refused, and never taken for one of the account itself', async () => {
    expect(await askLate(pass.key, async () => undefined)).toBe(201);
    expect(await askLate(pass.key, () => byOwner('DELETE', `/v1/passes/${pass.id}`))).toBe(401);
    const text = 'select from gate.hold where account_id = $1 and pass_id is null';
    expect(await gateway.owner.query(text, [consumer.accountId])).toEqual([]);
  });
});
