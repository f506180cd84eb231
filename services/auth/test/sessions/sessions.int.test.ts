import { dayMs } from '@tollgate/kernel/durations';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { type AuthUnderTest, type SignedUp, authSuite, refusal } from '../support/auth-under-test.ts';
import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { routesOf } from '@tollgate/contracts/routes/routes';
import { type RealKey, signToken } from '@tollgate/testkit/forged-tokens';
import { readRealKey } from '../support/real-key.ts';

const auth = authSuite();
let other: AuthUnderTest;

const refresh = (token: string) => auth.refresh(token);
const refreshed = async (token: string) => (await auth.refresh(token)).body.access_token;

/** Every answer is 200 with one and the same token. */
function expectOneSuccessor(answers: readonly { status: number; body: { access_token: string } }[]): string {
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  const [successor = '', ...others] = new Set(answers.map((answer) => answer.body.access_token));
  expect(others).toEqual([]);
  return successor;
}

interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly ends_at: string;
  readonly current: boolean;
}

interface SessionList {
  readonly sessions: readonly Session[];
  readonly total: number;
  readonly next_cursor: string | null;
}

const list = async (token: string, query = '') =>
  (await auth.send<SessionList>('GET', `/v1/auth/sessions${query}`, { token })).body;
const end = (id: string, token: string) => auth.send('DELETE', `/v1/auth/sessions/${id}`, { token });

async function signInAgain(ada: SignedUp): Promise<string> {
  auth.clock.advance(1_000);
  return (await auth.login(ada)).body.access_token;
}

const stranger = '01900000-0000-7000-8000-000000000000';
let api: Database;
let accountId: string;

const count = async (db: Pick<Database, 'query'>, table: string) =>
  (await db.query<{ n: number }>(`select count(*)::int as n from auth.${table}`))[0]?.n;
let key: RealKey;

/** Header and claims of a token, as text. */
const partsOf = (token: string) =>
  token.split('.', 2).map((part) => Buffer.from(part, 'base64url').toString('utf8')) as [string, string];
const claimsOf = (token: string) => JSON.parse(partsOf(token)[1]) as { readonly sub: string };

describe('refresh', () => {
  beforeAll(async () => {
    other = await auth.startBeside();
  });

  describe('200', () => {
    it('exchanges a valid token for another that works, without a body', async () => {
      const { token } = await auth.signUp();
      const { status, body } = await refresh(token);
      expect(status).toBe(200);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
      expect(body.access_token).not.toBe(token);
      expect(await auth.me(body.access_token)).toMatchObject({ status: 200 });
    });

    it('ignores a body', async () => {
      const { token } = await auth.signUp();
      const body = { rawBody: '{"x":', headers: { 'content-type': 'text/plain' } };
      expect(await auth.send('POST', '/v1/auth/refresh', { token, ...body })).toMatchObject({ status: 200 });
    });

    it('exchanges an expired token, up to 30 days after the last refresh', async () => {
      const { token } = await auth.signUp();
      auth.clock.advance(30 * dayMs - 60_000);
      expect(await auth.me(token)).toMatchObject({ status: 401 });
      const second = await refreshed(token);
      expect(await auth.me(second)).toMatchObject({ status: 200 });
      auth.clock.advance(30 * dayMs - 60_000);
      const third = await refreshed(second);
      auth.clock.advance(30 * dayMs);
      expect(await refresh(third)).toMatchObject(refusal(401, 'unauthorized'));
    });

    it('F68 answers 40 callers at once, in two processes, with one and the same successor, which can be refreshed', async () => {
      const { token } = await auth.signUp();
      const services = Array.from({ length: 20 }, () => [auth, other]).flat();
      const successor = expectOneSuccessor(await Promise.all(services.map((service) => service.refresh(token))));
      expect(await refresh(successor)).toMatchObject({ status: 200 });
    });

    it('F68 lets one caller win of all that found the token to be the newest, and gives the others its token', async () => {
      const { token } = await auth.signUp();
      // The row is held until several wait for it: they have read the session, and decided, before any of them wrote.
      const refreshing = auth.owner.transaction(async (tx) => {
        await tx.query('select session_id from auth.session for update');
        const answers = Promise.all(Array.from({ length: 12 }, () => refresh(token)));
        await eventually(async () => (await auth.waitingForLocks()) >= 4, { withinMs: 1_500 });
        return { answers };
      });
      expectOneSuccessor(await (await refreshing).answers);
    });

    it('F68 repeats the successor 9 s after the rotation, in any process, and the session goes on', async () => {
      const { token } = await auth.signUp();
      const first = await refresh(token);
      auth.clock.advance(9_000);
      const again = await other.refresh(token);
      expect(expectOneSuccessor([first, again])).toBe(first.body.access_token);
      expect(again.body.expires_in).toBeLessThan(first.body.expires_in);
      expect(await refresh(first.body.access_token)).toMatchObject({ status: 200 });
    });

    it('F68 repeats the successor also where it has been replaced itself meanwhile', async () => {
      const { token } = await auth.signUp();
      const second = await refreshed(token);
      const third = await refreshed(second);
      expect(await refreshed(token)).toBe(second);
      expect(await refreshed(second)).toBe(third);
    });
  });

  describe('401', () => {
    it('F68 ends the session when a replaced token comes back 11 s later: no token of the lineage is good any more', async () => {
      const { token } = await auth.signUp();
      const successor = await refreshed(token);
      auth.clock.advance(11_000);
      expect(await refresh(token)).toMatchObject(refusal(401, 'unauthorized'));
      expect(await refresh(successor)).toMatchObject(refusal(401, 'unauthorized'));
      await auth.untilRefused(successor);
    });

    it('F68 ends the session for a token replaced long ago, but no other session of the account', async () => {
      const ada = await auth.signUp();
      const elsewhere = (await auth.login(ada)).body.access_token;
      let newest = ada.token;
      for (let round = 0; round < 3; round += 1) {
        newest = await refreshed(newest);
        auth.clock.advance(30_000);
      }
      expect(await refresh(ada.token)).toMatchObject({ status: 401 });
      expect(await refresh(newest)).toMatchObject({ status: 401 });
      expect(await refresh(elsewhere)).toMatchObject({ status: 200 });
    });
  });

  describe('403', () => {
    it('refuses an API key, which has no session', async () => {
      const { key } = await auth.createKey((await auth.signUp()).token);
      expect(await refresh(key)).toMatchObject(refusal(403, 'forbidden'));
    });
  });

  describe('the database', () => {
    it('holds no token in the open: successors are sealed', async () => {
      const successor = await refreshed((await auth.signUp()).token);
      const stored = 'select successor_sealed from auth.token_rotation';
      const rows = await auth.owner.query<{ successor_sealed: Buffer }>(stored);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.some((row) => row.successor_sealed.includes(successor.slice(-20)))).toBe(false);
    });
  });
});

describe('F136 an account’s own sessions', () => {
  beforeAll(async () => {
    other = await auth.startBeside();
  });

  it('are listed, newest first, page by page, and say which one is asking', async () => {
    const ada = await auth.signUp();
    const token = await signInAgain(ada);
    await signInAgain(ada);
    const { sessions, total } = await list(token);
    expect(total).toBe(3);
    expect(sessions.map(({ current }) => current)).toEqual([false, true, false]);
    for (const { created_at, ends_at } of sessions)
      expect(Math.abs(Date.parse(ends_at) - Date.parse(created_at) - 90 * dayMs)).toBeLessThan(1_000);
    const first = await list(token, '?limit=2');
    const second = await list(token, `?limit=2&cursor=${first.next_cursor}`);
    expect([...first.sessions, ...second.sessions]).toEqual(sessions);
    expect(second.next_cursor).toBeNull();
  });

  it('leave the list when they end, by whatever', async () => {
    const ada = await auth.signUp();
    const token = await signInAgain(ada);
    await auth.logout(ada.token);
    expect(await list(token)).toMatchObject({ total: 1, sessions: [{ current: true }] });
    auth.clock.advance(31 * dayMs);
    const late = await signInAgain(ada);
    expect(await list(late)).toMatchObject({ total: 1, sessions: [{ current: true }] });
  });

  it('are ended by id: refused at once here, soon in another process; another’s is 404', async () => {
    const ada = await auth.signUp();
    const token = await signInAgain(ada);
    const lost = (await list(token)).sessions.find(({ current }) => !current)?.id ?? '';
    const stranger = (await auth.signUp()).token;
    expect(await end(lost, stranger)).toMatchObject(refusal(404, 'not_found'));
    expect(await auth.me(ada.token)).toMatchObject({ status: 200 });
    expect(await end(lost, token)).toMatchObject({ status: 204 });
    expect(await auth.me(ada.token)).toMatchObject({ status: 401 });
    await other.untilRefused(ada.token);
    expect(await end(lost, token)).toMatchObject(refusal(404, 'not_found'));
    expect(await auth.me(token)).toMatchObject({ status: 200 });
  });

  it('end 90 days after the sign-in, though they are refreshed every day, and no token outlives them', async () => {
    let { token } = await auth.signUp();
    for (let day = 1; day < 90; day += 1) {
      auth.clock.advance(dayMs);
      token = (await auth.refresh(token)).body.access_token;
    }
    auth.clock.advance(dayMs - 60_000);
    const last = await auth.refresh(token);
    expect(last).toMatchObject({ status: 200 });
    expect(last.body.expires_in).toBeLessThanOrEqual(61);
    auth.clock.advance(60_000);
    expect(await auth.me(last.body.access_token)).toMatchObject({ status: 401 });
    expect(await auth.refresh(last.body.access_token)).toMatchObject(refusal(401, 'unauthorized'));
  });
});

describe('200', () => {
  it('shows the account of an access token and of an API key, with times by the clock', async () => {
    auth.clock.freeze(true);
    const createdAt = toIso(auth.clock.now());
    const { email, token } = await auth.signUp();
    auth.clock.freeze(false);
    const answer = await auth.me(token);
    expect(answer.status).toBe(200);
    const known = { email_verified: false, email_bounced_at: null, public_name: null, operator: false };
    expect(answer.body).toEqual({ account_id: expect.any(String), email, ...known, created_at: createdAt });
    const { key } = await auth.createKey(token);
    expect((await auth.me(key)).body).toEqual(answer.body);
  });

  it('gives each of many concurrent callers its own account, never another caller’s', async () => {
    const callers = await Promise.all(Array.from({ length: 8 }, () => auth.signUp()));
    const calls = Array.from({ length: 5 }, () => callers).flat();
    const answers = await Promise.all(calls.map(({ token }) => auth.me(token)));
    const expected = calls.map(({ email }) => ({ status: 200, body: expect.objectContaining({ email }) }));
    expect(answers.map(({ status, body }) => ({ status, body }))).toEqual(expected);
  });
});

describe('401', () => {
  it('refuses a token from the second of its expiry on, by the movable clock', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    expect(await auth.me(token)).toMatchObject(refusal(401, 'unauthorized'));
  });
});

it('F69 204 ends the session: at once here, soon in another process, for refresh too', async () => {
  const other = await auth.startBeside();
  const { token } = await auth.signUp();
  expect(await other.me(token)).toMatchObject({ status: 200 });
  expect(await auth.logout(token)).toMatchObject({ status: 204, text: '' });
  expect(await auth.me(token)).toMatchObject({ status: 401 });
  await other.untilRefused(token);
  expect(await other.refresh(token)).toMatchObject(refusal(401, 'unauthorized'));
});

describe('auth_api', () => {
  beforeAll(async () => {
    api = auth.connectAs('auth_api');
    const { token } = await auth.signUp();
    accountId = (await auth.me(token)).body.account_id;
    const headers = { 'idempotency-key': 'k' };
    await auth.send('POST', '/v1/api-keys', { token, body: { name: 'k' }, headers });
    await auth.refresh(token);
  });

  it.each(['account', 'session', 'token_rotation', 'api_key', 'idempotency_reply'])(
    'O5 sees no row of %s without an account, nor as another account',
    async (table) => {
      expect(await count(auth.owner, table)).toBeGreaterThan(0);
      expect(await count(api, table)).toBe(0);
      expect(await api.transaction((tx) => count(tx, table), { accountId: stranger })).toBe(0);
      expect(await api.transaction((tx) => count(tx, table), { accountId })).toBeGreaterThan(0);
    },
  );

  it.each(['signing_key', 'api_key_directory_v1', 'ended_session_v1', 'account_directory_v1'])(
    'may not read %s',
    async (table) => {
      await expect(count(api, table)).rejects.toThrow(/permission denied/);
    },
  );

  it('may not move a row to another account', async () => {
    const steal = `update auth.session set account_id = '${stranger}'`;
    await expect(api.transaction((tx) => tx.query(steal), { accountId })).rejects.toThrow(/row-level security/);
  });
});

// e2e/isolation tries more than 60 forged tokens at each route.
describe('F67 a token', () => {
  beforeAll(async () => {
    key = await readRealKey(auth);
  });

  it('that has expired passes at refresh alone', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    const others = routesOf('auth').filter(({ access }) => access !== 'public' && access !== 'refresh');
    for (const { method, path } of others) {
      const body = { name: 'k', current_password: 'x', new_password: 'a good new password' };
      const id = '01900000-0000-7000-8000-000000000000';
      const request = { token, ...(method === 'POST' && { body }) };
      expect(await auth.send(method, path.replace('{id}', id), request)).toMatchObject(refusal(401, 'unauthorized'));
    }
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('F302 that the key of OAuth signed is no session, whatever it claims', async () => {
    const { token } = await auth.signUp();
    const oauthKey = await readRealKey(auth, 'oauth');
    const [header, claims] = partsOf(token);
    const forged = signToken(oauthKey, { ...Object(header), kid: oauthKey.keyId }, claims);
    expect(await auth.me(signToken(key, header, claims))).toMatchObject({ status: 200 });
    for (const ask of [auth.me, auth.refresh]) expect(await ask(forged)).toMatchObject(refusal(401, 'unauthorized'));
  });

  it('with a good signature, of a session that is not there or another account’s, refreshes nothing', async () => {
    const [{ token: ada }, { token: bob }] = [await auth.signUp(), await auth.signUp()];
    const [header, claims] = partsOf(ada);
    for (const change of [{ sid: '01900000-0000-7000-8000-000000000000' }, { sub: claimsOf(bob).sub }])
      expect(await auth.refresh(signToken(key, header, { ...claimsOf(ada), ...change }))).toMatchObject({
        status: 401,
      });
    expect(await auth.refresh(signToken(key, header, claims))).toMatchObject({ status: 200 });
    expect(await auth.refresh(bob)).toMatchObject({ status: 200 });
  });
});
