import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { hourOf } from '@tollgate/kernel/period';
import { eventually } from '@tollgate/testkit/eventually';
import { type TestAuthorization, charging, perCall, putBudget } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import {
  type MoneyOf,
  ageInvoices,
  payInvoices,
  putCredit,
  putCreditLimit,
  putInvoice,
  putPaymentMethod,
} from '../support/gate/put-money.ts';
import { type GatewayUnderTest, type TestAccount, isReplay } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const postpaid = useGateway();
const prepaid = useGateway({ settings: { CONSUMER_CREDIT: 'prepaid' } });

const refusedForBalance = { status: 402, body: { code: 'spending_cap_reached', limit: { scope: 'balance' } } };

function moneyOf({ owner, clock }: GatewayUnderTest, accountId: string) {
  return { owner, accountId, nowMs: clock.now() };
}
const lenient = useGateway();

const paymentRequired = { status: 402, body: { code: 'payment_required', resets_at: null } };

let builder: TestAccount;
let toolId: string;

const charge = perCall('0.01').charges[0];
const priceOf = (rest: object) => ({ ...perCall('0.01'), charges: [{ ...charge, ...rest }] });
const freeFirst = priceOf({ free_quantity: '1000' });
const package5 = priceOf({ model: { type: 'package', size: '5', package_price_usd: '3' } });

const tiered = (type: 'graduated' | 'volume') => {
  const first = { up_to: '10', unit_price_usd: '0.1', flat_price_usd: '0' };
  return priceOf({ model: { type, tiers: [first, { up_to: null, unit_price_usd: '5', flat_price_usd: '0' }] } });
};

describe('paying before', () => {
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
});

describe('paying late', () => {
  const gateway = useGateway({ settings: { PAST_DUE_CALLS: 'refused' } });
  let consumer: TestAccount;
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
});

describe('F234 with UNSECURED_ALLOWANCE_USD', () => {
  const gateway = useGateway({ settings: { UNSECURED_ALLOWANCE_USD: '1' } });

  let consumer: TestAccount;
  beforeEach(async () => void (consumer = await gateway.newAccount()));

  const money = (): MoneyOf => ({ owner: gateway.owner, accountId: consumer.accountId, nowMs: gateway.clock.now() });

  async function asking(usd: string): Promise<() => ReturnType<typeof gateway.send<TestAuthorization>>> {
    const toolId = await charging(gateway, perCall(usd));
    return () => gateway.send('POST', '/v1/authorizations', { token: consumer.token, body: { tool_id: toolId } });
  }

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

describe('shapes', () => {
  const gateway = useGateway({ settings: { CONSUMER_CREDIT: 'prepaid' } });
  let consumer: TestAccount;
  beforeEach(async () => void (consumer = await gateway.newAccount()));

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
});
