import { beforeAll, describe, expect, it } from '@jest/globals';
import { routesOf } from '@tollgate/contracts/routes';
import { forgeTokens, signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';
import { readRealKey } from '../support/real-key.ts';

const auth = authSuite();
const guarded = routesOf('auth').filter((route) => route.access !== 'public');
let ada: SignedUp;
let key: RealKey;

beforeAll(async () => {
  ada = await auth.signUp();
  key = await readRealKey(auth);
});

function call(route: (typeof guarded)[number], authorization: string) {
  const path = route.path.replace('{id}', '01900000-0000-7000-8000-000000000000');
  const body = { name: 'k', current_password: 'x', new_password: 'a good new password' };
  return auth.send(route.method, path, { headers: { authorization }, ...(route.method === 'POST' && { body }) });
}

/** Header and claims of a token, as text. */
const partsOf = (token: string) =>
  token.split('.', 2).map((part) => Buffer.from(part, 'base64url').toString('utf8')) as [string, string];
const claimsOf = (token: string) => JSON.parse(partsOf(token)[1]) as { readonly sub: string };

describe('F67 forged tokens', () => {
  it('are more than 60, and made by a forger who can make a good token', async () => {
    expect(forgeTokens(key, ada.token).length).toBeGreaterThan(60);
    const remade = signToken(key, ...partsOf(ada.token));
    expect(remade).not.toBe(ada.token);
    expect(await auth.me(remade)).toMatchObject({ status: 200 });
  });

  it.each(guarded.map((route) => [`${route.method} ${route.path}`, route] as const))(
    'are refused by %s with 401, all alike, and so is a good token in a header of another form',
    async (_title, route) => {
      const forms = [ada.token, `Basic ${ada.token}`, `Bearer ${ada.token} x`, `x Bearer ${ada.token}`];
      const headers = [...forms, 'Bearer', `Bearer ${ada.token},Bearer ${ada.token}`, ''];
      const forged = [
        ...forgeTokens(key, ada.token).map(({ title, token }) => ({ title, authorization: `Bearer ${token}` })),
        ...headers.map((authorization) => ({ title: `the header ${authorization}`, authorization })),
      ];
      for (const { title, authorization } of forged) {
        const { status, body } = await call(route, authorization);
        expect({ title, status, code: body['code'] }).toEqual({ title, status: 401, code: 'unauthorized' });
      }
    },
  );

  it('F67 an expired token passes at refresh alone', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    for (const route of guarded.filter(({ access }) => access !== 'refresh'))
      expect(await call(route, `Bearer ${token}`)).toMatchObject(refusal(401, 'unauthorized'));
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('F67 a good signature over a session that is not there, or another account’s, refreshes nothing', async () => {
    const bob = await auth.signUp();
    const [header] = partsOf(ada.token);
    for (const change of [{ sid: '01900000-0000-7000-8000-000000000000' }, { sub: claimsOf(bob.token).sub }]) {
      const token = signToken(key, header, { ...claimsOf(ada.token), ...change });
      expect(await auth.refresh(token)).toMatchObject({ status: 401 });
    }
    expect(await auth.refresh(bob.token)).toMatchObject({ status: 200 });
  });
});
