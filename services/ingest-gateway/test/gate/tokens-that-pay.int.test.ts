import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { eventually } from '@tollgate/testkit/eventually';
import { forgeTokens, signToken } from '@tollgate/testkit/forged-tokens';
import { charging, perCall, type TestAuthorization } from '../support/gate/charging.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { openTokenIssuer } from '../support/issue-token.ts';
import { useGateway } from '../support/use-gateway.ts';
import { startGateway, type GatewayUnderTest } from '../support/gateway-under-test.ts';

const issuer = 'https://tollgate.example';
const settings = { PUBLIC_URL: issuer };
const gateway = useGateway({ settings });
const key = { keyId: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
const sessionKey = { keyId: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };

let builder: TestAccount;
let consumer: TestAccount;
let resource: string;
let toolId: string;
let pass: { readonly id: string; readonly key: string };

beforeAll(async () => {
  const rows = createAuthRows(gateway.owner);
  await rows.publishKey(key, 'oauth');
  await rows.publishKey(sessionKey, 'session');
});

beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  resource = `https://mcp.example.com/${randomUUID()}`;
  toolId = await newTool(builder, resource);
  pass = await newPass();
});

/** A tool at a resource, as billing would store it once the resource is proved. */
async function newTool({ accountId }: TestAccount, at: string | undefined): Promise<string> {
  if (at !== undefined)
    await gateway.owner.query('insert into billing.resource values ($1, $2) on conflict do nothing', [at, accountId]);
  return charging(gateway, perCall('0.25'), { ownerId: accountId, resource: at });
}

async function newPass(body: object = {}): Promise<typeof pass> {
  const wish = { name: 'agent', tools: '*', cap: { amount_usd: 1, window: 'month' }, ...body };
  const made = await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body: wish });
  expect(made.status).toBe(201);
  return made.body;
}

function claimsOf(changes: object = {}): object {
  const iat = Math.floor(gateway.clock.now() / 1_000);
  const { accountId: sub } = consumer;
  const grant = { client_id: 'https://client.example', pass_id: pass.id, scope: 'tollgate:spend', jti: randomUUID() };
  return { iss: issuer, aud: resource, sub, ...grant, iat, exp: iat + 3_600, ...changes };
}

const header = { alg: 'ES256', typ: 'at+jwt', kid: key.keyId };
const tokenOf = (changes: object = {}) => signToken(key, header, claimsOf(changes));

interface Ask {
  readonly by?: TestAccount;
  readonly tool?: string;
  readonly at?: GatewayUnderTest;
  readonly more?: object;
}

const ask = (token: string, { by = builder, tool = toolId, at = gateway, more }: Ask = {}) =>
  at.send<TestAuthorization & { readonly pass_id: string; readonly consumer_id: string }>(
    'POST',
    '/v1/authorizations',
    {
      token: by.token,
      body: { tool_id: tool, pass: token, ...more },
    },
  );

const capture = (id: string) => gateway.record({ tool_id: toolId, authorization_id: id }, builder);
const changePass = (method: string, body?: object) =>
  gateway.send(method, `/v1/passes/${pass.id}`, { token: consumer.token, ...(body && { body }) });
const heldUsd = async () =>
  (await gateway.send<{ held_usd: number }>('GET', `/v1/passes/${pass.id}`, { token: consumer.token })).body.held_usd;

const refusedAs = (status: number, code: string) => ({ status, body: { code } });
const passRefused = refusedAs(403, 'pass_refused');
const notAllowed = refusedAs(403, 'tool_not_allowed');

describe('F315 a token beside the key of its builder', () => {
  it('F315 is the pass: it holds its money, and the event is the consumer’s, with the pass', async () => {
    const asked = await ask(tokenOf());
    expect(asked).toMatchObject({
      status: 201,
      body: { consumer_id: consumer.accountId, pass_id: pass.id, held_usd: 0.25, remaining_usd: null },
    });
    const sent = await capture(asked.body.id);
    expect(sent.status).toBe(201);
    const records = (await gateway.appended()).filter(({ event_id: id }) => id === sent.body.event_id);
    expect(records).toMatchObject([{ consumer_id: consumer.accountId, tool_id: toolId, pass_id: pass.id }]);
    expect(await heldUsd()).toBe(0.25);
  });

  it('spends from the cap of the pass, whichever of both comes', async () => {
    for (const payer of [tokenOf(), pass.key, tokenOf(), pass.key]) expect((await ask(payer)).status).toBe(201);
    for (const payer of [tokenOf(), pass.key])
      expect(await ask(payer)).toMatchObject(refusedAs(402, 'spending_cap_reached'));
  });

  it('is the same payer after a refresh: an idempotency_key has one authorization', async () => {
    const more = { idempotency_key: randomUUID() };
    const ids = [await ask(tokenOf(), { more }), await ask(tokenOf(), { more }), await ask(pass.key, { more })];
    expect(new Set(ids.map(({ body }) => body.id)).size).toBe(1);
    expect(await heldUsd()).toBe(0.25);
  });

  it('opens the tools of its resource that the pass names, with one slash of an empty path ignored', async () => {
    const origin = `https://${randomUUID()}.example`;
    const tool = await newTool(builder, origin);
    expect((await ask(tokenOf({ aud: `${origin}/` }), { tool })).status).toBe(201);
    await changePass('PATCH', { tools: [tool] });
    expect(await ask(tokenOf())).toMatchObject(notAllowed);
  });

  it('F315 opens no other tool, and not for another builder', async () => {
    const rival = await gateway.newAccount();
    const elsewhere = await newTool(rival, `${resource}/rival`);
    const unnamed = await newTool(builder, undefined);
    const second = await newTool(builder, `${resource}/second`);
    for (const tool of [unnamed, second, elsewhere, 'no-such-tool'])
      expect([tool, await ask(tokenOf(), { tool })]).toMatchObject([tool, notAllowed]);
    expect(await ask(tokenOf(), { by: rival })).toMatchObject(notAllowed);
    expect(await ask(tokenOf(), { by: rival, tool: elsewhere })).toMatchObject(notAllowed);
    expect(await ask(tokenOf(), { by: consumer })).toMatchObject(notAllowed);
    expect(await ask(tokenOf({ aud: `${resource}/rival` }), { by: rival, tool: elsewhere })).toMatchObject({
      status: 201,
    });
  });

  it('opens a tool no more within a second of its losing the resource', async () => {
    expect((await ask(tokenOf())).status).toBe(201);
    await gateway.owner.query('update billing.tool set resource = null where tool_id = $1', [toolId]);
    await eventually(async () => (await ask(tokenOf())).status === 403, { withinMs: 1_000 });
  });

  it('F315 is refused as a pass is, in each forged form', async () => {
    const ignored = /^(?:no sid|sid |no jti)/; // claims of sessions
    const forged = forgeTokens(key, tokenOf()).filter(({ title }) => !ignored.test(title));
    const admitted: string[] = [];
    const keys = await Promise.all([1, 2, 3].map(() => gateway.newKey(builder.accountId))); // 100 requests a second each
    for (const [index, { title, token }] of forged.entries()) {
      if (token === '' || token.length > 4_096) continue; // no pass at all, below
      const { status, body } = await ask(token, { by: { ...builder, token: keys[index % keys.length] ?? '' } });
      if (status !== 403 || body.code !== 'pass_refused') admitted.push(`${title}: ${status} ${body.code}`);
    }
    expect(admitted).toEqual([]);
    expect(await ask('x'.repeat(4_097))).toMatchObject({ status: 400 });
  });

  it('F315 is none if a key of sessions has signed it', async () => {
    const token = signToken(sessionKey, { ...header, kid: sessionKey.keyId }, claimsOf());
    expect(await ask(token)).toMatchObject(passRefused);
    const session = await openTokenIssuer(gateway);
    expect(await ask(session(consumer.accountId))).toMatchObject(passRefused);
  });

  it('F315 is refused for the pass of another account', async () => {
    expect(await ask(tokenOf({ sub: builder.accountId }))).toMatchObject(passRefused);
    expect(await ask(tokenOf({ pass_id: randomUUID() }))).toMatchObject(passRefused);
  });

  it('F315 is refused with its account suspended, and once its key is withdrawn', async () => {
    const rows = createAuthRows(gateway.owner);
    await rows.suspend(consumer.accountId);
    await eventually(async () => (await ask(tokenOf())).status === 403, { withinMs: 1_000 });
    expect(await ask(tokenOf())).toMatchObject(passRefused);
    await rows.resume(consumer.accountId);
    const shortLived = { keyId: randomUUID(), ...generateKeyPairSync('ec', { namedCurve: 'P-256' }) };
    await rows.publishKey(shortLived, 'oauth');
    const token = signToken(shortLived, { ...header, kid: shortLived.keyId }, claimsOf());
    await eventually(async () => (await ask(token)).status === 201, { withinMs: 2_000 });
    await gateway.owner.query('delete from auth.signing_key where key_id = $1', [shortLived.keyId]);
    await eventually(async () => (await ask(token)).status === 403, { withinMs: 1_000 });
  });
});

describe('F315 the end of a pass', () => {
  it('F315 ends its tokens at every gateway within a second', async () => {
    const other = await startGateway({ beside: gateway, settings });
    try {
      const token = tokenOf();
      expect((await ask(token, { at: other })).status).toBe(201);
      await changePass('PATCH', { paused: true });
      expect(await ask(token)).toMatchObject(passRefused);
      await eventually(async () => (await ask(token, { at: other })).status === 403, { withinMs: 1_000 });
      await changePass('PATCH', { paused: false });
      expect((await ask(token)).status).toBe(201);
      await changePass('DELETE');
      expect(await ask(token)).toMatchObject(passRefused);
      await eventually(async () => (await ask(token, { at: other })).status === 403, { withinMs: 1_000 });
    } finally {
      await other.stop();
    }
  });

  it('F315 ends no call that was authorized: its event is paid, also after its token has expired', async () => {
    const token = tokenOf();
    const asked = await ask(token, { more: { ttl_seconds: 3_600 } });
    const late = await ask(tokenOf({ exp: Math.floor(gateway.clock.now() / 1_000) + 60 }), {
      more: { ttl_seconds: 3_600 },
    });
    gateway.clock.advance(120_000);
    expect((await capture(late.body.id)).status).toBe(201);
    await changePass('DELETE');
    expect((await capture(asked.body.id)).status).toBe(201);
    expect(await ask(token)).toMatchObject(passRefused);
  });

  it('F315 an expired token is refused', async () => {
    const token = tokenOf();
    expect((await ask(token)).status).toBe(201);
    gateway.clock.advance(3_600_000);
    expect(await ask(token)).toMatchObject(passRefused);
  });
});

describe('F315 a token as the bearer', () => {
  it.each([
    ['POST', '/v1/events', () => ({ tool_id: toolId })],
    ['POST', '/v1/events/batch', () => ({ events: [{ tool_id: toolId }] })],
    ['POST', '/v1/authorizations', () => ({ tool_id: toolId })],
    ['GET', '/v1/passes/self', () => undefined],
    ['POST', '/v1/passes/self/children', () => ({})],
    ['GET', '/v1/passes', () => undefined],
    ['GET', '/v1/events', () => undefined],
  ])('F315 is 401 at %s %s', async (method, path, bodyOf) => {
    const body = bodyOf();
    const answer = await gateway.send(method, path, { token: tokenOf(), ...(body && { body }) });
    expect(answer).toMatchObject(refusedAs(401, 'unauthorized'));
  });

  it('F315 is 401 though it has the claims of a session', async () => {
    const token = tokenOf({ iss: 'tollgate', aud: 'tollgate', sid: randomUUID(), jti: randomUUID() });
    expect((await gateway.send('GET', '/v1/passes', { token })).status).toBe(401);
  });
});

describe('F316 the check of a bearer token', () => {
  interface Checked {
    readonly id: string;
    readonly code: string;
    readonly token: { readonly client_id: string; readonly resource: string; readonly expires_at: string } | null;
  }
  const check = (text: string, at: string | null = resource, by = builder) =>
    gateway.send<Checked>('POST', '/v1/passes/check', {
      token: by.token,
      body: { pass: text, resource: at },
    });

  it('F316 knows a pass, and a token of one for this server, and shows no figures of their owner', async () => {
    const byKey = await check(pass.key, null);
    expect(byKey).toMatchObject({ status: 200, body: { id: pass.id, tools: '*', low: false, token: null } });
    const exp = Math.floor(gateway.clock.now() / 1_000) + 60;
    const byToken = await check(tokenOf({ exp }));
    const token = { client_id: 'https://client.example', resource, expires_at: new Date(exp * 1_000).toISOString() };
    expect(byToken).toMatchObject({ status: 200, body: { ...byKey.body, token } });
    expect(byToken.text).not.toMatch(/cap|spent|remaining|per_call/);
  });

  it('F316 refuses a token for another server, and one where no server is named', async () => {
    for (const at of [null, `${resource}/other`, 'https://mcp.example.com'])
      expect(await check(tokenOf(), at)).toMatchObject(passRefused);
    expect(await check(tokenOf(), 'no resource')).toMatchObject({ status: 400 });
  });

  it('F316 refuses what is no pass, or none any more, at once', async () => {
    const refusedNow = async () => {
      for (const text of [pass.key, tokenOf()]) expect(await check(text)).toMatchObject(passRefused);
    };
    for (const text of [
      'x',
      'a.b.c',
      builder.token,
      `${pass.key}0`,
      tokenOf({ exp: 1 }),
      tokenOf({ sub: builder.accountId }),
    ])
      expect([text, await check(text)]).toMatchObject([text, passRefused]);
    await changePass('PATCH', { paused: true });
    await refusedNow();
    await changePass('PATCH', { paused: false, expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
    expect((await check(tokenOf())).status).toBe(200);
    gateway.clock.advance(1_000);
    await refusedNow();
    await changePass('DELETE');
    await refusedNow();
  });

  it('is open to a key for events alone, and to no pass', async () => {
    const { key: events } = await createAuthRows(gateway.owner).createKey(builder.accountId, { can: ['events'] });
    expect((await check(tokenOf(), resource, { ...builder, token: events })).status).toBe(200);
    expect((await check(tokenOf(), resource, { ...builder, token: pass.key })).status).toBe(403);
  });
});
