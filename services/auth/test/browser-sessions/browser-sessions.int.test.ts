import { beforeAll, describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { createSessionSecret } from '@tollgate/runtime/auth/api-key-format';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { runAfterRestore } from '../../src/operator.ts';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite, operatorToken, refusal, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

const auth = authSuite();
let other: AuthUnderTest;
const log = createLogger({ name: 'test', level: 'silent' });

beforeAll(async () => {
  other = await auth.startBeside();
});

type Headers = Readonly<Record<string, string>>;
const own = (by: AuthUnderTest = auth): Headers => ({ origin: new URL(by.baseUrl).origin });

interface SessionList {
  readonly total: number;
  readonly sessions: readonly { id: string; kind: string; current: boolean; ends_at: string; refreshed_at: string }[];
}

const bodyOf = ({ email, password }: SignedUp) => ({ email, password });
const post = (person: SignedUp, headers: Headers = own()) =>
  auth.send('POST', '/v1/auth/session', { body: bodyOf(person), headers });
const setCookieOf = ({ headers }: { headers: globalThis.Headers }) => headers.get('set-cookie') ?? '';
const cookieIn = (answer: { headers: globalThis.Headers }) => setCookieOf(answer).split(';')[0] ?? '';

async function signInBrowser(person: SignedUp, headers: Headers = own()): Promise<string> {
  const answer = await post(person, headers);
  expect(answer.status).toBe(201);
  return cookieIn(answer);
}

const me = (cookie: string, by: AuthUnderTest = auth) =>
  by.send<{ account_id: string; email: string }>('GET', '/v1/auth/me', { headers: { cookie } });
const list = async (cookie: string) =>
  (await auth.send<SessionList>('GET', '/v1/auth/sessions', { headers: { cookie } })).body;
const write = (method: string, path: string, cookie: string, body?: unknown) =>
  auth.send(method, path, { headers: { ...own(), cookie }, ...(body !== undefined && { body }) });
/** Both processes know the session, so that only news of its end can end it there. */
async function known(person: SignedUp): Promise<string> {
  const cookie = await signInBrowser(person);
  for (const by of [auth, other]) expect(await me(cookie, by)).toMatchObject({ status: 200 });
  return cookie;
}
async function untilOver(cookie: string): Promise<void> {
  for (const by of [auth, other])
    await eventually(async () => (await me(cookie, by)).status === 401, { withinMs: 1_000 });
}

describe('a browser signs in', () => {
  it('with a cookie that holds one opaque id, of which body, URL, log and database have nothing', async () => {
    const ada = await auth.signUp();
    const answer = await post(ada);
    expect(answer).toMatchObject({ status: 201, body: { email: ada.email } });
    expect(setCookieOf(answer)).toMatch(
      /^tollgate=tg_session_[0-9A-Za-z]{38}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const secret = cookieIn(answer).slice('tollgate='.length);
    expect(answer.text).not.toContain('tg_session');
    expect(answer.headers.get('location')).toBeNull();
    expect(await me(cookieIn(answer))).toMatchObject({ status: 200, body: { email: ada.email } });
    expect(auth.logged()).not.toContain(secret);
    const rows = await auth.owner.query('select row_to_json(c)::text as text from auth.session_cookie c');
    expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('F337 with a new id each time, and the session that it had before ends', async () => {
    const ada = await auth.signUp();
    const first = await known(ada);
    const second = await signInBrowser(ada, { ...own(), cookie: first });
    expect(second).not.toBe(first);
    await untilOver(first);
    expect(await me(second)).toMatchObject({ status: 200 });
  });

  it('F337 and takes no id that it was given before (fixation), of whatever form', async () => {
    const ada = await auth.signUp();
    for (const planted of [`tollgate=${createSessionSecret()}`, 'tollgate=chosen', 'tollgate=']) {
      expect(await me(planted)).toMatchObject(refusal(401, 'unauthorized'));
      expect(await signInBrowser(ada, { ...own(), cookie: planted })).not.toBe(planted);
      expect(await me(planted)).toMatchObject({ status: 401 });
    }
  });

  it('by the rules of a sign-in: the same refusals, and their rows in the trail', async () => {
    const ada = await auth.signUp();
    expect(await post({ ...ada, password: 'a guess' })).toMatchObject(refusal(401, 'invalid_credentials'));
    const cookie = await signInBrowser(ada);
    const { body } = await me(cookie);
    const { acts } = (
      await auth.send<{ acts: readonly object[] }>('GET', `/v1/operator/audit?account_id=${body.account_id}`, {
        token: operatorToken,
      })
    ).body;
    expect(acts.slice(0, 2)).toMatchObject([
      { action: 'account.signed_in', result: 'done', detail: { by: 'browser' } },
      { action: 'account.signed_in', result: 'refused', detail: { code: 'invalid_credentials' } },
    ]);
  });
});

describe('F337 a cookie counts only from our own pages', () => {
  const body = { name: 'k' };

  it('and from nowhere else: a change without our Origin, or from another site, is refused and does nothing', async () => {
    const cookie = await signInBrowser(await auth.signUp());
    const foreign: Headers[] = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { ...own(), 'sec-fetch-site': 'same-site' },
      { ...own(), 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      const answer = await auth.send('POST', '/v1/api-keys', { headers: { ...headers, cookie }, body });
      expect(answer).toMatchObject(refusal(403, 'forbidden'));
    }
    expect(await auth.send('GET', '/v1/api-keys', { headers: { cookie } })).toMatchObject({ body: { total: 0 } });
    const same = { ...own(), 'sec-fetch-site': 'same-origin', cookie };
    expect(await auth.send('POST', '/v1/api-keys', { headers: same, body })).toMatchObject({ status: 201 });
  });

  it('so a foreign page signs nobody in to an account of its choice', async () => {
    const mallory = await auth.signUp();
    for (const headers of [{}, { origin: 'https://evil.example' }]) {
      const answer = await post(mallory, headers);
      expect(answer).toMatchObject(refusal(403, 'forbidden'));
      expect(setCookieOf(answer)).toBe('');
    }
  });

  it('and no page of another origin may read an answer with it, whatever CORS_ORIGINS says', async () => {
    const open = await auth.startBeside({ settings: { CORS_ORIGINS: '*' } });
    const cookie = await signInBrowser(await auth.signUp());
    const answer = await open.send('GET', '/v1/auth/me', { headers: { cookie, origin: 'https://evil.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('with https only at PUBLIC_URL, under a name that no other host can set', async () => {
    const origin = 'https://tollgate.example';
    const secure = await auth.startBeside({ settings: { PUBLIC_URL: `${origin}/` } });
    const ada = await auth.signUp();
    const send = (headers: Headers) => secure.send('POST', '/v1/auth/session', { body: bodyOf(ada), headers });
    expect(await send(own(secure))).toMatchObject(refusal(403, 'forbidden'));
    const answer = await send({ origin });
    expect(setCookieOf(answer)).toMatch(/^__Host-tollgate=.*; Secure$/);
    expect(await me(cookieIn(answer), secure)).toMatchObject({ status: 200 });
    expect(await me(cookieIn(answer).replace('__Host-', ''), secure)).toMatchObject({ status: 401 });
  });

  it('an Authorization header beside it wins, also a bad one', async () => {
    const [ada, bob] = [await auth.signUp(), await auth.signUp()];
    const cookie = await signInBrowser(ada);
    const both = (token: string) => auth.send('GET', '/v1/auth/me', { token, headers: { cookie } });
    expect(await both(bob.token)).toMatchObject({ body: { email: bob.email } });
    expect(await both('no-token')).toMatchObject({ status: 401 });
    expect(await auth.post('/v1/api-keys', body, bob.token)).toMatchObject({ status: 201 }); // no page, no Origin
  });

  it('is no bearer token, and a key is no cookie', async () => {
    const ada = await auth.signUp();
    const secret = (await signInBrowser(ada)).slice('tollgate='.length);
    expect(await auth.me(secret)).toMatchObject({ status: 401 });
    const { key } = await auth.createKey(ada.token);
    for (const credential of [key, ada.token])
      expect(await me(`tollgate=${credential}`)).toMatchObject({ status: 401 });
    expect(
      await auth.send('POST', '/v1/auth/refresh', { headers: { ...own(), cookie: `tollgate=${secret}` } }),
    ).toMatchObject({ status: 401 });
  });
});

describe('F338 a browser’s session ends, in every process', () => {
  it('when it signs out, which takes the cookie away', async () => {
    const cookie = await known(await auth.signUp());
    const answer = await write('DELETE', '/v1/auth/session', cookie);
    expect(answer).toMatchObject({ status: 204, text: '' });
    expect(setCookieOf(answer)).toMatch(/^tollgate=; Max-Age=0; /);
    await untilOver(cookie);
    expect(await write('DELETE', '/v1/auth/session', cookie)).toMatchObject({ status: 401 });
  });

  it('when the password is changed elsewhere; the session that changed it stays', async () => {
    const ada = await auth.signUp();
    const [elsewhere, here] = [await known(ada), await known(ada)];
    const change = { current_password: ada.password, new_password: 'another horse, another battery' };
    expect(await write('POST', '/v1/auth/password', here, change)).toMatchObject({ status: 204 });
    await untilOver(elsewhere);
    expect(await me(here, other)).toMatchObject({ status: 200 });
  });

  it('when its account lists and ends it, and by the operator’s hand', async () => {
    const ada = await auth.signUp();
    const [lost, here] = [await known(ada), await known(ada)];
    const { sessions, total } = await list(here);
    expect(total).toBe(3);
    expect(sessions.map(({ kind, current }) => [kind, current])).toEqual([
      ['browser', true],
      ['browser', false],
      ['token', false],
    ]);
    expect(await write('DELETE', `/v1/auth/sessions/${sessions[1]?.id}`, here)).toMatchObject({ status: 204 });
    await untilOver(lost);
    const { account_id: id } = (await auth.me(ada.token)).body;
    await auth.send('DELETE', `/v1/operator/accounts/${id}/sessions`, { token: operatorToken });
    await untilOver(here);
  });

  it('while its account is suspended', async () => {
    const ada = await auth.signUp();
    const cookie = await known(ada);
    const { account_id: id } = (await auth.me(ada.token)).body;
    const act = (verb: string, body?: object) => auth.post(`/v1/operator/accounts/${id}/${verb}`, body, operatorToken);
    await act('suspend', { reason: 'a test' });
    for (const by of [auth, other])
      await eventually(async () => (await me(cookie, by)).status === 403, { withinMs: 1_000 });
    await act('resume');
    await eventually(async () => (await me(cookie, other)).status === 200, { withinMs: 1_000 });
  });

  it('after a restore', async () => {
    const cookie = await known(await auth.signUp());
    const wish = { logLines: undefined, revokesAllKeys: false };
    const { endedSessions } = await runAfterRestore(auth.database.ownerUrl, { clock: auth.clock, log }, wish);
    expect(endedSessions).toBeGreaterThan(0);
    await untilOver(cookie);
  });
});

describe('F338 a browser’s session, by real time', () => {
  const sweep = () =>
    createSweepExpired({
      worker: auth.connectAs('auth_worker'),
      clock: auth.clock,
      realTime: auth.realTime,
      accessTokenTtlMs: 3_600_000,
    });
  const after = async (ms: number, cookie: string, by: AuthUnderTest) => {
    auth.realTime.advance(ms);
    return (await me(cookie, by)).status;
  };

  it('outlives a sandbox clock that moves by a year, and the sweep of that day', async () => {
    const cookie = await known(await auth.signUp());
    auth.clock.advance(366 * dayMs);
    const twice = sweep();
    await twice();
    await twice();
    for (const by of [auth, other]) expect(await me(cookie, by)).toMatchObject({ status: 200 });
    expect(await list(cookie)).toMatchObject({ total: 1, sessions: [{ kind: 'browser', current: true }] });
  });

  it('ends 30 days after its last use, which any process sees', async () => {
    const user = await auth.startBeside();
    const cookie = await known(await auth.signUp());
    expect(await after(29 * dayMs, cookie, user)).toBe(200);
    await user.stop(); // reports what it saw
    expect(await after(29 * dayMs, cookie, auth)).toBe(200);
    expect(await after(30 * dayMs - 1_000, cookie, await auth.startBeside())).toBe(401);
  });

  it('ends 90 days after the sign-in, however much it is used, and says so in the list', async () => {
    const startMs = auth.realTime.now();
    const cookie = await known(await auth.signUp());
    for (let month = 0; month < 3; month += 1) {
      const user = await auth.startBeside();
      expect(await after(29 * dayMs, cookie, user)).toBe(200);
      await user.stop();
    }
    const endsAt = Date.parse((await list(cookie)).sessions[0]?.ends_at ?? '');
    expect(Math.abs(endsAt - startMs - 90 * dayMs)).toBeLessThan(60_000);
    expect(await after(3 * dayMs, cookie, auth)).toBe(401);
    expect(await me(cookie, other)).toMatchObject({ status: 401 });
  });
});
