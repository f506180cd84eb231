import { beforeAll, describe, expect, it } from '@jest/globals';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';

// The test stands behind a trusted proxy: it names the address of its client, so it can be many clients.
const auth = authSuite({
  settings: {
    TRUSTED_PROXIES: '127.0.0.1',
    LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: '10',
    LOGINS_PER_ADDRESS_PER_MINUTE: '100',
    REGISTRATIONS_PER_ADDRESS_PER_MINUTE: '600',
    PASSWORD_HASHES_WAITING_MAX: '10000',
  },
});
let ada: SignedUp;

beforeAll(async () => {
  ada = await auth.signUp();
});

const wrong = 'wrong password';
const send = (path: string, body: unknown, address: string) =>
  auth.send('POST', path, { body, headers: { 'x-forwarded-for': address } });
const login = (email: string, password: string, address: string) =>
  send('/v1/auth/login', { email, password }, address);
const times = <Answer>(length: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => call(index)));
const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('F70 throttles', () => {
  it('let 10 tries per minute of one account from one address, however many come at once; the owner is not locked out', async () => {
    const answers = await times(30, () => login(ada.email, wrong, '203.0.113.1'));
    expect(count(answers, 401)).toBe(10);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0');
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(await login(ada.email, ada.password, '203.0.113.1')).toMatchObject({ status: 429 });
    expect(await login(ada.email, ada.password, '203.0.113.2')).toMatchObject({ status: 200 });
  });

  it('do not end because the movable clock is moved', async () => {
    auth.clock.advance(120_000);
    expect(await login(ada.email, ada.password, '203.0.113.1')).toMatchObject({ status: 429 });
  });

  it('let 100 sign-ins per minute from one address, also of as many accounts (stuffing)', async () => {
    const answers = await times(110, (index) => login(`stuffed${index}@example.com`, wrong, '203.0.113.3'));
    expect(count(answers, 429)).toBe(10);
  });

  it('count an IPv6 network as one address', async () => {
    const answers = await times(15, (index) => login(ada.email, wrong, `2001:db8:0:1::${index + 1}`));
    expect(count(answers, 429)).toBe(5);
  });

  it('judge before the body is read, so that malformed tries count too', async () => {
    const answers = await times(101, () => send('/v1/auth/login', {}, '203.0.113.4'));
    expect(count(answers, 429)).toBe(1);
  });

  it('let 600 registrations per minute from one address', async () => {
    const answers = await times(605, () => send('/v1/auth/register', {}, '203.0.113.5'));
    expect(count(answers, 400)).toBe(600);
    expect(count(answers, 429)).toBe(5);
  });

  it('hold for the current password of a stolen session too', async () => {
    const { token } = await auth.signUp();
    const guess = { current_password: 'guess', new_password: 'a good new password' };
    const answers = await times(12, () => auth.post('/v1/auth/password', guess, token));
    expect(count(answers, 429)).toBe(2);
  });
});

describe('F70 a flood of hashes', () => {
  it('is answered 503 beyond the queue, at once, and nobody waits for ever', async () => {
    const settings = { PASSWORD_HASHES_CONCURRENT_MAX: '1', PASSWORD_HASHES_WAITING_MAX: '4' };
    const narrow = await auth.startBeside({ settings });
    const answers = await times(60, (index) => narrow.login({ email: `flood${index}@example.com`, password: wrong }));
    expect(count(answers, 401)).toBeGreaterThanOrEqual(5);
    expect(count(answers, 401) + count(answers, 503)).toBe(60);
    const refused = answers.find((answer) => answer.status === 503);
    expect(refused).toMatchObject(refusal(503, 'unavailable'));
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await narrow.login(ada)).toMatchObject({ status: 200 });
    await narrow.stop();
  });
});
