import { dayMs } from '@tollgate/kernel/durations';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { authSuite, refusal, type AuthUnderTest } from '../support/auth-under-test.ts';

const auth = authSuite();
let other: AuthUnderTest;

beforeAll(async () => {
  other = await auth.startBeside();
});

const refresh = (token: string) => auth.refresh(token);
const refreshed = async (token: string) => (await auth.refresh(token)).body.access_token;

/** Every answer is 200 with one and the same token. */
function expectOneSuccessor(answers: readonly { status: number; body: { access_token: string } }[]): string {
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  const [successor = '', ...others] = new Set(answers.map((answer) => answer.body.access_token));
  expect(others).toEqual([]);
  return successor;
}

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
