import { dayMs } from '@tollgate/kernel/durations';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { authSuite, refusal, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

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

const auth = authSuite();
let other: AuthUnderTest;

beforeAll(async () => {
  other = await auth.startBeside();
});

const list = async (token: string, query = '') =>
  (await auth.send<SessionList>('GET', `/v1/auth/sessions${query}`, { token })).body;
const end = (id: string, token: string) => auth.send('DELETE', `/v1/auth/sessions/${id}`, { token });

async function signInAgain(ada: SignedUp): Promise<string> {
  auth.clock.advance(1_000);
  return (await auth.login(ada)).body.access_token;
}

describe('F136 an account’s own sessions', () => {
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
