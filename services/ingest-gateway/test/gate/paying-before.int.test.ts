import { describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { hourOf } from '@tollgate/kernel/period';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import { putCredit, putCreditLimit } from '../support/gate/put-money.ts';
import type { GatewayUnderTest } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const postpaid = useGateway();
const prepaid = useGateway({ settings: { CONSUMER_CREDIT: 'prepaid' } });

const refusedForBalance = { status: 402, body: { code: 'spending_cap_reached', limit: { scope: 'balance' } } };

function moneyOf({ owner, clock }: GatewayUnderTest, accountId: string) {
  return { owner, accountId, nowMs: clock.now() };
}

function asking(gateway: GatewayUnderTest, toolId: string, token: string) {
  return () => gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId } });
}

describe('F97 with CONSUMER_CREDIT=prepaid', () => {
  it('402 shows the consumer what its balance has, and a top-up works at once', async () => {
    const { token, accountId } = await prepaid.newAccount();
    const toolId = await charging(prepaid, perCall('0.4'));
    const ask = asking(prepaid, toolId, token);
    expect((await ask()).body).toMatchObject({
      code: 'spending_cap_reached',
      resets_at: null,
      limit: { scope: 'balance', cap_usd: 0, spent_usd: 0, held_usd: 0, needed_usd: 0.4, resets_at: null },
    });
    await putCredit(moneyOf(prepaid, accountId), 100n);
    const first = await ask();
    expect(first).toMatchObject({ status: 201, body: { held_usd: 0.4, remaining_usd: 0.6 } });
    expect((await ask()).status).toBe(201);
    expect(await ask()).toMatchObject(refusedForBalance);
    expect((await ask()).body).toEqual(problemExample('balance'));
    const shown = await prepaid.send('GET', `/v1/authorizations/${first.body.id}`, { token });
    expect(shown).toMatchObject({ status: 200, body: { remaining_usd: 0.2, low: false } });
  });

  it('402 refuses an event without an authorization, and records one that fits', async () => {
    const { token, accountId } = await prepaid.newAccount();
    const toolId = await charging(prepaid, perCall('0.4'));
    const record = () => prepaid.record({ tool_id: toolId }, { token });
    expect(await record()).toMatchObject(refusedForBalance);
    await putCredit(moneyOf(prepaid, accountId), 40n);
    expect((await record()).status).toBe(201);
    expect(await record()).toMatchObject(refusedForBalance);
    expect((await prepaid.appended()).filter((event) => event.consumer_id === accountId)).toHaveLength(1);
  });

  it('402 shows a builder no figure, and an authorization grows no further than the balance', async () => {
    const [builder, consumer] = [await prepaid.newAccount(), await prepaid.newAccount()];
    const tokens = { ...perCall('0.01').charges[0], metric: { type: 'metadata_sum', key: 'tokens' } };
    const toolId = await charging(prepaid, { ...perCall('0.01'), charges: [tokens] }, builder.accountId);
    const made = { token: consumer.token, body: { name: 'agent', tools: '*' } };
    const { key: pass } = (await prepaid.send<{ key: string }>('POST', '/v1/passes', made)).body;
    await putCredit(moneyOf(prepaid, consumer.accountId), 50n);
    const ask = (max: number) =>
      prepaid.send<TestAuthorization>('POST', '/v1/authorizations', {
        token: builder.token,
        body: { tool_id: toolId, pass, max: { metadata: { tokens: max } } },
      });
    const refused = await ask(60);
    expect(refused).toMatchObject({ status: 402, body: { code: 'spending_cap_reached', resets_at: null } });
    expect(refused.body).not.toHaveProperty('limit');
    const { id } = (await ask(20)).body;
    const increase = (max: number) =>
      prepaid.send('POST', `/v1/authorizations/${id}/increase`, {
        token: builder.token,
        body: { max: { metadata: { tokens: max } } },
      });
    expect((await increase(60)).status).toBe(402);
    expect((await increase(40)).status).toBe(200);
  });
});

describe('F266 a grant that ends', () => {
  it('402 covers no call that may come after the hour in which it ends, and covers those before', async () => {
    const { token, accountId } = await prepaid.newAccount();
    const toolId = await charging(prepaid, perCall('0.4'));
    const ask = (seconds: number) => {
      const body = { tool_id: toolId, ttl_seconds: seconds };
      return prepaid.send('POST', '/v1/authorizations', { token, body });
    };
    const hourEndMs = hourOf(prepaid.clock.now()) + hourMs;
    const leftSeconds = Math.floor((hourEndMs - prepaid.clock.now()) / 1000);
    await putCredit(moneyOf(prepaid, accountId), 100n, prepaid.clock.now() + 1);
    expect(await ask(3_600)).toMatchObject(refusedForBalance);
    expect((await ask(leftSeconds)).status).toBe(201);
    expect(await ask(3_600)).toMatchObject(refusedForBalance);
  });

  it('402 counts with what billing has laid on it, once a hold outlives it', async () => {
    const { token, accountId } = await prepaid.newAccount();
    const toolId = await charging(prepaid, perCall('0.4'));
    const body = { tool_id: toolId, ttl_seconds: 3_600 };
    const ask = () => prepaid.send('POST', '/v1/authorizations', { token, body });
    const creditId = await putCredit(moneyOf(prepaid, accountId), 100n, prepaid.clock.now() + 1);
    const lay = (cents: number) =>
      prepaid.owner.query('update billing.balance_credit set reserved_cents = $2 where credit_id = $1', [
        creditId,
        cents,
      ]);
    await lay(39);
    expect(await ask()).toMatchObject(refusedForBalance);
    await lay(40);
    expect((await ask()).status).toBe(201);
  });
});

describe('F97 with CONSUMER_CREDIT=postpaid', () => {
  it('402 bounds only accounts with a credit limit, which every gateway knows soon', async () => {
    const { token, accountId } = await postpaid.newAccount();
    const toolId = await charging(postpaid, perCall('0.4'));
    const ask = asking(postpaid, toolId, token);
    expect((await ask()).body).toMatchObject({ remaining_usd: null });
    await putCreditLimit(moneyOf(postpaid, accountId), 100n);
    await eventually(async () => (await ask()).status === 402, { withinMs: 10_000 });
    expect(await ask()).toMatchObject(refusedForBalance);
    await putCreditLimit(moneyOf(postpaid, accountId), null);
    await eventually(async () => (await ask()).status === 201, { withinMs: 10_000 });
  });
});
