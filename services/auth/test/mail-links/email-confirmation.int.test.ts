import { describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { authSuite } from '../support/auth-under-test.ts';
import { formOf, lettersOf, mailSettings, tokenIn } from '../support/letters.ts';

const auth = authSuite({ settings: mailSettings });
const confirm = (token: string) => auth.send('POST', '/email-confirmation', formOf({ token }));
const isVerified = async (token: string) => (await auth.me(token)).body.email_verified;

describe('an e-mail address', () => {
  it('is confirmed by the link of the mail that a registration sends, once, and not by looking at it', async () => {
    await auth.owner.query('delete from auth.letter');
    const ada = await auth.signUp();
    expect(await isVerified(ada.token)).toBe(false); // and nothing is refused for it
    const [letter] = await lettersOf(auth, 'email_confirmation');
    expect(letter?.link).toMatch(/^https:\/\/tollgate\.example\/app\/email-confirmation\?token=/);
    const token = tokenIn(letter?.link ?? '');
    const shown = await auth.send('GET', `/email-confirmation?token=${token}`, {});
    expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Confirm the address')]);
    expect(await isVerified(ada.token)).toBe(false);
    expect((await confirm(token)).status).toBe(200);
    expect(await isVerified(ada.token)).toBe(true);
    expect((await confirm(token)).status).toBe(404);
    expect((await auth.send('GET', `/email-confirmation?token=${token}`, {})).status).toBe(404);
    const acts = await auth.owner.query("select actor from audit.act where action = 'email.confirmed'");
    expect(acts).toEqual([{ actor: 'nobody' }]);
  });

  it('gets another link when its owner asks, until it is confirmed; a bounce is lifted by following it', async () => {
    const ada = await auth.signUp();
    const ask = async () => (await auth.post('/v1/auth/email-confirmation', undefined, ada.token)).status;
    await auth.owner.query('delete from auth.letter');
    await auth.owner.query('update auth.account set email_bounced_at = now() where email = $1', [ada.email]);
    expect((await auth.me(ada.token)).body.email_bounced_at).toEqual(expect.any(String));
    expect(await ask()).toBe(204);
    const [letter] = await lettersOf(auth, 'email_confirmation');
    await confirm(tokenIn(letter?.link ?? ''));
    expect((await auth.me(ada.token)).body).toMatchObject({ email_verified: true, email_bounced_at: null });
    expect(await ask()).toBe(204);
    expect(await lettersOf(auth, 'email_confirmation')).toHaveLength(1); // nothing is left to confirm
  });

  it('is not confirmed after three days, and the sweep forgets the link and a letter that nobody took', async () => {
    await auth.owner.query('delete from auth.letter');
    const ada = await auth.signUp();
    const [letter] = await lettersOf(auth, 'email_confirmation');
    auth.realTime.advance(3 * dayMs);
    expect((await confirm(tokenIn(letter?.link ?? ''))).status).toBe(404);
    expect(await isVerified(ada.token)).toBe(false);
    const worker = auth.connectAs('auth_worker');
    const sweep = createSweepExpired({
      worker,
      clock: auth.clock,
      realTime: auth.realTime,
      accessTokenTtlMs: 3_600_000,
    });
    await sweep();
    expect(await auth.owner.query('select from auth.mail_link')).toEqual([]);
    expect(await auth.owner.query('select from auth.letter')).toEqual([]);
  });
});

it('a password that is changed is told by mail', async () => {
  const ada = await auth.signUp();
  await auth.owner.query('delete from auth.letter');
  const change = { current_password: ada.password, new_password: 'another horse battery' };
  expect((await auth.post('/v1/auth/password', change, ada.token)).status).toBe(204);
  expect(await lettersOf(auth)).toMatchObject([{ type: 'password.changed', link: undefined }]);
});
