import { beforeEach, describe, expect, it } from '@jest/globals';
import { charging, perCall, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { putCredit } from '../support/gate/put-money.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway({ settings: { CONSUMER_CREDIT: 'prepaid' } });
let consumer: TestAccount;
beforeEach(async () => void (consumer = await gateway.newAccount()));

const charge = perCall('0.01').charges[0];
const priceOf = (rest: object) => ({ ...perCall('0.01'), charges: [{ ...charge, ...rest }] });
const freeFirst = priceOf({ free_quantity: '1000' });
const package5 = priceOf({ model: { type: 'package', size: '5', package_price_usd: '3' } });
const tiered = (type: 'graduated' | 'volume') => {
  const first = { up_to: '10', unit_price_usd: '0.1', flat_price_usd: '0' };
  return priceOf({ model: { type, tiers: [first, { up_to: null, unit_price_usd: '5', flat_price_usd: '0' }] } });
};

const pay = (cents: bigint) =>
  putCredit({ owner: gateway.owner, accountId: consumer.accountId, nowMs: gateway.clock.now() }, cents);
const ask = (toolId: string, body: object = {}) =>
  gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
    token: consumer.token,
    body: { tool_id: toolId, ...body },
  });
const statuses = async (toolId: string, times: number) => {
  const answers = [];
  for (let time = 0; time < times; time += 1) answers.push((await ask(toolId)).status);
  return answers;
};

describe('F254 an account that pays before', () => {
  it('makes the free calls of a tool with nothing on its balance, and not the call after them', async () => {
    const toolId = await charging(gateway, freeFirst);
    expect(await ask(toolId, { count: 999 })).toMatchObject({ status: 201, body: { held_usd: 0 } });
    expect((await gateway.record({ tool_id: toolId }, consumer)).status).toBe(201);
    expect(await ask(toolId)).toMatchObject({ status: 402, body: { limit: { scope: 'balance', needed_usd: 0.01 } } });
    expect((await gateway.record({ tool_id: toolId }, consumer)).status).toBe(402);
  });

  it('makes all calls of a package that it can pay', async () => {
    const toolId = await charging(gateway, package5);
    await pay(300n);
    expect(await statuses(toolId, 6)).toEqual([201, 201, 201, 201, 201, 402]);
  });

  it('has room again at once when a call is given back', async () => {
    const toolId = await charging(gateway, freeFirst);
    const book = (await ask(toolId, { count: 1000 })).body;
    expect((await ask(toolId)).status).toBe(402);
    await gateway.send('DELETE', `/v1/authorizations/${book.id}`, { token: consumer.token });
    expect((await ask(toolId, { count: 1000 })).status).toBe(201);
  });

  it.each(['graduated', 'volume'] as const)(
    'holds the calls of %s tiers at the tiers that they reach',
    async (type) => {
      const toolId = await charging(gateway, tiered(type));
      await pay(100n);
      expect(await statuses(toolId, 11)).toEqual([...Array.from({ length: 10 }, () => 201), 402]);
    },
  );

  it('asks for more of an authorization by what its line rises by', async () => {
    const tokens = { metric: { type: 'metadata_sum', key: 'tokens' } };
    const toolId = await charging(gateway, priceOf({ ...tokens, free_quantity: '1000' }));
    const max = (amount: number) => ({ max: { metadata: { tokens: amount } } });
    const { id } = (await ask(toolId, max(400))).body;
    const increase = (amount: number) =>
      gateway.send('POST', `/v1/authorizations/${id}/increase`, { token: consumer.token, body: max(amount) });
    expect((await increase(1_000)).status).toBe(200);
    expect(await increase(1_001)).toMatchObject({ status: 402, body: { limit: { needed_usd: 0.01 } } });
    expect((await ask(toolId, max(1))).status).toBe(402);
    const event = { tool_id: toolId, authorization_id: id, metadata: { tokens: 1_000 } };
    expect((await gateway.record(event, consumer)).status).toBe(201);
  });
});

it('F254 a month’s budget lets the rest of a package through that was begun before', async () => {
  const toolId = await charging(gateway, package5);
  await pay(900n);
  expect(await statuses(toolId, 1)).toEqual([201]);
  await putBudget(gateway, consumer.token, { amount_usd: 3, window: 'month' });
  expect(await statuses(toolId, 5)).toEqual([201, 201, 201, 201, 402]);
});

it('F255 a pass is asked for what a call can come to now, by its cap and by its limit for one call', async () => {
  const toolId = await charging(gateway, freeFirst);
  await pay(1_000n);
  const body = { name: 'agent', tools: [toolId], cap: { amount_usd: 0.01, window: 'day' }, per_call_max_usd: 0.001 };
  const made = await gateway.send<{ key: string }>('POST', '/v1/passes', { token: consumer.token, body });
  const byPass = (count: number) => ask(toolId, { pass: made.body.key, count });
  expect((await byPass(1_000)).status).toBe(201);
  expect(await byPass(1)).toMatchObject({ status: 402, body: { limit: { scope: 'call', needed_usd: 0.01 } } });
});
