import { expect, it } from '@jest/globals';
import { authSuite, type KeyBody, type TokenBody } from '../support/auth-under-test.ts';

const auth = authSuite();

it('F76 writes no password, token, key, hash or e-mail to the log, whatever goes right or wrong', async () => {
  const canary = 'canary-7f3a9c';
  const credentials = { email: `${canary}-mail@example.com`, password: `${canary}-password` };
  const { body: registered } = await auth.post<TokenBody>('/v1/auth/register', credentials);
  await auth.post('/v1/auth/register', credentials);
  const malformed = { email: `${canary} no mail`, password: [canary], [`${canary}-field`]: canary };
  await auth.post('/v1/auth/register', malformed);
  await auth.login({ ...credentials, password: `${canary}-wrong` });
  const token = (await auth.refresh(registered.access_token)).body.access_token;
  const { body: apiKey } = await auth.post<KeyBody>('/v1/api-keys', { name: `${canary}-name` }, token);
  await auth.post('/v1/api-keys', { name: 'k' }, apiKey.key);
  await auth.send('GET', `/v1/api-keys?cursor=${canary}`, { token });
  await auth.me(`${registered.access_token}x`);
  await auth.me(`tg_live_${canary}`);
  const change = { current_password: `${canary}-wrong`, new_password: `${canary}-new` };
  await auth.post('/v1/auth/password', change, token);
  await auth.logout(token);
  const known = [canary, '$argon2', 'PRIVATE KEY', auth.config.AUTH_KEY_ENCRYPTION_SECRET];
  const secrets = [...known, registered.access_token, token, apiKey.key];
  for (const secret of secrets) expect(auth.logged()).not.toContain(secret);
  expect(auth.logged()).toContain('answered');
});

it('F76 writes one line per fact, whatever is in the path and the headers', async () => {
  await fetch(`${auth.baseUrl}/v1/auth/%0d%0a%7B%22level%22:%22forged%22%7D`, { headers: { 'x-request-id': 'a b"c' } });
  const lines = auth.logged().trimEnd().split('\n');
  const levels = lines.map((line) => (JSON.parse(line) as { level: string }).level);
  expect(levels).not.toContain('forged');
});
