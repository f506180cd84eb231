import { describe, expect, it } from '@jest/globals';
import { authSuite, refusal, type TokenBody } from '../support/auth-under-test.ts';

const password = 'correct horse battery';
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
