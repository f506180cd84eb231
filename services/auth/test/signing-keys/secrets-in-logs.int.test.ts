import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startAuth, type AuthUnderTest, type TokenBody } from '../support/auth-under-test.ts';

let auth: AuthUnderTest;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());

it('F76 writes no password, token, key, hash or e-mail to the log, whatever goes right or wrong', async () => {
  const canary = 'canary-7f3a9c';
  const email = `${canary}-mail@example.com`;
  const password = `${canary}-password`;
  const post = (path: string, token: string | undefined, body?: unknown) =>
    auth.send<TokenBody & { key: string; id: string }>('POST', path, {
      ...(token && { token }),
      ...(body !== undefined && { body }),
    });
  const { body: registered } = await post('/v1/auth/register', undefined, { email, password });
  await post('/v1/auth/register', undefined, { email, password });
  await post('/v1/auth/register', undefined, {
    email: `${canary} no mail`,
    password: [canary],
    [`${canary}-field`]: canary,
  });
  await post('/v1/auth/login', undefined, { email, password: `${canary}-wrong` });
  const { body: refreshed } = await post('/v1/auth/refresh', registered.access_token);
  const { body: apiKey } = await post('/v1/api-keys', refreshed.access_token, { name: `${canary}-name` });
  await post('/v1/api-keys', apiKey.key, { name: 'k' });
  await auth.send('GET', `/v1/api-keys?cursor=${canary}`, { token: refreshed.access_token });
  await auth.send('GET', '/v1/auth/me', { token: `${registered.access_token}x` });
  await auth.send('GET', '/v1/auth/me', { token: `tg_live_${canary}` });
  await post('/v1/auth/password', refreshed.access_token, {
    current_password: `${canary}-wrong`,
    new_password: `${canary}-new`,
  });
  await post('/v1/auth/logout', refreshed.access_token);
  const secrets = [
    canary,
    registered.access_token,
    refreshed.access_token,
    apiKey.key,
    '$argon2',
    'PRIVATE KEY',
    auth.config.AUTH_KEY_ENCRYPTION_SECRET,
  ];
  for (const secret of secrets) expect(auth.logged()).not.toContain(secret);
  expect(auth.logged()).toContain('answered');
});

it('F76 writes one line a fact, whatever is in the path and the headers', async () => {
  await fetch(`${auth.baseUrl}/v1/auth/%0d%0a%7B%22level%22:%22forged%22%7D`, { headers: { 'x-request-id': 'a b"c' } });
  const lines = auth.logged().trimEnd().split('\n');
  const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
  expect(levels).not.toContain('forged');
});
