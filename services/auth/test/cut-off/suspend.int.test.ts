import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { beginSlowPost } from '@tollgate/testkit/slow-request';
import { authSuite, operatorToken, refusal, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

const auth = authSuite();
let other: AuthUnderTest;
let ada: SignedUp & { readonly id: string; readonly key: string };

beforeAll(async () => {
  other = await auth.startBeside();
});
beforeEach(async () => {
  const account = await auth.signUp();
  const { body } = await auth.me(account.token);
  ada = { ...account, id: body.account_id, key: (await auth.createKey(account.token)).key };
});

const suspended = refusal(403, 'account_suspended');
const act = (verb: 'suspend' | 'resume', body?: object, id = ada.id) =>
  auth.post(`/v1/operator/accounts/${id}/${verb}`, body, operatorToken);
const end = (what: 'sessions' | 'api-keys', id = ada.id) =>
  auth.send('DELETE', `/v1/operator/accounts/${id}/${what}`, { token: operatorToken });

describe('F135 suspend and resume', () => {
  it('refuse every credential of the account with 403, at once here, and soon in another process', async () => {
    const answer = await act('suspend', { reason: 'stolen card' });
    const suspension = { reason: 'stolen card', suspended_at: expect.any(String) };
    expect(answer).toMatchObject({ status: 200, body: { account_id: ada.id, email: ada.email, suspension } });
    for (const token of [ada.token, ada.key]) expect(await auth.me(token)).toMatchObject(suspended);
    expect(await auth.login(ada)).toMatchObject(suspended);
    expect(await auth.refresh(ada.token)).toMatchObject(suspended);
    expect(await auth.login({ ...ada, password: 'not the password' })).toMatchObject({ status: 401 });
    await eventually(async () => (await other.me(ada.key)).status === 403, { withinMs: 1_000 });
    expect(await other.me(ada.token)).toMatchObject(suspended);

    expect(await act('resume')).toMatchObject({ status: 200, body: { suspension: null } });
    for (const token of [ada.token, ada.key]) expect(await auth.me(token)).toMatchObject({ status: 200 });
    await eventually(async () => (await other.me(ada.key)).status === 200, { withinMs: 1_000 });
    expect(await auth.refresh(ada.token)).toMatchObject({ status: 200 });
    expect(await auth.login(ada)).toMatchObject({ status: 200 });
  });

  it('may be repeated: the first time stays, the reason is the last; a new suspension has a new time', async () => {
    const first = await act('suspend', { reason: 'one' });
    auth.clock.advance(60_000);
    const second = await act('suspend', { reason: 'two' });
    const { suspended_at } = (first.body as unknown as { suspension: { suspended_at: string } }).suspension;
    expect(second.body).toMatchObject({ suspension: { reason: 'two', suspended_at } });
    for (const _time of [1, 2]) expect(await act('resume')).toMatchObject({ status: 200 });
    const { body } = await act('suspend', { reason: 'three' });
    expect(body).not.toMatchObject({ suspension: { suspended_at } });
    expect(body).toMatchObject({ suspension: { reason: 'three' } });
  });

  it('leave other accounts alone, and are refused to all but the operator', async () => {
    const bob = await auth.signUp();
    await act('suspend', { reason: 'x' });
    expect(await auth.me(bob.token)).toMatchObject({ status: 200 });
    const path = `/v1/operator/accounts/${ada.id}/resume`;
    expect(await auth.post(path, undefined, bob.token)).toMatchObject({ status: 404 });
    expect(await auth.me(ada.token)).toMatchObject(suspended);
  });

  it('answer 404 for an unknown account, and 400 without a reason', async () => {
    const unknown = '01900000-0000-7000-8000-000000000000';
    for (const verb of ['suspend', 'resume'] as const)
      expect(await act(verb, verb === 'suspend' ? { reason: 'x' } : undefined, unknown)).toMatchObject(
        refusal(404, 'not_found'),
      );
    for (const body of [{}, { reason: '' }, { reason: 'x', until: 'y' }])
      expect(await act('suspend', body)).toMatchObject(refusal(400, 'invalid_request'));
  });
});

describe('F136 the operator ends', () => {
  it('all sessions of an account, not its keys and nobody else’s sessions', async () => {
    const bob = await auth.signUp();
    const elsewhere = (await auth.login(ada)).body.access_token;
    expect(await end('sessions')).toMatchObject({ status: 200, body: { ended: 2 } });
    for (const token of [ada.token, elsewhere]) expect(await auth.me(token)).toMatchObject({ status: 401 });
    await other.untilRefused(ada.token);
    for (const token of [ada.key, bob.token]) expect(await auth.me(token)).toMatchObject({ status: 200 });
    expect(await end('sessions')).toMatchObject({ status: 200, body: { ended: 0 } });
    expect(await auth.login(ada)).toMatchObject({ status: 200 });
  });

  it('all API keys of an account, not its sessions and nobody else’s keys', async () => {
    const bob = await auth.signUp();
    const { key } = await auth.createKey(bob.token);
    expect(await end('api-keys')).toMatchObject({ status: 200, body: { ended: 1 } });
    expect(await auth.me(ada.key)).toMatchObject({ status: 401 });
    await other.untilRefused(ada.key);
    for (const token of [ada.token, key]) expect(await auth.me(token)).toMatchObject({ status: 200 });
    for (const what of ['sessions', 'api-keys'] as const)
      expect(await end(what, '01900000-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
  });

  it('sessions and keys, and a request that one of them began leaves no key behind', async () => {
    const slow = await beginSlowPost({ url: `${auth.baseUrl}/v1/api-keys`, token: ada.token, body: { name: 'late' } });
    for (const what of ['sessions', 'api-keys'] as const) expect(await end(what)).toMatchObject({ status: 200 });
    expect(await slow.finish()).toBe(401);
    expect(await end('api-keys')).toMatchObject({ status: 200, body: { ended: 0 } });
  });
});
