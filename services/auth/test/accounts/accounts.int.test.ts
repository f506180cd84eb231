import { beforeAll, describe, expect, it } from '@jest/globals';
import { type SignedUp, type TokenBody, authSuite, refusal } from '../support/auth-under-test.ts';
import { systemClock } from '@tollgate/kernel/clock';

const password = 'correct horse battery';

const samples = 300;

/** A busy machine may spoil a series, while a difference of the product is in each of them. */
const seriesMax = 3;
const differenceMax = 0.1;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
let ada: SignedUp;

const wrong = 'wrong password';

const times = <Answer>(length: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => call(index)));

const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('register', () => {
  const auth = authSuite();

  const register = (body: unknown) => auth.post<TokenBody>('/v1/auth/register', body);

  describe('201', () => {
    it('answers with a token that the new account can use at once', async () => {
      const { status, body, headers } = await register({ email: 'new@example.com', password });
      expect(status).toBe(201);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
      expect(headers.get('cache-control')).toBe('no-store');
      expect(await auth.me(body.access_token)).toMatchObject({ status: 200, body: { email: 'new@example.com' } });
    });

    it('takes the e-mail trimmed and in lower case, and the password as sent', async () => {
      const credentials = { email: ' Mixed@Example.COM\n', password: '  blanks around  ' };
      expect(await register(credentials)).toMatchObject({ status: 201 });
      expect(await auth.login({ ...credentials, email: 'mixed@example.com' })).toMatchObject({ status: 200 });
      expect(await auth.login({ ...credentials, password: 'blanks around' })).toMatchObject({ status: 401 });
    });

    it('stores the password as argon2id of 19 MiB and two passes', async () => {
      await register({ email: 'hash@example.com', password });
      const [row] = await auth.owner.query<{ password_hash: string }>(
        `select password_hash from auth.account where email = 'hash@example.com'`,
      );
      expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    });

    it('F73 ignores and names fields that nobody may choose', async () => {
      const accountId = '01900000-0000-7000-8000-000000000000';
      const foreign = { account_id: accountId, role: 'operator', 'a b,c': 1 };
      const answer = await register({ email: 'mass@example.com', password, ...foreign });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('x-ignored-fields')).toBe('account_id,role,a%20b%2Cc');
      expect((await auth.me(answer.body.access_token)).body.account_id).not.toBe(accountId);
    });
  });

  describe('409', () => {
    it('says email_taken, whatever the case and the password', async () => {
      await register({ email: 'taken@example.com', password });
      const again = await register({ email: 'TAKEN@example.com', password: 'another good password' });
      expect(again).toMatchObject(refusal(409, 'email_taken'));
    });

    it('lets one of many concurrent registrations of one e-mail through', async () => {
      const racing = Array.from({ length: 12 }, () => register({ email: 'race@example.com', password }));
      const answers = await Promise.all(racing);
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
      const rows = await auth.owner.query(
        `select s.session_id from auth.session s join auth.account a using (account_id) where a.email = 'race@example.com'`,
      );
      expect(rows).toHaveLength(1);
    });
  });

  describe('4xx', () => {
    it.each([
      ['an e-mail that is none', { email: 'ada@', password }, '/email'],
      ['a breached password', { email: 'a@example.com', password: 'password1' }, '/password'],
      ['the e-mail as password', { email: 'a.long@example.com', password: 'A.Long@example.com' }, '/password'],
    ])('refuses %s with its pointer', async (_title, body, pointer) => {
      const answer = await register(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    });

    it('refuses a body that is not JSON, of another type, or larger than any credentials', async () => {
      const send = (rawBody: string, type = 'application/json') =>
        auth.send('POST', '/v1/auth/register', { rawBody, headers: { 'content-type': type } });
      expect(await send('{')).toMatchObject(refusal(400, 'invalid_request'));
      expect(await send('{}', 'text/plain')).toMatchObject(refusal(415, 'unsupported_media_type'));
      expect(await send(`{"padding":"${'x'.repeat(17_000)}"}`)).toMatchObject(refusal(413, 'payload_too_large'));
    });
  });
});

describe('login', () => {
  const auth = authSuite();

  describe('200', () => {
    it('begins a session of its own each time', async () => {
      const { email, password, token } = await auth.signUp();
      const { status, body } = await auth.login({ email: email.toUpperCase(), password });
      expect(status).toBe(200);
      expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
      await auth.logout(body.access_token);
      expect(await auth.me(token)).toMatchObject({ status: 200 });
    });
  });

  describe('401', () => {
    it('gives the same answer for a wrong password and an unknown e-mail', async () => {
      const { email } = await auth.signUp();
      const wrong = await auth.login({ email, password: 'not the password' });
      const unknown = await auth.login({ email: 'nobody@example.com', password: 'not the password' });
      expect(wrong).toMatchObject(refusal(401, 'invalid_credentials'));
      expect({ ...unknown.body, request_id: '' }).toEqual({ ...wrong.body, request_id: '' });
      expect([...unknown.headers.keys()]).toEqual([...wrong.headers.keys()]);
    });

    it('treats a password that could not be registered as a wrong password', async () => {
      const { email } = await auth.signUp();
      expect(await auth.login({ email, password: 'x' })).toMatchObject(refusal(401, 'invalid_credentials'));
    });

    it('F76 takes SQL for text', async () => {
      const { email } = await auth.signUp();
      const answer = await auth.login({ email, password: "' or '1'='1'; drop table auth.account; --" });
      expect(answer).toMatchObject({ status: 401 });
      expect(await auth.owner.query('select 1 from auth.account limit 1')).toHaveLength(1);
    });
  });

  describe('400', () => {
    it('refuses an e-mail that is an object', async () => {
      const answer = await auth.login({ email: { $ne: '' }, password: 'x' });
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer: '/email' }] } });
    });
  });
});

describe('enumeration', () => {
  const auth = authSuite();

  async function timed(email: string): Promise<number> {
    const began = systemClock.monotonicMs();
    expect((await auth.login({ email, password: 'wrong password' })).status).toBe(401);
    return systemClock.monotonicMs() - began;
  }

  /**
   * Measures by how much the medians of interleaved samples differ. The order changes, since the second of a pair may be
   * the faster.
   */
  async function differenceOf(known: string): Promise<number> {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let sample = 0; sample < samples; sample += 1) {
      for (const kind of sample % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const))
        times[kind].push(await timed(kind === 'known' ? known : `nobody${sample}@example.com`));
    }
    return Math.abs(median(times.unknown) / median(times.known) - 1);
  }

  it('F71 takes the same time for an unknown e-mail as for a wrong password: the medians differ by less than 10 %', async () => {
    const { email } = await auth.signUp();
    const differences: number[] = [];
    do differences.push(await differenceOf(email));
    while (Math.min(...differences) >= differenceMax && differences.length < seriesMax);
    expect(Math.min(...differences)).toBeLessThan(differenceMax);
  });
});

describe('throttles', () => {
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

  beforeAll(async () => {
    ada = await auth.signUp();
  });
  const send = (path: string, body: unknown, address: string) =>
    auth.send('POST', path, { body, headers: { 'x-forwarded-for': address } });
  const login = (email: string, password: string, address: string) =>
    send('/v1/auth/login', { email, password }, address);

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
});
