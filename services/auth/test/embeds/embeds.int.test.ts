import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiEmbed } from '@tollgate/contracts/accounts/embeds';
import { dayMs } from '@tollgate/kernel/durations';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite, operatorToken, refusal, type SignedUp } from '../support/auth-under-test.ts';

const auth = authSuite();
let ada: SignedUp;

interface Made extends ApiEmbed {
  readonly embedId: string;
  readonly token: string;
}

/** The parts of the address of an embed. */
function partsOf(url: string): Pick<Made, 'embedId' | 'token'> & { readonly given: URLSearchParams } {
  const { pathname, hash } = new URL(url);
  const given = new URLSearchParams(hash.slice(1));
  return { embedId: pathname.replace('/app/embed/', ''), token: given.get('token') ?? '', given };
}

const ask = (body: object, token = ada.token) => auth.send<ApiEmbed>('POST', '/v1/embeds', { token, body });

async function make(body: object = { page: 'usage' }, token = ada.token): Promise<Made> {
  const answer = await ask(body, token);
  expect(answer.status).toBe(201);
  return { ...answer.body, ...partsOf(answer.body.url) };
}

/** Auth has no route for embeds: a live token is refused as one that opens its page alone, an ended one as none. */
const isLive = async ({ token }: Made) => {
  const { status } = await auth.me(token);
  expect([401, 403]).toContain(status);
  return status === 403;
};

/** An embed that was made less than 20 seconds ago ends so long after that. */
function expectLife({ expires_at: ends }: ApiEmbed, lifeMs: number): void {
  const leftMs = Date.parse(ends) - auth.realTime.now();
  expect(leftMs).toBeLessThanOrEqual(lifeMs);
  expect(leftMs).toBeGreaterThan(lifeMs - 20_000);
}

beforeEach(async () => {
  ada = await auth.signUp();
});

describe('an embed', () => {
  it('has an address whose fragment is its token, its page and its look', async () => {
    const { status, body } = await ask({ page: 'earnings', ttl_seconds: 900, theme: 'dark' });
    expect(status).toBe(201);
    expect(body).toEqual({
      page: 'earnings',
      url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/app\/embed\/[0-9a-f-]{36}#token=tg_embed_[0-9A-Za-z]{38}&/,
      ),
      expires_at: expect.any(String),
    });
    const { given, token } = partsOf(body.url);
    expect(Object.fromEntries(given)).toEqual({ token, page: 'earnings', theme: 'dark' });
  });

  it('F340 lasts for an hour at most, and is 400 for longer and for an unknown page', async () => {
    expectLife(await make(), 3_600_000);
    expectLife(await make({ page: 'invoices', ttl_seconds: 900 }), 900_000);
    for (const body of [{ page: 'usage', ttl_seconds: 3_601 }, { page: 'keys' }, { page: 'usage', account_id: 'x' }])
      expect(await ask(body)).toMatchObject(refusal(400, 'invalid_request'));
  });

  it('F340 ends after its time by the machine’s clock, whatever the sandbox clock says', async () => {
    const made = await make({ page: 'usage', ttl_seconds: 60 });
    auth.clock.set(auth.clock.now() + 30 * 86_400_000);
    expect(await isLive(made)).toBe(true);
    auth.realTime.set(auth.realTime.now() + 30_000);
    expect(await isLive(made)).toBe(true);
    auth.realTime.set(Date.parse(made.expires_at));
    expect(await isLive(made)).toBe(false);
  });

  it('F340 opens no route of this service, be it the account, its keys, or another embed', async () => {
    const { token } = await make();
    for (const [method, path] of [
      ['GET', '/v1/auth/me'],
      ['GET', '/v1/auth/sessions'],
      ['GET', '/v1/api-keys'],
      ['POST', '/v1/api-keys'],
      ['POST', '/v1/embeds'],
      ['GET', '/v1/embeds/origins'],
      ['PUT', '/v1/embeds/origins'],
      ['POST', '/v1/auth/logout'],
      ['GET', '/v1/auth/activity'],
    ] as const)
      expect(await auth.send(method, path, { token })).toMatchObject(refusal(403, 'forbidden'));
    expect(await auth.send('GET', '/v1/operator/audit', { token })).toMatchObject(refusal(404, 'not_found'));
  });

  it('F340 is no embed with a letter changed', async () => {
    const { token } = await make();
    const changed = token.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
    expect(await auth.me(changed)).toMatchObject(refusal(401, 'unauthorized'));
    expect(await auth.me('tg_embed_')).toMatchObject(refusal(401, 'unauthorized'));
  });

  it('F340 ends at once with the session that made it, and with no other', async () => {
    const made = await make();
    const other = await auth.login(ada);
    const kept = await make({ page: 'usage' }, other.body.access_token);
    await auth.logout(ada.token);
    expect(await isLive(made)).toBe(false);
    expect(await isLive(kept)).toBe(true);
  });

  it('F340 ends at once with the API key that made it, and by the time at which that expires', async () => {
    const { id, key } = await auth.createKey(ada.token);
    const made = await make({ page: 'usage' }, key);
    await auth.send('DELETE', `/v1/api-keys/${id}`, { token: ada.token });
    expect(await isLive(made)).toBe(false);
    const body = { name: 'short', expires_at: new Date(auth.clock.now() + 90_000).toISOString() };
    const short = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token: ada.token, body });
    expectLife(await make({ page: 'usage' }, short.body.key), 90_000);
  });

  it('F340 ends at once with its account, closed or suspended', async () => {
    const made = await make();
    const { body: self } = await auth.me(ada.token);
    const suspend = (verb: string, body?: object) =>
      auth.post(`/v1/operator/accounts/${self.account_id}/${verb}`, body, operatorToken);
    await suspend('suspend', { reason: 'a test' });
    expect(await auth.me(made.token)).toMatchObject(refusal(403, 'account_suspended'));
    await suspend('resume');
    expect(await isLive(made)).toBe(true);
    await auth.send('DELETE', '/v1/auth/account', { token: ada.token, body: { password: ada.password } });
    expect(await isLive(made)).toBe(false);
  });

  it('is made by a key that may read, and by none that may only record', async () => {
    const keyWith = async (can: string[]) =>
      (await auth.send<{ key: string }>('POST', '/v1/api-keys', { token: ada.token, body: { name: 'k', can } })).body
        .key;
    await make({ page: 'usage' }, await keyWith(['read']));
    expect(await ask({ page: 'usage' }, await keyWith(['events']))).toMatchObject(refusal(403, 'read_scope_missing'));
  });

  it('F340 stands in no table, no log and no trail', async () => {
    const made = await make();
    await auth.me(made.token);
    const rows = await auth.owner.query<{ text: string }>(
      `select e::text as text from auth.embed e union all select a::text from audit.act a`,
    );
    const [act] = await auth.owner.query('select action, detail from audit.act where object_id = $1', [made.embedId]);
    expect(act).toEqual({ action: 'embed.created', detail: { page: 'usage' } });
    const secret = made.token.slice('tg_embed_'.length);
    expect(rows.map(({ text }) => text).join('\n')).not.toContain(secret);
    expect(auth.logged()).toContain(made.embedId); // the act is logged, and its line has no token
    expect(auth.logged()).not.toContain(secret);
  });

  it('is swept a day after its end, until when its frame may say that it has ended', async () => {
    const { embedId, expires_at: ends } = await make();
    const worker = auth.connectAs('auth_worker');
    const sweep = createSweepExpired({ worker, ...auth, accessTokenTtlMs: 3_600_000 });
    const rows = () => auth.owner.query('select 1 from auth.embed where embed_id = $1', [embedId]);
    auth.realTime.set(Date.parse(ends) + dayMs - 60_000);
    await sweep();
    expect(await rows()).toHaveLength(1);
    auth.realTime.set(Date.parse(ends) + dayMs + 60_000);
    await sweep();
    expect(await rows()).toEqual([]);
  });

  it('is 422 beyond a thousand live ones, until they end', async () => {
    const { embedId } = await make({ page: 'usage', ttl_seconds: 60 });
    const copies = `insert into auth.embed
      select gen_random_uuid(), account_id, page, sha256(uuid_send(gen_random_uuid())), session_id, key_id, created_at, expires_at
      from auth.embed, generate_series(1, 999) where embed_id = $1`;
    await auth.owner.query(copies, [embedId]);
    expect(await ask({ page: 'usage' })).toMatchObject(refusal(422, 'too_many_embeds'));
    auth.realTime.set(auth.realTime.now() + 60_000);
    await make();
  });
});

describe('the origins that may frame', () => {
  const put = (origins: unknown) =>
    auth.send<{ origins: string[] }>('PUT', '/v1/embeds/origins', { token: ada.token, body: { origins } });
  const framers = async (embedId: string) => {
    const rows = await auth.owner.query<{ origins: string[] }>(
      'select origins from auth.embed_frame_v1 where embed_id = $1',
      [embedId],
    );
    return rows[0]?.origins;
  };

  it('are none at first, and each once, in one spelling', async () => {
    const get = () => auth.send('GET', '/v1/embeds/origins', { token: ada.token });
    expect(await get()).toMatchObject({ status: 200, body: { origins: [] } });
    const set = await put(['https://APP.example.com/', 'https://app.example.com', 'http://localhost:3000']);
    expect(set.body).toEqual({ origins: ['https://app.example.com', 'http://localhost:3000'] });
    expect(await get()).toMatchObject({ body: set.body });
  });

  it.each([['https://*.example.com'], ['https://app.example.com/path'], ['http://app.example.com'], ["'self'"], [7]])(
    'F340 are 400 for %p',
    async (origin) => {
      expect(await put([origin])).toMatchObject(refusal(400, 'invalid_request'));
    },
  );

  it('F340 are those of the embed’s own account, while that is open', async () => {
    const made = await make();
    expect(await framers(made.embedId)).toBeUndefined();
    await put(['https://app.example.com']);
    expect(await framers(made.embedId)).toEqual(['https://app.example.com']);
    const other = await auth.signUp();
    const foreign = await make({ page: 'usage' }, other.token);
    expect(await framers(foreign.embedId)).toBeUndefined();
    await put([]);
    expect(await framers(made.embedId)).toEqual([]);
    await auth.send('DELETE', '/v1/auth/account', { token: ada.token, body: { password: ada.password } });
    expect(await framers(made.embedId)).toBeUndefined();
  });
});
