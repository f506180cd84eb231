import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiConsent } from '@tollgate/contracts/accounts/consents';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';
import { createOAuthClient, issuer, type OAuthClient, putTool, resource } from '../support/oauth-client.ts';

const auth = authSuite({ settings: { PUBLIC_URL: `${issuer}/` } });
let ada: SignedUp;
let client: OAuthClient;

beforeAll(async () => {
  await putTool(auth, { toolId: 'forecast' });
  await putTool(auth, { toolId: 'history', price: '0.01' });
});

beforeEach(async () => {
  ada = await auth.signUp();
  client = await createOAuthClient(auth);
});

interface Consents {
  readonly consents: readonly ApiConsent[];
  readonly total: number;
  readonly next_cursor: string | null;
}

const list = async (query = '', token = ada.token) =>
  (await auth.send<Consents>('GET', `/v1/auth/consents${query}`, { token })).body;
const revoke = (id: string, token = ada.token) => auth.send('DELETE', `/v1/auth/consents/${id}`, { token });
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('the consents of an account', () => {
  it('say who may spend what, since when, and when it last got a token', async () => {
    expect(await list()).toMatchObject({ consents: [], total: 0 });
    const beganMs = Math.floor(auth.realTime.now() / 1_000) * 1_000;
    await client.connect(ada, { cap_usd: '7', per_call_max_usd: '0.05', 'tool:history': null });
    const [pass] = await auth.owner.query<{ pass_id: string }>(
      'select pass_id from auth.oauth_grant where client_id = $1',
      [client.clientId],
    );
    const { consents, total } = await list();
    expect(total).toBe(1);
    expect(consents).toEqual([
      {
        id: expect.any(String),
        client_id: client.clientId,
        client_name: 'Weather agent',
        client_host: null,
        resource,
        pass_id: pass?.pass_id,
        tools: ['forecast'],
        cap: { amount_usd: 7, window: 'month' },
        per_call_max_usd: 0.05,
        approve_above_usd: null,
        paused: false,
        created_at: expect.any(String),
        consented_at: expect.any(String),
        last_token_at: expect.any(String),
        expires_at: null,
      },
    ]);
    expect(Date.parse(consents[0]?.last_token_at ?? '')).toBeGreaterThanOrEqual(beganMs);
  });

  it('F374 are refused from the moment on in which their owner revokes one, and others go on', async () => {
    const tokens = await client.connect(ada);
    const other = await createOAuthClient(auth);
    const kept = await other.connect(ada);
    const { consents } = await list();
    const id = consents.find(({ client_id: of }) => of === client.clientId)?.id ?? '';
    expect((await revoke(id)).status).toBe(204);
    expect(await client.refresh(tokens.refresh_token)).toMatchObject(invalidGrant);
    expect(await client.introspect(tokens.access_token)).toEqual({ active: false });
    expect((await other.refresh(kept.refresh_token)).status).toBe(200);
    expect((await list()).consents.map(({ client_id: of }) => of)).toEqual([other.clientId]);
    expect(await revoke(id)).toMatchObject(refusal(404, 'not_found'));
    const [act] = await auth.owner.query(
      `select action, actor, detail from audit.act where action = 'pass.revoked' order by act_id desc limit 1`,
    );
    expect(act).toEqual({ action: 'pass.revoked', actor: 'session', detail: { grant: id } });
  });

  it('F374 are nobody else’s to see or to revoke', async () => {
    const tokens = await client.connect(ada);
    const stranger = await auth.signUp();
    const id = (await list()).consents[0]?.id ?? '';
    expect(await list('', stranger.token)).toMatchObject({ consents: [], total: 0 });
    expect(await revoke(id, stranger.token)).toMatchObject(refusal(404, 'not_found'));
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('are no more those whose pass ended otherwise, and come by pages', async () => {
    for (let made = 0; made < 3; made += 1) await (await createOAuthClient(auth)).connect(ada);
    const { consents, total, next_cursor: next } = await list('?limit=2');
    expect([consents.length, total]).toEqual([2, 3]);
    const rest = await list(`?limit=2&cursor=${next}`);
    expect(rest.consents).toHaveLength(1);
    await auth.owner.query('update gate.pass set revoked_at = now() where pass_id = $1', [consents[0]?.pass_id]);
    await auth.owner.query(`update gate.pass set expires_at = created_at where pass_id = $1`, [consents[1]?.pass_id]);
    expect((await list()).consents.map(({ id }) => id)).toEqual([rest.consents[0]?.id]);
    expect(await revoke(consents[0]?.id ?? '')).toMatchObject(refusal(404, 'not_found'));
  });

  it('are read by a key that may read, and revoked by one that may manage', async () => {
    await client.connect(ada);
    const keyWith = async (can: string) =>
      (await auth.send<{ key: string }>('POST', '/v1/api-keys', { token: ada.token, body: { name: 'k', can: [can] } }))
        .body.key;
    const [reading, managing] = [await keyWith('read'), await keyWith('manage')];
    const id = (await list('', reading)).consents[0]?.id ?? '';
    expect(await revoke(id, reading)).toMatchObject(refusal(403, 'manage_scope_missing'));
    expect((await revoke(id, managing)).status).toBe(204);
  });
});
