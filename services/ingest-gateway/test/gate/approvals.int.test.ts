import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { approvalMinutes } from '@tollgate/contracts/spending/approvals';
import { charging, perCall, perMillisecond, putBudget, type TestAuthorization } from '../support/gate/charging.ts';
import { problemExample } from '../support/gate/problem-example.ts';
import { startGateway, type GatewayUnderTest, type TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const site = 'https://tollgate.example';
const gateway = useGateway({ settings: { PUBLIC_URL: site } });
const lifeMs = approvalMinutes * minuteMs;
let builder: TestAccount;
let consumer: TestAccount;
let toolId: string;
let pass: TestPass;

interface TestPass {
  readonly id: string;
  readonly key: string;
}

interface Answer extends TestAuthorization {
  readonly detail: string;
  readonly approval?: { readonly id: string; readonly url: string; readonly expires_at: string };
}

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perCall('0.25'), builder.accountId);
  pass = await newPass({ cap: { amount_usd: 0.6, window: 'day' } });
});

async function newPass(body: object): Promise<TestPass> {
  const made = { name: 'agent', tools: '*', ...body };
  return (await gateway.send<TestPass>('POST', '/v1/passes', { token: consumer.token, body: made })).body;
}

const ask = (body: object = {}, at: GatewayUnderTest = gateway) =>
  at.send<Answer>('POST', '/v1/authorizations', {
    token: builder.token,
    body: { tool_id: toolId, pass: pass.key, ...body },
  });
const showPass = async () =>
  (await gateway.send<object>('GET', `/v1/passes/${pass.id}`, { token: consumer.token })).body;
const rows = () =>
  gateway.owner.query<{ id: string; state: string; call: bigint; beyond: bigint; hold_id: string | null }>(
    `select approval_id as id, state, call_micros as call, beyond_micros as beyond, hold_id from gate.approval
     where pass_id = $1 order by created_at, beyond_micros`,
    [pass.id],
  );

/** As the owner of the pass answers (services/auth/test/approvals). */
async function answer(id: string | undefined, state: 'approved' | 'refused' = 'approved'): Promise<void> {
  const expiresAt = state === 'approved' ? toIso(gateway.clock.now() + lifeMs) : null;
  await gateway.owner.query(
    `update gate.approval set state = $2, expires_at = coalesce($3, expires_at) where approval_id = $1`,
    [id, state, expiresAt],
  );
}

/** Spends the cap until the next call does not fit. */
async function fill(): Promise<void> {
  for (let calls = 0; calls < 2; calls += 1) expect((await ask()).status).toBe(201);
}

/** The approval that an ask is refused with. */
async function offered(body: object = {}): Promise<string> {
  const refused = await ask(body);
  expect(refused.status).toBe(402);
  return refused.body.approval?.id ?? '';
}

/** Forty ask at once, at two gateways. */
async function expectOneOfMany(body: object): Promise<void> {
  const other = await startGateway({ beside: gateway, settings: { PUBLIC_URL: site } });
  try {
    const asks = Array.from({ length: 40 }, (_, index) => ask(body, index % 2 === 0 ? gateway : other));
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(39);
  } finally {
    await other.stop();
  }
}

const linked = (example: object, { approval, detail }: Answer) => ({ ...example, approval, detail });

describe('F317 a call that the cap of its pass has no room for', () => {
  beforeEach(fill);

  it('is 402 with an approval of its own, the same one to all who ask, until ten minutes are over', async () => {
    const refused = await ask();
    const { approval } = refused.body;
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual(linked(problemExample('approvable_shown_to_a_builder'), refused.body));
    expect(approval).toEqual({
      id: expect.any(String),
      url: `${site}/approvals/${approval?.id}`,
      expires_at: toIso(gateway.clock.now() + lifeMs),
    });
    expect(refused.body.detail).toContain(` until ${approval?.expires_at} at ${approval?.url}`);
    expect(refused.text).not.toMatch(/0\.(6|5|25|15)\b/);
    const answers = await Promise.all([ask(), ask(), ask({ count: 2 })]);
    expect(answers.map(({ body }) => body.approval)).toEqual([approval, approval, approval]);
    expect(await rows()).toEqual([
      { id: approval?.id, state: 'open', call: 250_000n, beyond: 150_000n, hold_id: null },
    ]);
    gateway.clock.advance(lifeMs);
    expect(await offered()).not.toBe(approval?.id);
    expect(await rows()).toHaveLength(1);
  });

  it('shows its owner the figures', async () => {
    const asked = { tool_id: toolId, pass: pass.key };
    const byOwner = await gateway.send<Answer>('POST', '/v1/authorizations', { token: consumer.token, body: asked });
    expect(byOwner.status).toBe(402);
    const limit = { scope: 'pass', cap_usd: 0.6, spent_usd: 0, held_usd: 0.5, needed_usd: 0.25 };
    expect(byOwner.body).toMatchObject({ code: 'spending_cap_reached', limit, approval: { id: expect.any(String) } });
    expect(byOwner.body.detail).toContain(' You can approve it until ');
  });

  it('goes through once its owner has approved it, beyond the cap by what was missing, and nothing else does', async () => {
    const id = await offered();
    const cheaper = await charging(gateway, perCall('0.1'), builder.accountId);
    await answer(id);
    const granted = await ask();
    expect(granted).toMatchObject({ status: 201, body: { held_usd: 0.25, remaining_usd: null } });
    expect(await rows()).toEqual([{ id, state: 'used', call: 250_000n, beyond: 150_000n, hold_id: granted.body.id }]);
    expect(await showPass()).toMatchObject({ held_usd: 0.75, remaining_usd: 0, cap: { amount_usd: 0.6 } });
    expect(await ask({ tool_id: cheaper })).toMatchObject({ status: 402 });
    await gateway.send('DELETE', `/v1/authorizations/${granted.body.id}`, { token: builder.token });
    expect(await showPass()).toMatchObject({ held_usd: 0.5, remaining_usd: 0.1 });
    expect(await ask()).toMatchObject({ status: 402 }); // the approval is used, whatever became of its call
    expect(await ask({ tool_id: cheaper })).toMatchObject({ status: 201 });
  });

  it('has used its approval once, however many ask at once at two gateways', async () => {
    await answer(await offered());
    await expectOneOfMany({});
    expect(await showPass()).toMatchObject({ held_usd: 0.75 });
  });

  it('is given again to a repeat of its ask, and to no other ask', async () => {
    await answer(await offered());
    const first = await ask({ idempotency_key: 'one' });
    const again = await ask({ idempotency_key: 'one' });
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id]);
    expect(await ask({ idempotency_key: 'two' })).toMatchObject({ status: 402 });
  });

  it('is not the call of another tool, nor more calls than were approved', async () => {
    await answer(await offered());
    const other = await charging(gateway, perCall('0.25'), builder.accountId);
    expect(await ask({ tool_id: other })).toMatchObject({ status: 402 });
    expect(await ask({ count: 2 })).toMatchObject({ status: 402 });
    expect((await ask()).status).toBe(201);
  });

  it('needs another approval once what is missing is more than was approved', async () => {
    const first = await offered();
    const small = await charging(gateway, perCall('0.1'), builder.accountId);
    await answer(first);
    expect((await ask({ tool_id: small })).status).toBe(201); // the rest of the cap
    const second = await offered();
    expect(second).not.toBe(first);
    await answer(second);
    expect((await ask()).status).toBe(201);
    expect((await rows()).map(({ state, beyond }) => [state, beyond])).toEqual([
      ['approved', 150_000n],
      ['used', 250_000n],
    ]);
  });

  it('has lost its approval ten minutes after that was given', async () => {
    await answer(await offered());
    gateway.clock.advance(lifeMs);
    expect(await ask()).toMatchObject({ status: 402, body: { approval: { id: expect.any(String) } } });
  });

  it('is not asked for again while its owner’s refusal stands', async () => {
    const id = await offered();
    await answer(id, 'refused');
    const refused = await ask();
    expect([refused.status, refused.body.approval]).toEqual([402, undefined]);
    gateway.clock.advance(lifeMs);
    expect(await offered()).not.toBe(id);
  });

  it('is refused as before where it is recorded without an authorization', async () => {
    const recorded = await gateway.record({ tool_id: toolId }, { token: pass.key });
    expect(recorded.status).toBe(402);
    expect(recorded.body).toEqual(problemExample('cap_shown_to_a_builder', '/v1/events'));
    expect(await rows()).toEqual([]);
  });

  it('fits a cap that was raised meanwhile without its approval, which stays for the next', async () => {
    const id = await offered();
    await answer(id);
    const body = { cap: { amount_usd: 0.75, window: 'day' } };
    await gateway.send('PATCH', `/v1/passes/${pass.id}`, { token: consumer.token, body });
    expect((await ask()).status).toBe(201);
    expect(await rows()).toMatchObject([{ id, state: 'approved' }]);
  });
});

describe('F318 an approval', () => {
  it('exceeds no budget: where that is full, none is offered, and a given one lets nothing through', async () => {
    await putBudget(gateway, consumer.token, { amount_usd: 0.7, window: 'month' });
    await fill();
    const refused = await ask();
    expect([refused.status, refused.body.approval]).toEqual([402, undefined]); // 0.2 are left of the budget
    expect(await rows()).toEqual([]);
    await putBudget(gateway, consumer.token, { amount_usd: 1, window: 'month' });
    await answer(await offered());
    await putBudget(gateway, consumer.token, { amount_usd: 0.7, window: 'month' });
    expect(await ask()).toMatchObject({ status: 402 });
    expect(await showPass()).toMatchObject({ held_usd: 0.5 });
    await putBudget(gateway, consumer.token, { amount_usd: 1, window: 'month' });
    expect((await ask()).status).toBe(201);
  });

  it('of a pass lets no call of another pass through', async () => {
    await fill();
    await answer(await offered());
    const first = pass;
    pass = await newPass({ cap: { amount_usd: 0.2, window: 'day' } });
    expect(await ask()).toMatchObject({ status: 402 });
    pass = first;
    expect((await ask()).status).toBe(201);
  });

  it('alone lets PostgreSQL take a hold beyond a cap, in the transaction that uses it', async () => {
    await fill();
    const id = await offered();
    const more = `update gate.cap_state set held_micros = held_micros + 250000 where owner_id = '${pass.id}'`;
    const use = () =>
      gateway.owner.transaction(async (tx) => {
        await tx.query(
          `update gate.approval set state = 'used', hold_id = approval_id, used_in = pg_current_xact_id() where approval_id = $1`,
          [id],
        );
        await tx.query(more);
      });
    const mayExceedBy = (micros: number) =>
      gateway.owner.query(`update gate.approval set beyond_micros = $2 where approval_id = $1`, [id, micros]);
    await expect(gateway.owner.query(more)).rejects.toThrow('cannot hold');
    await mayExceedBy(149_999);
    await expect(use()).rejects.toThrow('cannot hold');
    await mayExceedBy(150_000);
    await use();
    await mayExceedBy(250_000);
    await expect(gateway.owner.query(more)).rejects.toThrow('cannot hold');
  });
});

describe('F319 a call above approve_above_usd', () => {
  beforeEach(async () => {
    toolId = await charging(gateway, perMillisecond('0.01'), builder.accountId);
    pass = await newPass({ approve_above_usd: 0.2 });
  });
  const asks = (ms: number, body: object = {}) => ask({ max: { duration_ms: ms }, ...body });

  it('needs the approval of the owner, and no amount beyond its cap', async () => {
    expect((await asks(20)).status).toBe(201);
    const refused = await asks(25);
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual(linked(problemExample('above_shown_to_a_builder'), refused.body));
    expect(await rows()).toMatchObject([{ state: 'open', call: 250_000n, beyond: 0n }]);
    await answer(refused.body.approval?.id);
    expect(await asks(26)).toMatchObject({ status: 402, body: { code: 'approval_required' } });
    const granted = await asks(25);
    expect(granted).toMatchObject({ status: 201, body: { held_usd: 0.25 } });
    expect(await asks(25)).toMatchObject({ status: 402 });
    const captured = { tool_id: toolId, authorization_id: granted.body.id, duration_ms: 25 };
    expect((await gateway.record(captured, builder)).status).toBe(201);
  });

  it('is authorized once by its approval, however many ask at once at two gateways', async () => {
    const body = { max: { duration_ms: 25 } };
    await answer(await offered(body));
    await expectOneOfMany(body);
  });

  it('shows its owner why, and is one call of a book as it is alone', async () => {
    const body = { tool_id: toolId, pass: pass.key, max: { duration_ms: 25 } };
    const { status, body: shown } = await gateway.send<Answer>('POST', '/v1/authorizations', {
      token: consumer.token,
      body,
    });
    expect(status).toBe(402);
    expect(shown).toEqual(linked(problemExample('above'), shown));
    expect((await asks(20, { count: 3 })).status).toBe(201); // each call is below
  });

  it('is not what an authorization becomes by an increase', async () => {
    const small = await asks(20);
    const increase = (id: string, ms: number) =>
      gateway.send('POST', `/v1/authorizations/${id}/increase`, {
        token: builder.token,
        body: { max: { duration_ms: ms } },
      });
    const refused = await increase(small.body.id, 21);
    expect(refused.status).toBe(402);
    expect(refused.body).toEqual({
      ...problemExample('more_than_approved', '/v1/authorizations/{authorization_id}/increase'),
      instance: `/v1/authorizations/${small.body.id}/increase`,
    });
    await answer(await offered({ max: { duration_ms: 25 } }));
    const approved = await asks(25);
    expect(await increase(approved.body.id, 26)).toMatchObject({ status: 402 });
    const longer = await gateway.send('POST', `/v1/authorizations/${approved.body.id}/extend`, {
      token: builder.token,
      body: { ttl_seconds: hourMs / 1_000 },
    });
    expect(longer.status).toBe(200);
  });

  it('is a field of the pass, which its owner changes and takes away', async () => {
    const change = (body: object) =>
      gateway.send<object>('PATCH', `/v1/passes/${pass.id}`, { token: consumer.token, body });
    expect(await showPass()).toMatchObject({ approve_above_usd: 0.2 });
    expect((await change({ approve_above_usd: 0.25 })).body).toMatchObject({ approve_above_usd: 0.25 });
    expect((await asks(25)).status).toBe(201);
    expect((await change({ name: 'writer' })).body).toMatchObject({ approve_above_usd: 0.25 });
    expect((await change({ approve_above_usd: null })).body).toMatchObject({ approve_above_usd: null });
    expect((await asks(1_000)).status).toBe(201);
  });

  it('is recorded as ever where nobody was asked', async () => {
    expect((await gateway.record({ tool_id: toolId, duration_ms: 25 }, { token: pass.key })).status).toBe(201);
  });
});
