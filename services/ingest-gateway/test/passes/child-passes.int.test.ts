import { beforeEach, describe, expect, it } from '@jest/globals';
import { createPassKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { bestRunBelow, msOf } from '@tollgate/testkit/best-run';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { useOnce } from '@tollgate/testkit/use-world';
import { lockPasses } from '../../src/passes/sql-child-pass.ts';
import { findStoredPass, insertPass } from '../../src/passes/sql-pass.ts';
import { charging, perCall, perMillisecond, type TestAuthorization } from '../support/gate/charging.ts';
import { isReplay, startGateway, type TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

interface TestPass {
  readonly id: string;
  readonly key: string;
  readonly parent_id: string | null;
  readonly tools: string[] | '*';
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly code: string }[];
}

const gateway = useGateway();
const other = useOnce(() => startGateway({ beside: gateway }));
let builder: TestAccount;
let consumer: TestAccount;
let toolId: string;
let root: TestPass;

/** A call costs 0.25 USD. */
beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  toolId = await charging(gateway, perCall('0.25'), builder.accountId);
  root = await newRoot();
});

const inAnHour = () => new Date(gateway.clock.now() + 3_600_000).toISOString();
const send = (method: string, path: string, body?: object, token = consumer.token, headers = {}) =>
  gateway.send<TestPass>(method, path, { token, headers, ...(body && { body }) });

async function newRoot(body: object = {}): Promise<TestPass> {
  const answer = await send('POST', '/v1/passes', { name: 'agent', tools: '*', tags: { team: 'a' }, ...body });
  expect(answer.status).toBe(201);
  return answer.body;
}

const askChild = ({ key }: Pick<TestPass, 'key'>, body: object = {}, headers = {}) => {
  const child = { tools: '*', cap: { amount_usd: 1, window: 'day' }, expires_at: inAnHour(), ...body };
  return send('POST', '/v1/passes/self/children', child, key, headers);
};

async function newChild(parent: TestPass, body: object = {}): Promise<TestPass> {
  const answer = await askChild(parent, body);
  expect([answer.status, answer.body.code]).toEqual([201, undefined]);
  return answer.body;
}

const patch = ({ id }: TestPass, body: object) => send('PATCH', `/v1/passes/${id}`, body);
const ask = ({ key }: TestPass, at = gateway, body: object = {}) =>
  at.send<TestAuthorization>('POST', '/v1/authorizations', {
    token: builder.token,
    body: { tool_id: toolId, pass: key, ...body },
  });
const callWith = async ({ key }: TestPass, at = gateway) => {
  const { status, body } = await at.record({ tool_id: toolId }, { token: key });
  return status === 201 ? 201 : body.code;
};

describe('a child of a pass', () => {
  it('is made by the pass itself, records by itself, and names its parent to the account', async () => {
    gateway.clock.advance(1);
    const child = await newChild(root, { name: 'helper' });
    expect(child).toMatchObject({ parent_id: root.id, name: 'helper', tools: '*', tags: { team: 'a' }, low: false });
    expect(child).not.toHaveProperty('cap');
    const { body } = await gateway.record({ tool_id: toolId }, { token: child.key });
    const record = (await gateway.appended()).find(({ event_id: id }) => id === body.event_id);
    expect(record).toMatchObject({ consumer_id: consumer.accountId, pass_id: child.id });
    const listed = await gateway.send<{ passes: TestPass[] }>('GET', '/v1/passes', { token: consumer.token });
    expect(listed.body.passes.map(({ id, parent_id: parent }) => [id, parent])).toEqual([
      [child.id, root.id],
      [root.id, null],
    ]);
    expect((await send('GET', '/v1/passes/self', undefined, child.key)).body).toMatchObject({ parent_id: root.id });
  });

  it('is listed to its parent alone, newest first, without its key and its figures', async () => {
    const first = await newChild(root);
    gateway.clock.advance(1);
    const second = await newChild(root);
    await newChild(first, { expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
    const list = (token: string) =>
      gateway.send<{ passes: TestPass[]; total: number }>('GET', '/v1/passes/self/children?limit=1', { token });
    const { body, text } = await list(root.key);
    expect(body).toMatchObject({ total: 2, passes: [{ id: second.id }] });
    expect([text.includes(second.key), text.includes('spent_usd'), text.includes('"cap"')]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await list(second.key)).body).toMatchObject({ total: 0, passes: [] });
  });

  it('leaves its row in the audit trail, by the pass that made it', async () => {
    const child = await newChild(root);
    const [row] = await gateway.owner.query(
      'select action, actor, credential_id, account_id from audit.act where object_id = $1',
      [child.id],
    );
    const by = { actor: 'pass', credential_id: root.id, account_id: consumer.accountId };
    expect(row).toEqual({ action: 'pass.created', ...by });
  });

  it('is made once with one Idempotency-Key, and each pass has keys of its own', async () => {
    const key = { 'idempotency-key': 'once' };
    const body = { expires_at: inAnHour() };
    const [first, again] = [await askChild(root, body, key), await askChild(root, body, key)];
    expect([first.status, again.status, isReplay(again)]).toEqual([201, 201, true]);
    expect(again.body.key).toBe(first.body.key);
    const below = await askChild(first.body, body, key);
    expect([below.status, isReplay(below), below.body.parent_id]).toEqual([201, false, first.body.id]);
  });

  it.each([
    ['a tool that its parent lacks', { tools: ['no-such'] }, '/tools/0', { tools: ['no-such'] }],
    ['a later end', { expires_at: '2031-01-01T00:00:00Z' }, '/expires_at', { expires_at: '2030-01-01T00:00:00Z' }],
    ['a higher maximum of a call', { per_call_max_usd: 0.3 }, '/per_call_max_usd', { per_call_max_usd: 0.2 }],
  ])('has not %s', async (_title, wish, pointer, bounds) => {
    const known = await charging(gateway, perCall('0.25'), builder.accountId);
    const parent = await newRoot('tools' in bounds ? { tools: [toolId] } : bounds);
    const body = 'tools' in wish ? { tools: [known] } : wish;
    const refused = await askChild(parent, body);
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, pointer]);
    expect((await askChild(parent)).status).toBe(201);
  });

  it('has all tools of its parent by a star, and no others that the parent gets later', async () => {
    const parent = await newRoot({ tools: [toolId] });
    const child = await newChild(parent);
    expect(child.tools).toEqual([toolId]);
    const late = await charging(gateway, perCall('0.25'), builder.accountId);
    await patch(parent, { tools: [late] });
    expect(await callWith(child)).toBe('tool_not_allowed');
    expect((await askChild(child)).body.errors?.[0]?.pointer).toBe('/tools');
  });

  it('is 403 for every other credential, and 401 for a revoked pass', async () => {
    for (const token of [consumer.token, builder.token]) expect((await askChild({ key: token })).status).toBe(403);
    await send('DELETE', `/v1/passes/${root.id}`);
    expect((await askChild(root)).status).toBe(401);
  });

  it('is not made by a paused pass, nor by the earlier key of a rotated one', async () => {
    await patch(root, { paused: true });
    expect(await askChild(root)).toMatchObject({ status: 403, body: { code: 'pass_refused' } });
    await patch(root, { paused: false });
    const rotated = (await send('POST', `/v1/passes/${root.id}/rotate`, { grace_seconds: 600 })).body;
    expect(await askChild(root)).toMatchObject({ status: 403, body: { code: 'pass_refused' } });
    expect((await askChild(rotated)).status).toBe(201);
  });
});

describe('F320 money of a child', () => {
  it('is held and refused in the caps of all above it, and no more than its owner sees figures', async () => {
    await patch(root, { cap: { amount_usd: 0.5, window: 'month' } });
    const child = await newChild(await newChild(root));
    expect([(await ask(child)).status, (await ask(root)).status]).toEqual([201, 201]);
    expect(await ask(child)).toMatchObject({ status: 402, body: { code: 'spending_cap_reached' } });
    expect(await callWith(child)).toBe('spending_cap_reached'); // an event without an authorization
    expect((await send('GET', `/v1/passes/${root.id}`)).body).toMatchObject({ held_usd: 0.5, remaining_usd: 0 });
    expect((await send('GET', `/v1/passes/${child.id}`)).body).toMatchObject({ held_usd: 0.25, remaining_usd: 0.75 });
    expect((await send('GET', '/v1/passes/self', undefined, child.key)).body).toMatchObject({ low: true });
  });

  it('is bounded by the maximum of a call that a pass above it has now', async () => {
    const child = await newChild(await newChild(root));
    expect((await ask(child)).status).toBe(201);
    await patch(root, { per_call_max_usd: 0.1 });
    expect(await ask(child)).toMatchObject({ status: 402, body: { code: 'spending_cap_reached' } });
  });

  it('is not increased beyond the cap above it', async () => {
    const slow = await charging(gateway, perMillisecond('0.01'), builder.accountId);
    const child = await newChild(root);
    const asked = await ask(child, gateway, { tool_id: slow, max: { duration_ms: 10 } });
    await patch(root, { cap: { amount_usd: 0.1, window: 'month' } });
    const path = `/v1/authorizations/${asked.body.id}/increase`;
    const more = { token: builder.token, body: { max: { duration_ms: 11 } } };
    expect([asked.status, (await gateway.send('POST', path, more)).status]).toEqual([201, 402]);
    await patch(root, { cap: { amount_usd: 0.11, window: 'month' } });
    expect((await gateway.send('POST', path, more)).status).toBe(200);
  });
});

describe('F321 what ends or bounds a pass does it to all below, at every gateway within a second', () => {
  it.each<readonly [string, string, (id: string) => Promise<unknown>]>([
    ['revoked', 'unauthorized', (id) => send('DELETE', `/v1/passes/${id}`)],
    ['paused', 'pass_refused', (id) => send('PATCH', `/v1/passes/${id}`, { paused: true })],
    ['rotated', 'unauthorized', (id) => send('POST', `/v1/passes/${id}/rotate`, {})],
    [
      'bounded to another tool',
      'tool_not_allowed',
      async (id) => send('PATCH', `/v1/passes/${id}`, { tools: [await gateway.newTool()] }),
    ],
    [
      'expired',
      'unauthorized',
      async (id) => {
        await send('PATCH', `/v1/passes/${id}`, { expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
        gateway.clock.advance(1_000);
      },
    ],
  ])('%s', async (_title, refusal, change) => {
    const run = bestRunBelow(1_000, async () => {
      root = await newRoot();
      const child = await newChild(await newChild(root));
      expect(await callWith(child, other)).toBe(201); // it has the pass in memory
      await change(root.id);
      expect(await callWith(child)).toBe(refusal);
      return msOf(() => eventually(async () => (await callWith(child, other)) === refusal, { withinMs: 10_000 }));
    });
    await expect(run).resolves.toBe('held');
  });

  it('a rotation leaves them for its grace', async () => {
    const child = await newChild(root);
    await send('POST', `/v1/passes/${root.id}/rotate`, { grace_seconds: 60 });
    expect(await callWith(child)).toBe(201);
    gateway.clock.advance(60_000);
    expect(await callWith(child)).toBe('unauthorized');
  });

  it('a resumed pass resumes them, but for those that are paused themselves', async () => {
    const [left, right] = [await newChild(root), await newChild(root)];
    await patch(root, { paused: true });
    await patch(right, { paused: true });
    await patch(root, { paused: false });
    expect([await callWith(left), await callWith(right)]).toEqual([201, 'pass_refused']);
  });

  it('a revoked pass leaves no live pass below it, and none to the account', async () => {
    const child = await newChild(await newChild(root));
    await send('DELETE', `/v1/passes/${root.id}`);
    expect((await send('GET', `/v1/passes/${child.id}`)).status).toBe(404);
    expect((await send('GET', '/v1/passes')).body).toMatchObject({ total: 0 });
  });

  it('the end of a consent revokes what its pass had as children', async () => {
    const child = await newChild(root);
    await gateway.owner.query('select gate.revoke_consented_pass($1, $2)', [root.id, new Date(gateway.clock.now())]);
    expect((await send('GET', `/v1/passes/${child.id}`)).status).toBe(404);
  });

  it('a child that is made at this moment ends with it, whichever comes first', async () => {
    const child = await newChild(root);
    const { accountId } = consumer;
    const revoke = () => send('DELETE', `/v1/passes/${root.id}`);
    const awaited = () => eventually(() => isLockAwaited(gateway.owner), { withinMs: 10_000 });
    const late = uuidV7(gateway.clock.now());
    const revoking = await gateway.owner.transaction(async (tx) => {
      await lockPasses(tx, [root.id, child.id], accountId);
      const parent = await findStoredPass(tx, { passId: child.id, accountId });
      if (parent === undefined) throw new Error('no parent');
      const key = createPassKey();
      const made = { ...parent, ...partsOfApiKey(key), passId: late, ancestorIds: [root.id, child.id] };
      const answer = revoke();
      await awaited();
      await insertPass(tx, made, hashApiKey(key));
      return { answer };
    });
    expect((await revoking.answer).status).toBe(204);
    expect((await send('GET', `/v1/passes/${late}`)).status).toBe(404);

    root = await newRoot();
    const creating = await gateway.owner.transaction(async (tx) => {
      await tx.query('update gate.pass set revoked_at = $2 where pass_id = $1', [
        root.id,
        new Date(gateway.clock.now()),
      ]);
      const answer = askChild(root);
      await awaited();
      return { answer };
    });
    expect((await creating.answer).status).toBe(401);
  });
});

describe('F322 a tree of passes has a bound', () => {
  it('of four levels', async () => {
    const last = await newChild(await newChild(await newChild(root)));
    expect(await askChild(last)).toMatchObject({ status: 422, body: { code: 'pass_too_deep' } });
    const chain = [root.id, root.id, root.id, root.id].map((id) => `'${id}'`).join();
    const deeper = gateway.owner.query(
      `update gate.pass set ancestor_ids = array[${chain}]::uuid[] where pass_id = $1`,
      [last.id],
    );
    await expect(deeper).rejects.toThrow(/ancestor_ids/);
  });

  it('of 100 live children for a pass, also when it asks for many at once; expired ones make room', async () => {
    const child = await newChild(root, { expires_at: new Date(gateway.clock.now() + 60_000).toISOString() });
    await gateway.owner.query(
      `insert into gate.pass (pass_id, account_id, name, key_hash, prefix, last_four, tags, created_at, ancestor_ids)
       select gen_random_uuid(), account_id, name, sha256(uuid_send(gen_random_uuid())), prefix, last_four, tags, created_at, ancestor_ids
       from gate.pass, generate_series(1, 94) where pass_id = $1`,
      [child.id],
    );
    const answers = await Promise.all(Array.from({ length: 12 }, () => askChild(root)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.code)).toEqual(Array.from({ length: 7 }, () => 'too_many_passes'));
    gateway.clock.advance(60_000);
    expect((await askChild(root)).status).toBe(201);
    expect((await askChild(root)).body.code).toBe('too_many_passes');
    expect((await send('GET', `/v1/passes/${child.id}`)).status).toBe(404);
  });
});

describe('the passes that an account makes', () => {
  it('are counted without their children, whose number is bounded apart', async () => {
    const few = await startGateway({ beside: gateway, settings: { PASSES_PER_ACCOUNT_MAX: '2' } });
    const make = (path: string, token: string, body: object) => few.send<TestPass>('POST', path, { token, body });
    const body = { tools: '*', cap: { amount_usd: 1, window: 'day' }, expires_at: inAnHour() };
    const children = [];
    for (let count = 0; count < 3; count += 1)
      children.push((await make('/v1/passes/self/children', root.key, body)).status);
    expect(children).toEqual([201, 201, 422]);
    const own = async () => (await make('/v1/passes', consumer.token, { name: 'another', tools: '*' })).status;
    expect([await own(), await own()]).toEqual([201, 422]);
    await few.stop();
  });
});
