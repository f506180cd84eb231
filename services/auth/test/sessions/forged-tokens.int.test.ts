import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { routesOf } from '@tollgate/contracts/routes';
import { forgeTokens, signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import { startAuth, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';
import { readRealKey } from '../support/real-key.ts';

let auth: AuthUnderTest;
let ada: SignedUp;
let key: RealKey;

beforeAll(async () => {
  auth = await startAuth();
  ada = await auth.signUp();
  key = await readRealKey(auth);
});
afterAll(() => auth.stop());

const guarded = routesOf('auth').filter((route) => route.access !== 'public');

function call(route: (typeof guarded)[number], token: string) {
  const path = route.path.replace('{id}', '01900000-0000-7000-8000-000000000000');
  const body =
    route.method === 'POST' ? { body: { name: 'k', current_password: 'x', new_password: 'a good new password' } } : {};
  return auth.send(route.method, path, { token, ...body });
}

describe('F67 forged tokens', () => {
  it('are more than 60, and made by a forger who can make a good one', async () => {
    expect(forgeTokens(key, ada.token).length).toBeGreaterThan(60);
    const [header, claims] = ada.token.split('.').map((part) => Buffer.from(part, 'base64url').toString('utf8'));
    const remade = signToken(key, header, claims);
    expect(remade).not.toBe(ada.token);
    expect(await auth.send('GET', '/v1/auth/me', { token: remade })).toMatchObject({ status: 200 });
  });

  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'are refused by %s with 401, all alike',
    async (_title, route) => {
      for (const { title, token } of forgeTokens(key, ada.token)) {
        const answer = await call(route, token);
        expect({ title, status: answer.status, code: answer.body['code'] }).toEqual({
          title,
          status: 401,
          code: 'unauthorized',
        });
      }
    },
  );

  it('F67 an expired token passes at refresh alone', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    for (const route of guarded.filter(({ access }) => access !== 'refresh')) {
      expect(await call(route, token)).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
    }
    expect(await auth.send('POST', '/v1/auth/refresh', { token })).toMatchObject({ status: 200 });
  });

  it('F67 a good signature over a session that is not there, or another account’s, refreshes nothing', async () => {
    const [header = '', claims = ''] = ada.token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString('utf8'));
    const bob = await auth.signUp();
    const bobs = JSON.parse(Buffer.from(bob.token.split('.')[1] ?? '', 'base64url').toString('utf8')) as {
      sub: string;
    };
    for (const change of [{ sid: '01900000-0000-7000-8000-000000000000' }, { sub: bobs.sub }]) {
      const token = signToken(key, header, { ...(JSON.parse(claims) as object), ...change });
      expect(await auth.send('POST', '/v1/auth/refresh', { token })).toMatchObject({ status: 401 });
    }
    expect(await auth.send('POST', '/v1/auth/refresh', { token: bob.token })).toMatchObject({ status: 200 });
  });
});
