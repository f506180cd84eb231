import { beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import { putCreditLimit, putPaymentMethod, type MoneyOf } from '../support/gate/put-money.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway({ settings: { UNSECURED_ALLOWANCE_USD: '1' } });

let consumer: TestAccount;
beforeEach(async () => void (consumer = await gateway.newAccount()));

const money = (): MoneyOf => ({ owner: gateway.owner, accountId: consumer.accountId, nowMs: gateway.clock.now() });

async function asking(usd: string): Promise<() => ReturnType<typeof gateway.send<TestAuthorization>>> {
  const toolId = await charging(gateway, perCall(usd));
  return () => gateway.send('POST', '/v1/authorizations', { token: consumer.token, body: { tool_id: toolId } });
}

describe('F234 with UNSECURED_ALLOWANCE_USD', () => {
  it('402 spending_cap_reached where a part of the allowance is left, with its figures', async () => {
    const ask = await asking('0.4');
    expect(await ask()).toMatchObject({ status: 201, body: { remaining_usd: 0.6 } });
    expect((await ask()).status).toBe(201);
    expect(await ask()).toMatchObject({ status: 402, body: { code: 'spending_cap_reached' } });
    expect((await ask()).body).toEqual(problemExample('allowance'));
  });

  it('402 payment_required where nothing is left, with the figures, also for an event', async () => {
    const ask = await asking('0.5');
    expect([(await ask()).status, (await ask()).status]).toEqual([201, 201]);
    expect(await ask()).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    expect((await ask()).body).toEqual(problemExample('allowance_used_up'));
    const toolId = await charging(gateway, perCall('0.1'));
    const recorded = await gateway.record({ tool_id: toolId }, { token: consumer.token });
    expect(recorded).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  });

  it('402 shows a builder no figure', async () => {
    const builder = await gateway.newAccount();
    const toolId = await charging(gateway, perCall('0.7'), builder.accountId);
    const made = { token: consumer.token, body: { name: 'agent', tools: '*' } };
    const { key: pass } = (await gateway.send<{ key: string }>('POST', '/v1/passes', made)).body;
    const ask = () =>
      gateway.send('POST', '/v1/authorizations', { token: builder.token, body: { tool_id: toolId, pass } });
    expect((await ask()).status).toBe(201);
    const refused = await ask();
    expect(refused).toMatchObject({ status: 402, body: { code: 'spending_cap_reached', resets_at: null } });
    expect(refused.body).not.toHaveProperty('limit');
    await (
      await asking('0.3')
    )();
    expect((await ask()).body).toEqual(problemExample('shown_to_a_builder'));
  });

  it('lets calls through at once when a payment method is on file, and bounds them soon when it is gone', async () => {
    const ask = await asking('0.4');
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([201, 201, 402]);
    await putPaymentMethod(money(), 'on file');
    const free = await ask();
    expect([free.status, free.body.remaining_usd]).toEqual([201, null]);
    await putPaymentMethod(money(), 'gone');
    await eventually(async () => (await ask()).status === 402, { withinMs: 10_000 });
    expect(await ask()).toMatchObject({ body: { code: 'payment_required', limit: { scope: 'allowance' } } });
  });

  it('402 for an increase of what was asked for while there was a payment method, soon after it is gone', async () => {
    await putPaymentMethod(money(), 'on file');
    const tokens = { ...perCall('0.01').charges[0], metric: { type: 'metadata_sum', key: 'tokens' } };
    const toolId = await charging(gateway, { ...perCall('0.01'), charges: [tokens] });
    let max = 20;
    const body = () => ({ max: { metadata: { tokens: max } } });
    const send = (path: string, more: object = {}) =>
      gateway.send<TestAuthorization>('POST', path, { token: consumer.token, body: { ...body(), ...more } });
    const { id } = (await send('/v1/authorizations', { tool_id: toolId })).body;
    await putPaymentMethod(money(), 'gone');
    const increase = () => send(`/v1/authorizations/${id}/increase`);
    await eventually(
      async () => {
        max += 5;
        return (await increase()).status === 402;
      },
      { withinMs: 10_000 },
    );
    expect(await increase()).toMatchObject({
      status: 402,
      body: { limit: { scope: 'allowance', cap_usd: 1, spent_usd: 0 } },
    });
  });

  it('asks for nothing where a payment method is on file: an event has no hold', async () => {
    await putPaymentMethod(money(), 'on file');
    const toolId = await charging(gateway, perCall('5'));
    const record = () => gateway.record({ tool_id: toolId }, { token: consumer.token });
    await eventually(async () => (await record()).status === 201, { withinMs: 10_000 });
    const holds = async () => {
      const text = 'select count(*)::int as holds from gate.hold where account_id = $1';
      const [row] = await gateway.owner.query<{ holds: number }>(text, [consumer.accountId]);
      return row?.holds ?? 0;
    };
    await eventually(
      async () => {
        const before = await holds();
        return (await record()).status === 201 && (await holds()) === before;
      },
      { withinMs: 10_000 },
    );
  });

  it('takes the limit that the operator set for the account in place of the allowance', async () => {
    await putCreditLimit(money(), 300n);
    const ask = await asking('2');
    await eventually(async () => (await ask()).status === 201, { withinMs: 10_000 });
    expect(await ask()).toMatchObject({ body: { limit: { scope: 'balance', cap_usd: 3 } } });
  });
});
