import { beforeAll, describe, expect, it } from '@jest/globals';
import { routesOf } from '@tollgate/contracts/routes/routes';
import { signToken, type RealKey } from '@tollgate/testkit/forged-tokens';
import { authSuite, refusal } from '../support/auth-under-test.ts';
import { readRealKey } from '../support/real-key.ts';

const auth = authSuite();
let key: RealKey;

beforeAll(async () => {
  key = await readRealKey(auth);
});

/** Header and claims of a token, as text. */
const partsOf = (token: string) =>
  token.split('.', 2).map((part) => Buffer.from(part, 'base64url').toString('utf8')) as [string, string];
const claimsOf = (token: string) => JSON.parse(partsOf(token)[1]) as { readonly sub: string };

// e2e/isolation tries more than 60 forged tokens at each route.
describe('F67 a token', () => {
  it('that has expired passes at refresh alone', async () => {
    const { token } = await auth.signUp();
    auth.clock.advance(3_600_000);
    const others = routesOf('auth').filter(({ access }) => access !== 'public' && access !== 'refresh');
    for (const { method, path } of others) {
      const body = { name: 'k', current_password: 'x', new_password: 'a good new password' };
      const id = '01900000-0000-7000-8000-000000000000';
      const request = { token, ...(method === 'POST' && { body }) };
      expect(await auth.send(method, path.replace('{id}', id), request)).toMatchObject(refusal(401, 'unauthorized'));
    }
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('with a good signature, of a session that is not there or another account’s, refreshes nothing', async () => {
    const [{ token: ada }, { token: bob }] = [await auth.signUp(), await auth.signUp()];
    const [header, claims] = partsOf(ada);
    for (const change of [{ sid: '01900000-0000-7000-8000-000000000000' }, { sub: claimsOf(bob).sub }])
      expect(await auth.refresh(signToken(key, header, { ...claimsOf(ada), ...change }))).toMatchObject({
        status: 401,
      });
    expect(await auth.refresh(signToken(key, header, claims))).toMatchObject({ status: 200 });
    expect(await auth.refresh(bob)).toMatchObject({ status: 200 });
  });
});
