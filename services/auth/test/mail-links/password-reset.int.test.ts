import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hourMs } from '@tollgate/kernel/durations';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';
import { formOf, lettersOf, mailSettings, tokenIn } from '../support/letters.ts';
import { totpOf } from '../support/totp-of.ts';

const auth = authSuite({ settings: mailSettings });
let ada: SignedUp;

beforeEach(async () => {
  ada = await auth.signUp();
  await auth.owner.query('delete from auth.letter');
});

const ask = (email = ada.email) => auth.send('POST', '/v1/auth/password-reset', { body: { email } });
const press = (fields: Readonly<Record<string, string>>) => auth.send('POST', '/password-reset', formOf(fields));
const set = (token: string, password = 'a wholly other horse', code = '') =>
  press({ answer: 'set', token, password, code });
const linkFor = async (email = ada.email) => {
  expect((await ask(email)).status).toBe(204);
  const [letter] = await lettersOf(auth, 'password_reset');
  return tokenIn(letter?.link ?? '');
};
const statusOf = async (password: string) => (await auth.login({ email: ada.email, password })).status;

describe('a forgotten password', () => {
  it('is replaced by the link of a mail, which ends all sessions and confirms the address', async () => {
    const token = await linkFor();
    const shown = await auth.send('GET', `/password-reset?token=${token}`, {});
    expect(shown).toMatchObject({ status: 200, text: expect.stringContaining(ada.email) });
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(shown.headers.get('referrer-policy')).toBe('no-referrer');
    expect(shown.text).not.toContain('<script');
    expect(shown.text).not.toContain('name="code"');
    expect(await set(token)).toMatchObject({ status: 200, text: expect.stringContaining('The password is set') });
    await auth.untilRefused(ada.token);
    expect([await statusOf(ada.password), await statusOf('a wholly other horse')]).toEqual([401, 200]);
    const again = await auth.login({ email: ada.email, password: 'a wholly other horse' });
    expect((await auth.me(again.body.access_token)).body).toMatchObject({ email_verified: true });
    expect(await lettersOf(auth, 'password.changed')).toMatchObject([{ link: undefined }]);
    expect(auth.logged()).not.toContain(token);
  });

  it('F334 is replaced once by one link, also of many at once, and no other link of before is good then', async () => {
    const [other, token] = [await linkFor(), await linkFor()];
    const pressed = await Promise.all(Array.from({ length: 4 }, (_, each) => set(token, `a horse of number ${each}`)));
    expect(pressed.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404]);
    expect((await set(token)).status).toBe(404);
    expect((await set(other)).status).toBe(404);
    expect((await auth.send('GET', `/password-reset?token=${token}`, {})).status).toBe(404);
  });

  it('F334 is not replaced after an hour, by a link of another kind, or by a guess', async () => {
    const token = await linkFor();
    const bob = await auth.signUp();
    const [confirmation] = await lettersOf(auth, 'email_confirmation');
    expect((await set(tokenIn(confirmation?.link ?? ''))).status).toBe(404);
    expect((await auth.login({ email: bob.email, password: bob.password })).status).toBe(200);
    for (const guess of ['', 'x', token.slice(0, -1)]) expect((await set(guess)).status).toBe(404);
    auth.realTime.advance(hourMs);
    expect((await set(token)).status).toBe(404);
    expect(await statusOf(ada.password)).toBe(200);
  });

  it('F335 has its link at PUBLIC_URL, whatever host a request names', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'content-type': 'application/json' };
    const asked = request(`${auth.baseUrl}/v1/auth/password-reset`, { method: 'POST', headers });
    asked.end(JSON.stringify({ email: ada.email }));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(204);
    answer.resume();
    const [letter] = await lettersOf(auth, 'password_reset');
    expect(letter?.link).toMatch(/^https:\/\/tollgate\.example\/app\/password-reset\?token=[\w-]{43}$/);
  });

  it('needs a password that a registration would take, and a wrong one leaves the link good', async () => {
    const token = await linkFor();
    for (const bad of ['short', 'password123', ada.email]) {
      const refused = await set(token, bad);
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('The password ')]);
    }
    expect((await set(token)).status).toBe(200);
  });

  it('still asks the second factor, and a wrong code leaves the link good', async () => {
    const totp = await totpOf(auth, ada);
    const token = await linkFor();
    expect((await auth.send('GET', `/password-reset?token=${token}`, {})).text).toContain('name="code"');
    expect(await set(token)).toMatchObject({ status: 403, text: expect.stringContaining('needs a code') });
    const wrong = await set(token, 'a wholly other horse', '000000');
    expect(wrong).toMatchObject({ status: 403, text: expect.stringContaining('The code is wrong') });
    expect(await statusOf('a wholly other horse')).toBe(401);
    expect((await set(token, 'a wholly other horse', totp.nextCode())).status).toBe(200);
    expect(await auth.login({ email: ada.email, password: 'a wholly other horse' })).toMatchObject(
      refusal(401, 'second_factor_required'),
    );
  });
});

describe('who asks for a link', () => {
  it('learns from neither the answer nor the work whether there is an account', async () => {
    const stranger = 'nobody-has-this@example.com';
    const known = await ask();
    const rows = () =>
      auth.owner.query<{ account_id: string | null }>('select account_id from auth.letter order by asked_at');
    const unknown = await ask(stranger);
    expect({ status: unknown.status, text: unknown.text }).toEqual({ status: known.status, text: known.text });
    expect((await rows()).map(({ account_id: id }) => id === null)).toEqual([false, true]); // both have written as much
    const page = (email: string) => press({ answer: 'ask', email });
    expect((await page(stranger)).text).toBe((await page(ada.email)).text);
  });

  it('gets three an hour for one address, known or not', async () => {
    for (const email of [ada.email, 'nobody-has-this-either@example.com']) {
      const statuses = [];
      for (let time = 0; time < 4; time += 1) statuses.push((await ask(email)).status);
      expect(statuses).toEqual([204, 204, 204, 429]);
    }
  });

  it('is told where there is no mail, and no page offers it', async () => {
    const silent = await auth.startBeside({ settings: { PUBLIC_URL: 'https://tollgate.example' } });
    const answer = await silent.post('/v1/auth/password-reset', { email: ada.email });
    expect(answer).toMatchObject({ status: 404, body: { detail: expect.stringContaining('sends no mail') } });
    expect((await silent.send('GET', '/password-reset', {})).status).toBe(404);
    expect((await silent.send('GET', '/device', {})).text).not.toContain('password-reset');
    await silent.signUp('no-mail@example.com');
    expect(await lettersOf(auth)).toEqual([]);
    const asked = await auth.send('GET', '/password-reset', {});
    expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Mail me a link')]);
  });
});
