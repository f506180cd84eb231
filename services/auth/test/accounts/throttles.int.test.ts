import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAuth, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;
let ada: SignedUp;

// Whoever is asked through the proxy names its client itself, so a test can be many.
beforeAll(async () => {
  auth = await startAuth({
    settings: {
      TRUSTED_PROXIES: '127.0.0.1',
      LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: '10',
      LOGINS_PER_ADDRESS_PER_MINUTE: '100',
      REGISTRATIONS_PER_ADDRESS_PER_MINUTE: '600',
      PASSWORD_HASHES_WAITING_MAX: '10000',
    },
  });
  ada = await auth.signUp();
});
afterAll(() => auth.stop());

const from = (address: string) => ({ 'x-forwarded-for': address });
const login = (email: string, password: string, address: string) =>
  auth.send('POST', '/v1/auth/login', { body: { email, password }, headers: from(address) });
const statuses = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('F70 throttles', () => {
  it('let 10 tries a minute of one account from one address, however many come at once; the owner is not locked out', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => login(ada.email, 'wrong password', '203.0.113.1')),
    );
    expect(statuses(answers, 401)).toBe(10);
    const refused = answers.find((answer) => answer.status === 429);
    expect(refused).toMatchObject({ body: { code: 'rate_limit_exceeded' } });
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

  it('let 100 sign-ins a minute from one address, also of as many accounts (stuffing)', async () => {
    const tries = Array.from({ length: 110 }, (_, index) =>
      login(`stuffed${index}@example.com`, 'wrong password', '203.0.113.3'),
    );
    const answers = await Promise.all(tries);
    expect(statuses(answers, 429)).toBe(10);
  });

  it('count an IPv6 network as one address', async () => {
    const tries = Array.from({ length: 15 }, (_, index) =>
      login(ada.email, 'wrong password', `2001:db8:0:1::${index + 1}`),
    );
    expect(statuses(await Promise.all(tries), 429)).toBe(5);
  });

  it('judge before the body is read, so that malformed tries count too', async () => {
    const tries = Array.from({ length: 101 }, () =>
      auth.send('POST', '/v1/auth/login', { body: {}, headers: from('203.0.113.4') }),
    );
    expect(statuses(await Promise.all(tries), 429)).toBe(1);
  });

  it('let 600 registrations a minute from one address', async () => {
    const tries = Array.from({ length: 605 }, () =>
      auth.send('POST', '/v1/auth/register', { body: {}, headers: from('203.0.113.5') }),
    );
    const answers = await Promise.all(tries);
    expect(statuses(answers, 400)).toBe(600);
    expect(statuses(answers, 429)).toBe(5);
  });

  it('hold for the current password of a stolen session too', async () => {
    const bob = await auth.signUp();
    const guess = () =>
      auth.send('POST', '/v1/auth/password', {
        token: bob.token,
        body: { current_password: 'guess', new_password: 'a good new password' },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, guess));
    expect(statuses(answers, 429)).toBe(2);
  });
});

describe('F70 hash flood', () => {
  it('is answered 503 beyond the queue, at once, and nobody waits for ever', async () => {
    const narrow = await startAuth({
      beside: auth,
      settings: { PASSWORD_HASHES_CONCURRENT_MAX: '1', PASSWORD_HASHES_WAITING_MAX: '4' },
    });
    const flood = Array.from({ length: 60 }, (_, index) =>
      narrow.send('POST', '/v1/auth/login', {
        body: { email: `flood${index}@example.com`, password: 'wrong password' },
      }),
    );
    const answers = await Promise.all(flood);
    expect(statuses(answers, 401)).toBeGreaterThanOrEqual(5);
    expect(statuses(answers, 401) + statuses(answers, 503)).toBe(60);
    const refused = answers.find((answer) => answer.status === 503);
    expect(refused).toMatchObject({ body: { code: 'unavailable' } });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(
      await narrow.send('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } }),
    ).toMatchObject({ status: 200 });
    await narrow.stop();
  });
});
