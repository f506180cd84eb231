import { describe, expect, it } from '@jest/globals';
import { authSuite, refusal } from '../support/auth-under-test.ts';

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
