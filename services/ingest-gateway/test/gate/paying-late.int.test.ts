import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { charging, perCall, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import { ageInvoices, payInvoices, putInvoice, type MoneyOf } from '../support/gate/put-money.ts';
import { isReplay, type TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway({ settings: { PAST_DUE_CALLS: 'refused' } });
const lenient = useGateway();

const paymentRequired = { status: 402, body: { code: 'payment_required', resets_at: null } };

let builder: TestAccount;
let consumer: TestAccount;
let toolId: string;
beforeAll(async () => {
  builder = await gateway.newAccount();
  toolId = await charging(gateway, perCall('0.1'), builder.accountId);
});
beforeEach(async () => void (consumer = await gateway.newAccount()));

const money = (): MoneyOf => ({ owner: gateway.owner, accountId: consumer.accountId, nowMs: gateway.clock.now() });
const record = (more: object = {}) => gateway.record({ tool_id: toolId, ...more }, { token: consumer.token });
const ask = (body: object = {}, token = consumer.token) =>
  gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body: { tool_id: toolId, ...body } });

/** The consumer has not paid in time, and the gateway knows. */
async function becomePastDue(): Promise<void> {
  await putInvoice(money(), 250_000n);
  await ageInvoices(money(), 'past_due');
  await eventually(async () => (await ask({ ttl_seconds: 5 })).status === 402, { withinMs: 10_000 });
}

async function newPass(): Promise<string> {
  const made = { token: consumer.token, body: { name: 'agent', tools: '*' } };
  return (await gateway.send<{ key: string }>('POST', '/v1/passes', made)).body.key;
}

describe('F233 with PAST_DUE_CALLS=refused', () => {
  it('402 refuses each new call, single, in a batch and by pass', async () => {
    const pass = await newPass();
    await becomePastDue();
    expect(await ask()).toMatchObject(paymentRequired);
    expect((await ask()).body).toEqual(problemExample('past_due'));
    expect(await record()).toMatchObject(paymentRequired);
    expect(await gateway.record({ tool_id: toolId }, { token: pass })).toMatchObject(paymentRequired);
    const events = [{ tool_id: toolId }, { tool_id: toolId, idempotency_key: 'of a batch' }];
    const batch = await gateway.send('POST', '/v1/events/batch', { token: consumer.token, body: { events } });
    const error = { status: 402, code: 'payment_required' };
    expect(batch).toMatchObject({ status: 200, body: { rejected: 2, results: [{ error }, { error }] } });
    expect((await gateway.appended()).filter((event) => event.consumer_id === consumer.accountId)).toEqual([]);
  });

  it('402 tells a builder the code, and no more than of an account without an allowance', async () => {
    const pass = await newPass();
    await becomePastDue();
    const refused = await ask({ pass }, builder.token);
    expect(refused).toMatchObject(paymentRequired);
    expect(refused.body).toEqual(problemExample('shown_to_a_builder'));
  });

  it('402 refuses an account with a budget, too, and one whose invoice is written off', async () => {
    await putBudget(gateway, consumer.token, { amount_usd: 50, window: 'month' });
    await becomePastDue();
    await ageInvoices(money(), 'uncollectible');
    expect(await record()).toMatchObject(paymentRequired);
  });

  it('lets it capture, release and read what it was authorized, and increase nothing', async () => {
    const tokens = { ...perCall('0.01').charges[0], metric: { type: 'metadata_sum', key: 'tokens' } };
    const counting = await charging(gateway, { ...perCall('0.01'), charges: [tokens] });
    const max = (count: number) => ({ max: { metadata: { tokens: count } } });
    const [first, second] = [await ask({ tool_id: counting, ...max(2) }), await ask()];
    await becomePastDue();
    const path = `/v1/authorizations/${first.body.id}`;
    const increase = { token: consumer.token, body: max(3) };
    expect(await gateway.send('POST', `${path}/increase`, increase)).toMatchObject(paymentRequired);
    expect((await gateway.send('GET', path, { token: consumer.token })).status).toBe(200);
    const captured = { tool_id: counting, authorization_id: first.body.id, metadata: { tokens: 1 } };
    expect((await gateway.record(captured, { token: consumer.token })).status).toBe(201);
    const released = await gateway.send('DELETE', `/v1/authorizations/${second.body.id}`, { token: consumer.token });
    expect(released.status).toBe(204);
    expect((await gateway.send('GET', '/v1/events', { token: consumer.token })).status).toBe(200);
  });

  it('answers repeats of what went through before as repeats', async () => {
    const keyed = { idempotency_key: 'of a call before' };
    const [event, authorization] = [await record(keyed), await ask(keyed)];
    await becomePastDue();
    const [again, sameHold] = [await record(keyed), await ask(keyed)];
    expect([again.status, isReplay(again), again.body.event_id]).toEqual([201, true, event.body.event_id]);
    expect([sameHold.status, sameHold.body.id]).toEqual([201, authorization.body.id]);
    expect(await record({ idempotency_key: 'of a new call' })).toMatchObject(paymentRequired);
  });

  it('lets calls through that cost nothing, such as those of its own tools', async () => {
    await becomePastDue();
    const own = await charging(gateway, perCall('0.1'), consumer.accountId);
    expect((await ask({ tool_id: own })).status).toBe(201);
    expect((await record({ tool_id: own })).status).toBe(201);
  });

  it('lets new calls through at once when all is paid', async () => {
    await becomePastDue();
    await payInvoices(money(), 'card');
    expect((await ask()).status).toBe(201);
    expect((await record()).status).toBe(201);
  });
});

it('lets calls through by default, as the interface has no such refusal', async () => {
  const late = await lenient.newAccount();
  const tool = await charging(lenient, perCall('0.1'));
  const of = { owner: lenient.owner, accountId: late.accountId, nowMs: lenient.clock.now() };
  await putInvoice(of, 250_000n);
  await ageInvoices(of, 'past_due');
  expect((await lenient.record({ tool_id: tool }, { token: late.token })).status).toBe(201);
});
