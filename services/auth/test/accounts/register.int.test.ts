import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startAuth, type AuthUnderTest, type TokenBody } from '../support/auth-under-test.ts';

const path = '/v1/auth/register';
const password = 'correct horse battery';
let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const register = (body: unknown) => auth.send<TokenBody>('POST', path, { body });

describe('201', () => {
  it('answers with a token that is at once good for the new account', async () => {
    const { status, body, headers } = await register({ email: 'new@example.com', password });
    expect(status).toBe(201);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3_600 });
    expect(headers.get('cache-control')).toBe('no-store');
    const me = await auth.send('GET', '/v1/auth/me', { token: body.access_token });
    expect(me).toMatchObject({ status: 200, body: { email: 'new@example.com' } });
  });

  it('takes the e-mail trimmed and in lower case, and the password as sent', async () => {
    expect(await register({ email: ' Mixed@Example.COM\n', password: '  blanks around  ' })).toMatchObject({
      status: 201,
    });
    const login = (body: object) => auth.send('POST', '/v1/auth/login', { body });
    expect(await login({ email: 'mixed@example.com', password: '  blanks around  ' })).toMatchObject({ status: 200 });
    expect(await login({ email: 'mixed@example.com', password: 'blanks around' })).toMatchObject({ status: 401 });
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
    const answer = await register({
      email: 'mass@example.com',
      password,
      account_id: accountId,
      role: 'operator',
      'a b,c': 1,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('account_id,role,a%20b%2Cc');
    const me = await auth.send<{ account_id: string }>('GET', '/v1/auth/me', { token: answer.body.access_token });
    expect(me.body.account_id).not.toBe(accountId);
  });
});

describe('409', () => {
  it('says email_taken, whatever the case and the password', async () => {
    await register({ email: 'taken@example.com', password });
    expect(await register({ email: 'TAKEN@example.com', password: 'another good one' })).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    });
  });

  it('lets exactly one of many concurrent registrations of one e-mail through', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => register({ email: 'race@example.com', password })),
    );
    expect(answers.map((answer) => String(answer.status)).toSorted()).toEqual([
      '201',
      ...Array<string>(11).fill('409'),
    ]);
    const rows = await auth.owner.query(
      `select s.session_id from auth.session s join auth.account a using (account_id) where a.email = 'race@example.com'`,
    );
    expect(rows).toHaveLength(1);
  });
});

describe('400', () => {
  it.each([
    ['no e-mail', { password }, '/email'],
    ['an e-mail that is none', { email: 'ada@', password }, '/email'],
    ['an e-mail of 255 characters', { email: `${'a'.repeat(243)}@example.com`, password }, '/email'],
    ['an e-mail with a line break inside', { email: 'a@example.com\nb@example.com', password }, '/email'],
    ['an e-mail that is a number', { email: 7, password }, '/email'],
    ['a password of 7 characters', { email: 'a@example.com', password: 'seven77' }, '/password'],
    [
      'a password of 7 characters of 2 UTF-16 units',
      { email: 'a@example.com', password: '\u{1f600}'.repeat(7) },
      '/password',
    ],
    ['a password of 129 characters', { email: 'a@example.com', password: 'x'.repeat(129) }, '/password'],
    ['one of the 10,000 commonest', { email: 'a@example.com', password: 'password1' }, '/password'],
    ['the e-mail as password', { email: 'a.long@example.com', password: 'A.Long@example.com' }, '/password'],
    ['a null password', { email: 'a@example.com', password: null }, '/password'],
    ['a NUL in the password', { email: 'a@example.com', password: 'eight\u0000chars' }, '/password'],
  ])('refuses %s with its pointer', async (_title, body, pointer) => {
    const answer = await register(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  it.each(['[]', '"text"', 'null', '{', ''])('refuses the body %p', async (rawBody) => {
    const answer = await auth.send('POST', path, { rawBody, headers: { 'content-type': 'application/json' } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('415', () => {
  it('refuses what is not JSON in UTF-8', async () => {
    for (const type of ['text/plain', 'application/json; charset=latin1', 'application/x-www-form-urlencoded']) {
      const answer = await auth.send('POST', path, { rawBody: '{}', headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    }
  });
});

describe('413', () => {
  it('refuses a body that no credentials need', async () => {
    const answer = await register({ email: 'a@example.com', password, padding: 'x'.repeat(17_000) });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });
});
