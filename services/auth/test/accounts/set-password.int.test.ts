import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { setPassword } from '../../src/operator.ts';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const password = 'a new one for whoever forgot';
let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

const set = (email: string, newPassword = password) =>
  setPassword(auth.config, { clock: auth.clock, log }, { email, password: newPassword });

describe('setPassword', () => {
  it('lets the account sign in with it, and ends all its sessions within 1 s', async () => {
    const { email, token } = await auth.signUp();
    await set(email);
    await eventually(async () => (await auth.send('GET', '/v1/auth/me', { token })).status === 401, {
      withinMs: 1_000,
    });
    expect(await auth.send('POST', '/v1/auth/login', { body: { email, password } })).toMatchObject({ status: 200 });
  });

  it('takes the e-mail as it may be typed', async () => {
    const { email } = await auth.signUp();
    await set(` ${email.toUpperCase()} `);
    expect(await auth.send('POST', '/v1/auth/login', { body: { email, password } })).toMatchObject({ status: 200 });
  });

  it('says so when there is no such account, and when the password will not do', async () => {
    await expect(set('nobody@example.com')).rejects.toMatchObject({ kind: 'not_found' });
    await expect(set('not an e-mail')).rejects.toMatchObject({ kind: 'not_found' });
    const { email } = await auth.signUp();
    await expect(set(email, 'password1')).rejects.toMatchObject({ kind: 'invalid' });
  });
});
