import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { authSuite, operatorToken, refusal, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';
import { createOAuthClient, issuer, putTool } from '../support/oauth-client.ts';
import { plantAccount } from '../support/plant-account.ts';
import { totpOf } from '../support/totp-of.ts';

const mailSecret = 'a secret of these tests that seals the links of mails';
const auth = authSuite({ settings: { PUBLIC_URL: `${issuer}/`, MAIL_SECRET: mailSecret } });
let other: AuthUnderTest;
let ada: SignedUp & { readonly id: string; readonly key: string };

interface Closure {
  readonly account_id: string;
  readonly waits_for: readonly string[];
  readonly erased_at: string | null;
  readonly books_kept_until: string;
}

beforeAll(async () => {
  other = await auth.startBeside();
});
beforeEach(async () => {
  const account = await auth.signUp();
  const { body } = await auth.me(account.token);
  ada = { ...account, id: body.account_id, key: (await auth.createKey(account.token)).key };
});

const close = (body: object = {}, token = ada.token) =>
  auth.send<Closure>('DELETE', '/v1/auth/account', { token, body: { password: ada.password, ...body } });
const invalidCredentials = refusal(401, 'invalid_credentials');
const actsOfAda = async () => {
  const text = `select action || ' ' || result as act from audit.act where account_id = $1 and action like 'account.%' order by act_id`;
  return (await auth.owner.query<{ act: string }>(text, [ada.id])).map(({ act }) => act);
};

describe('F361 closing an account', () => {
  it('F361 ends its credentials at once here, and soon in another process; nobody signs in again', async () => {
    const { status, body } = await close();
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { account_id: ada.id, waits_for: ['month'], erased_at: null },
    });
    expect(body.books_kept_until).toBe(`${new Date(auth.clock.now()).getUTCFullYear() + 10}-12-31`);
    for (const token of [ada.token, ada.key]) expect(await auth.me(token)).toMatchObject({ status: 401 });
    await eventually(async () => (await other.me(ada.key)).status === 401, { withinMs: 1_000 });
    await eventually(async () => (await other.me(ada.token)).status === 401, { withinMs: 1_000 });
    expect(await auth.refresh(ada.token)).toMatchObject({ status: 401 });
    expect(await auth.login(ada)).toMatchObject(invalidCredentials);
    expect(await auth.post('/v1/auth/register', ada)).toMatchObject({ status: 409 });
  });

  it('F361 ends its passes, consents and endpoints, archives its tools, and leaves those of others', async () => {
    await putTool(auth, { toolId: `tool-${ada.id}` });
    const client = await createOAuthClient(auth);
    await client.connect(ada);
    const bob = await auth.signUp();
    const bobsId = (await auth.me(bob.token)).body.account_id;
    for (const id of [ada.id, bobsId]) await plantAccount(auth.owner, id);
    const live = async (accountId: string) => {
      const text = `select
        (select count(*) from gate.pass where account_id = $1 and revoked_at is null)::int as passes,
        (select count(*) from auth.oauth_grant where account_id = $1 and ended_at is null)::int as consents,
        (select count(*) from notify.endpoint where account_id = $1)::int as endpoints,
        (select count(*) from billing.tool where owner_id = $1 and archived_at is null)::int as tools`;
      return (await auth.owner.query<object>(text, [accountId]))[0];
    };
    expect(await live(ada.id)).toEqual({ passes: 2, consents: 2, endpoints: 1, tools: 1 });
    expect(await close()).toMatchObject({ status: 200 });
    expect(await live(ada.id)).toEqual({ passes: 0, consents: 0, endpoints: 0, tools: 0 });
    expect(await live(bobsId)).toEqual({ passes: 1, consents: 1, endpoints: 1, tools: 1 });
  });

  it('F361 needs the password, and the second factor where one is on; else nothing changes', async () => {
    expect(await close({ password: 'not the password' })).toMatchObject(invalidCredentials);
    const totp = await totpOf(auth, ada);
    expect(await close()).toMatchObject(refusal(401, 'second_factor_required'));
    expect(await close({ totp_code: '000000' })).toMatchObject(refusal(401, 'invalid_second_factor'));
    expect(await auth.me(ada.token)).toMatchObject({ status: 200 });
    expect(await close({}, ada.key)).toMatchObject({ status: 403 });
    expect(await close({ totp_code: totp.nextCode() })).toMatchObject({ status: 200 });
    const refused = Array.from({ length: 3 }, () => 'account.closed refused');
    expect(await actsOfAda()).toEqual(['account.registered done', ...refused, 'account.closed done']);
  });

  it('F361 happens once, however often it is asked for at once', async () => {
    const answers = await Promise.all([close(), close(), close()]);
    const [done, ...refused] = answers.map(({ status }) => status).toSorted((left, right) => left - right);
    expect({ done, refused }).toEqual({ done: 200, refused: [401, 401] });
    expect(await close()).toMatchObject({ status: 401 });
    expect((await actsOfAda()).filter((act) => act === 'account.closed done')).toHaveLength(1);
  });

  it('F361 lets no sign-in, no link and no command through that began before', async () => {
    await auth.post('/v1/auth/password-reset', { email: ada.email });
    const links = () => auth.owner.query('select from auth.mail_link where account_id = $1', [ada.id]);
    expect((await links()).length).toBeGreaterThan(0);
    const [signedIn] = await Promise.all([auth.login(ada), close()]);
    const token = signedIn.status === 200 ? signedIn.body.access_token : ada.token;
    expect(await auth.me(token)).toMatchObject({ status: 401 });
    expect(await links()).toHaveLength(0);
    await auth.post('/v1/auth/password-reset', { email: ada.email });
    expect(await links()).toHaveLength(0);
  });

  it('F361 is told to its owner by mail, and to the operator by a list', async () => {
    await close();
    const letters = await auth.owner.query('select type from auth.letter where account_id = $1', [ada.id]);
    expect(letters).toContainEqual({ type: 'account.closed' });
    const listed = await auth.send<{ erasures: Closure[] }>('GET', '/v1/operator/erasures?limit=1', {
      token: operatorToken,
    });
    expect(listed).toMatchObject({ status: 200, body: { has_more: true } });
    expect(listed.body.erasures).toMatchObject([{ account_id: ada.id, waits_for: ['month'] }]);
  });
});
