import { dayMs } from '@tollgate/kernel/durations';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startAuth, type AuthUnderTest, type TokenBody } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;
let other: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
  other = await startAuth({ beside: auth });
});
afterAll(async () => {
  await other.stop();
  await auth.stop();
});

const refreshAt = (service: AuthUnderTest, token: string) =>
  service.send<TokenBody>('POST', '/v1/auth/refresh', { token });
const refresh = (token: string) => refreshAt(auth, token);
const waitingForLocks = async () => {
  const waiting = `select pid from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;
  return (await auth.owner.query(waiting)).length;
};
const meStatus = async (token: string) => (await auth.send('GET', '/v1/auth/me', { token })).status;

describe('200', () => {
  it('exchanges a valid token for another that works', async () => {
    const { token } = await auth.signUp();
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
    expect(body.access_token).not.toBe(token);
    expect(await meStatus(body.access_token)).toBe(200);
  });

  it('exchanges an expired token, up to 30 days after the last refresh', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(30 * dayMs - 60_000);
    expect(await meStatus(token)).toBe(401);
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expect(await meStatus(body.access_token)).toBe(200);
    auth.clock.advance(30 * dayMs - 60_000);
    expect(await refresh(body.access_token)).toMatchObject({ status: 200 });
  });

  it('needs no body and ignores one', async () => {
    const { token } = await auth.signUp();
    const answer = await auth.send('POST', '/v1/auth/refresh', {
      token,
      rawBody: '{"x":',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 200 });
  });

  it('F68 answers 40 callers at once, in two processes, with one and the same successor, which can be refreshed', async () => {
    const { token } = await auth.signUp();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => refreshAt(index % 2 === 0 ? auth : other, token)),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const successors = new Set(answers.map((answer) => answer.body.access_token));
    expect(successors.size).toBe(1);
    expect(await refresh([...successors][0] ?? '')).toMatchObject({ status: 200 });
  });

  it('F68 lets one of those win who all found the token to be the newest, and gives the others its token', async () => {
    const { token } = await auth.signUp();
    // The row is held until several wait for it: they have read the session, and decided, before any of them wrote.
    const refreshing = auth.owner.transaction(async (tx) => {
      await tx.query('select session_id from auth.session for update');
      const answers = Promise.all(Array.from({ length: 12 }, () => refresh(token)));
      await eventually(async () => (await waitingForLocks()) >= 4, { withinMs: 1_500 });
      return { answers };
    });
    const answers = await (await refreshing).answers;
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body.access_token)).size).toBe(1);
  });

  it('F68 repeats the successor 9 s after the rotation, and the session goes on', async () => {
    const { token } = await auth.signUp();
    const first = await refresh(token);
    auth.clock.advance(9_000);
    const again = await refreshAt(other, token);
    expect(again).toMatchObject({ status: 200, body: { access_token: first.body.access_token } });
    expect(again.body.expires_in).toBeLessThan(first.body.expires_in);
    expect(await refresh(first.body.access_token)).toMatchObject({ status: 200 });
  });

  it('F68 repeats the successor also where it has been replaced itself meanwhile', async () => {
    const { token } = await auth.signUp();
    const second = (await refresh(token)).body.access_token;
    const third = (await refresh(second)).body.access_token;
    expect((await refresh(token)).body.access_token).toBe(second);
    expect((await refresh(second)).body.access_token).toBe(third);
  });
});

describe('401', () => {
  it('F68 ends the session when a replaced token comes back 11 s later: nothing of the lineage is good any more', async () => {
    const { token } = await auth.signUp();
    const successor = (await refresh(token)).body.access_token;
    auth.clock.advance(11_000);
    expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    expect(await refresh(successor)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    await eventually(async () => (await meStatus(successor)) === 401, { withinMs: 1_000 });
  });

  it('F68 ends the session for a token replaced long ago, but no other session of the account', async () => {
    const { email, password, token } = await auth.signUp();
    const elsewhere = await auth.send<TokenBody>('POST', '/v1/auth/login', { body: { email, password } });
    let newest = token;
    for (let round = 0; round < 3; round += 1) {
      newest = (await refresh(newest)).body.access_token;
      auth.clock.advance(30_000);
    }
    expect(await refresh(token)).toMatchObject({ status: 401 });
    expect(await refresh(newest)).toMatchObject({ status: 401 });
    expect(await refresh(elsewhere.body.access_token)).toMatchObject({ status: 200 });
  });

  it('refuses after 30 days without a refresh', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(30 * dayMs);
    expect(await refresh(token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });

  it('refuses without a token', async () => {
    expect(await auth.send('POST', '/v1/auth/refresh')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });
});

describe('403', () => {
  it('refuses an API key, which has no session', async () => {
    const { token } = await auth.signUp();
    const { body } = await auth.send<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } });
    expect(await auth.send('POST', '/v1/auth/refresh', { token: body.key })).toMatchObject({
      status: 403,
      body: { code: 'forbidden' },
    });
  });
});

describe('what is stored', () => {
  it('shows no token: successors are sealed', async () => {
    const { token } = await auth.signUp();
    const successor = (await refresh(token)).body.access_token;
    const rows = await auth.owner.query<{ successor_sealed: Buffer }>(
      'select successor_sealed from auth.token_rotation',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.some((row) => row.successor_sealed.includes(successor.slice(-20)))).toBe(false);
  });
});
