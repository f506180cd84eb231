import { expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithRedis } from '@tollgate/testkit/redis';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import { ageInvoices, payInvoices, putInvoice, putPaymentMethod } from '../support/gate/put-money.ts';
import type { GatewayUnderTest } from '../support/gateway-under-test.ts';
import { useTwoGateways } from '../support/use-two-gateways.ts';

const patience = { withinMs: 10_000 };

describeWithRedis('two gateways with a Redis, UNSECURED_ALLOWANCE_USD and PAST_DUE_CALLS=refused', () => {
  const { running } = useTwoGateways({
    throughProxy: 'both',
    settings: { UNSECURED_ALLOWANCE_USD: '1', PAST_DUE_CALLS: 'refused' },
  });
  const money = () => {
    const { one, account } = running;
    return { owner: one.owner, accountId: account.accountId, nowMs: one.clock.now() };
  };
  const asking = (toolId: string) => (gateway: GatewayUnderTest) =>
    gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
      token: running.account.token,
      body: { tool_id: toolId },
    });

  it('F234 share one allowance, and both know of a payment method', async () => {
    const { one, two } = running;
    const ask = asking(await charging(one, perCall('0.5')));
    expect([(await ask(one)).status, (await ask(two)).status]).toEqual([201, 201]);
    for (const each of [one, two])
      expect(await ask(each)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    await putPaymentMethod(money(), 'on file');
    expect([(await ask(one)).status, (await ask(two)).status]).toEqual([201, 201]);
  });

  it('F233 refuse an account that is past due, authorizations and events alike, until it has paid', async () => {
    const { one, two, account } = running;
    await putPaymentMethod(money(), 'on file');
    const toolId = await charging(one, perCall('0.5'));
    const ask = asking(toolId);
    await putInvoice(money(), 250_000n);
    await ageInvoices(money(), 'past_due');
    for (const each of [one, two]) {
      await eventually(async () => (await ask(each)).status === 402, patience);
      const recorded = await each.record({ tool_id: toolId }, { token: account.token });
      expect(recorded).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    }
    await payInvoices(money(), 'card');
    for (const each of [one, two]) {
      expect((await ask(each)).status).toBe(201);
      expect((await each.record({ tool_id: toolId }, { token: account.token })).status).toBe(201);
    }
  });
});
