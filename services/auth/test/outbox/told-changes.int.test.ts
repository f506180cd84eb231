import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { dataOf, takeTold, typesOf, withoutVersion } from '@tollgate/testkit/take-told';
import { createSeeExpiredKeys } from '../../src/api-keys/see-expired-keys.ts';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite, type KeyBody, type SignedUp } from '../support/auth-under-test.ts';
import { createOAuthClient, issuer, putTool, resource } from '../support/oauth-client.ts';

const auth = authSuite({ settings: { PUBLIC_URL: `${issuer}/` } });
let ada: SignedUp & { readonly id: string };

const take = () => takeTold(auth.owner, 'auth');
const takeOwn = async () => (await take()).filter(({ account_id: to }) => to === ada.id);
const createKey = (body: object) =>
  auth.send<KeyBody>('POST', '/v1/api-keys', { token: ada.token, body: { name: 'production', ...body } });
const shownKeys = async () =>
  (await auth.send<{ api_keys: readonly object[] }>('GET', '/v1/api-keys', { token: ada.token })).body.api_keys;

beforeEach(async () => {
  await take();
  const account = await auth.signUp();
  ada = { ...account, id: (await auth.me(account.token)).body.account_id };
});

describe('F328 an account', () => {
  it('is told to the operator alone, as the API shows it; one that is refused is told to nobody', async () => {
    const told = await take();
    expect(told.map(({ type, account_id: to }) => [type, to])).toEqual([['account.registered', null]]);
    expect(withoutVersion(dataOf(told, 'account.registered'))).toEqual((await auth.me(ada.token)).body);
    expect(await auth.post('/v1/auth/register', { email: ada.email, password: ada.password })).toMatchObject({
      status: 409,
    });
    expect(await take()).toEqual([]);
  });
});

describe('F328 the changes of API keys', () => {
  beforeEach(take);

  it('are told when a key is made and when it is revoked, as the API shows the key', async () => {
    await createKey({ can: ['events'], expires_at: toIso(auth.clock.now() + dayMs) });
    const made = await take();
    expect(made.map(({ type, account_id: to }) => [type, to])).toEqual([['api_key.created', ada.id]]);
    expect([withoutVersion(dataOf(made, 'api_key.created'))]).toMatchObject(await shownKeys());
    const { body } = await createKey({});
    const [{ can } = { can: [] }] = (await take()).map(({ data }) => data as { can: string[] });
    expect(can).toEqual(['events', 'read', 'manage']);
    for (const status of [204, 404])
      expect(await auth.send('DELETE', `/v1/api-keys/${body.id}`, { token: ada.token })).toMatchObject({ status });
    const revoked = await take();
    expect(typesOf(revoked)).toEqual(['api_key.revoked']);
    expect(dataOf(revoked, 'api_key.revoked')).toMatchObject({ id: body.id });
  });

  it('F329 are told once when a key has expired, however many look, and not of one that was revoked before', async () => {
    const worker = auth.connectAs('auth_worker');
    const look = createSeeExpiredKeys({ worker, clock: auth.clock });
    const expiresAt = auth.clock.now() + dayMs;
    const { body } = await createKey({ expires_at: toIso(expiresAt) });
    const { body: gone } = await createKey({ expires_at: toIso(expiresAt) });
    await auth.send('DELETE', `/v1/api-keys/${gone.id}`, { token: ada.token });
    await take();
    await look();
    expect(await takeOwn()).toEqual([]);
    auth.clock.set(expiresAt);
    const undone = auth.owner.transaction(async (tx) => {
      await tx.query('update auth.api_key set expiry_seen_at = now() where key_id = $1', [body.id]);
      throw new Error('the job died');
    });
    await expect(undone).rejects.toThrow('the job died');
    await Promise.all([look(), look(), look()]);
    await look();
    const told = await takeOwn();
    expect(told.map(({ type, data }) => [type, data['id']])).toEqual([['api_key.expired', body.id]]);
  });

  it('F329 are told of a key that expired before the sweep deletes it', async () => {
    const worker = auth.connectAs('auth_worker');
    await createKey({ expires_at: toIso(auth.clock.now() + dayMs) });
    await take();
    const sweep = createSweepExpired({ worker, clock: auth.clock, realTime: auth.realTime, accessTokenTtlMs: 1_000 });
    const kept = () => auth.owner.query('select from auth.api_key where account_id = $1', [ada.id]);
    await sweep();
    auth.clock.advance(40 * dayMs);
    await sweep();
    expect(await kept()).toHaveLength(1);
    await createSeeExpiredKeys({ worker, clock: auth.clock })();
    expect(typesOf(await takeOwn())).toEqual(['api_key.expired']);
    await sweep();
    expect(await kept()).toHaveLength(0);
  });
});

describe('F328 the consents of OAuth', () => {
  beforeAll(() => putTool(auth, { toolId: 'forecast' }));
  beforeEach(take);

  it('are told when they are given, changed and ended by the client, each once', async () => {
    const client = await createOAuthClient(auth);
    await client.connect(ada, { cap_usd: '5' });
    const given = await take();
    expect(given.map(({ type, account_id: to }) => [type, to])).toEqual([['oauth.consent_given', ada.id]]);
    expect(dataOf(given, 'oauth.consent_given')).toMatchObject({
      client_id: client.clientId,
      client_name: 'Weather agent',
      resource,
      ended_at: null,
    });
    const { refresh_token: token } = await client.connect(ada, { cap_usd: '7' });
    const changed = await take();
    expect(typesOf(changed)).toEqual(['oauth.consent_given']);
    const { id, version } = dataOf(given, 'oauth.consent_given');
    expect(dataOf(changed, 'oauth.consent_given')['id']).toBe(id);
    expect(Number(dataOf(changed, 'oauth.consent_given')['version'])).toBeGreaterThan(Number(version));
    for (let again = 0; again < 2; again += 1) await client.revoke(token);
    const ended = await take();
    expect(typesOf(ended)).toEqual(['oauth.consent_revoked']);
    expect(dataOf(ended, 'oauth.consent_revoked')).toMatchObject({ id, ended_at: expect.any(String) });
  });

  it('are told when the owner revokes the pass, and not when the pass had expired before', async () => {
    const client = await createOAuthClient(auth);
    await client.connect(ada);
    await take();
    const revoke = `update gate.pass set revoked_at = $2 where account_id = $1 and revoked_at is null`;
    await auth.owner.query(revoke, [ada.id, toIso(auth.clock.now())]);
    expect(typesOf(await take())).toEqual(['oauth.consent_revoked']);
    await client.connect(ada);
    await take();
    await auth.owner.query(`update gate.pass set expires_at = $2 where account_id = $1`, [
      ada.id,
      toIso(auth.clock.now() - 1),
    ]);
    await auth.owner.query(revoke, [ada.id, toIso(auth.clock.now())]);
    expect(await take()).toEqual([]);
  });
});
