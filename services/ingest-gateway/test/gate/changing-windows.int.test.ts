import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { charging, perMillisecond, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
let beside: GatewayUnderTest;
beforeAll(async () => void (beside = await startGateway({ beside: gateway })));
afterAll(() => beside.stop());

const asks = 40;

it('F279 a consumer that keeps changing its windows refuses no call, of its own or of others', async () => {
  const [consumer, other] = [await gateway.newAccount(), await gateway.newAccount()];
  const toolId = await charging(gateway, perMillisecond('0.01'));
  await putBudget(gateway, other.token, { amount_usd: 1_000, window: 'month' });
  const made = await gateway.send<{ id: string; key: string }>('POST', '/v1/passes', {
    token: consumer.token,
    body: { name: 'agent', tools: '*', cap: { amount_usd: 1_000, window: 'day' } },
  });
  let isOver = false;
  let changes = 0;
  const keepChanging = async (change: (cap: object) => Promise<{ status: number }>) => {
    for (let time = 0; !isOver; time += 1) {
      const { status } = await change({ amount_usd: 1_000, window: time % 2 === 0 ? 'month' : 'day' });
      if (status < 300) changes += 1;
    }
  };
  const changeCap = (cap: object) =>
    gateway.send('PATCH', `/v1/passes/${made.body.id}`, { token: consumer.token, body: { cap } });
  const changeBudget = (body: object) => gateway.send('PUT', '/v1/billing/budget', { token: consumer.token, body });
  /** The statuses that were refused, of authorizations and of more for each. */
  const askAll = async (by: GatewayUnderTest, token: string) => {
    const statuses: number[] = [];
    for (let time = 0; time < asks; time += 1) {
      const body = { tool_id: toolId, max: { duration_ms: 10 } };
      const held = await by.send<TestAuthorization>('POST', '/v1/authorizations', { token, body });
      const more = { token, body: { max: { duration_ms: 20 } } };
      statuses.push(held.status, (await by.send('POST', `/v1/authorizations/${held.body.id}/increase`, more)).status);
    }
    return statuses.filter((status) => status >= 300);
  };
  const changing = Promise.all([changeCap, changeCap, changeBudget].map(keepChanging));
  const refused = await Promise.all(
    [gateway, beside].flatMap((by) => [askAll(by, made.body.key), askAll(by, other.token)]),
  );
  isOver = true;
  await changing;
  expect(changes).toBeGreaterThan(10);
  expect(refused).toEqual([[], [], [], []]);
}, 60_000);
