import { beforeAll, describe, expect, it } from '@jest/globals';
import { minuteMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { Secret, TOTP } from 'otpauth';
import { changeOperatorAccount } from '../../src/operator.ts';
import { authSuite, operatorToken, refusal, type AuthUnderTest, type SignedUp } from '../support/auth-under-test.ts';

const auth = authSuite();
const log = createLogger({ name: 'test', level: 'silent' });
const change = (verb: 'grant' | 'revoke', email: string) =>
  changeOperatorAccount(auth.config, { clock: auth.clock, log }, { email, verb });
const origin = () => ({ origin: new URL(auth.baseUrl).origin });

interface Person extends SignedUp {
  readonly id: string;
  readonly secret: string;
}

/** A code that was not used yet. */
function nextCode(secret: string): string {
  auth.realTime.advance(30_000);
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: auth.realTime.now() });
}

async function person(): Promise<Person> {
  const account = await auth.signUp();
  const { account_id: id } = (await auth.me(account.token)).body;
  const begun = await auth.post<{ secret: string }>('/v1/auth/totp', { password: account.password }, account.token);
  await auth.post('/v1/auth/totp/confirm', { code: nextCode(begun.body.secret) }, account.token);
  return { ...account, id, secret: begun.body.secret };
}

async function signIn({ email, password }: SignedUp, factor: object = {}): Promise<string> {
  const body = { email, password, ...factor };
  const answer = await auth.send('POST', '/v1/auth/session', { body, headers: origin() });
  expect(answer.status).toBe(201);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
const read = (cookie: string, by: AuthUnderTest = auth) =>
  by.send<{ acts: object[] }>('GET', '/v1/operator/audit', { headers: { cookie } });
const write = (cookie: string, method: string, path: string, body?: object, headers: object = origin()) =>
  auth.send(method, path, { headers: { ...headers, cookie }, ...(body && { body }) });
const endSessionsOf = (cookie: string, id: string, headers?: object) =>
  write(cookie, 'DELETE', `/v1/operator/accounts/${id}/sessions`, undefined, headers);

describe('F339 an account of the operator', () => {
  let ada: Person;
  let cookie: string;

  beforeAll(async () => {
    ada = await person();
    await change('grant', ada.email);
    cookie = await signIn(ada, { totp_code: nextCode(ada.secret) });
  });

  it('is made by the command, which ends its sessions; it alone opens the routes of the operator', async () => {
    expect(await auth.refresh(ada.token)).toMatchObject({ status: 401 });
    const bob = await person();
    const bobs = await signIn(bob, { totp_code: nextCode(bob.secret) });
    expect(await read(bobs)).toMatchObject(refusal(404, 'not_found'));
    expect(await read(cookie)).toMatchObject({ status: 200 });
    const isOperator = async (each: string) =>
      (await auth.send<{ operator: boolean }>('GET', '/v1/auth/me', { headers: { cookie: each } })).body.operator;
    expect([await isOperator(cookie), await isOperator(bobs)]).toEqual([true, false]);
    await expect(change('grant', ada.email)).rejects.toThrow('already');
    await expect(change('revoke', bob.email)).rejects.toThrow('not of the operator');
    await expect(change('grant', 'nobody@example.com')).rejects.toThrow('no account');
  });

  it('opens nothing by a token or an API key', async () => {
    const token = (await auth.login({ email: ada.email, password: ada.password, totp_code: nextCode(ada.secret) })).body
      .access_token;
    const { key } = await auth.createKey(token);
    for (const credential of [token, key])
      expect(await auth.send('GET', '/v1/operator/audit', { token: credential })).toMatchObject({ status: 404 });
  });

  it('opens nothing without a second factor, and all at once when its browser confirms one', async () => {
    const carol = await auth.signUp();
    await change('grant', carol.email);
    const hers = await signIn(carol);
    expect(await read(hers)).toMatchObject(refusal(403, 'operator_code_required'));
    expect(await write(hers, 'POST', '/v1/auth/session/second-factor', { totp_code: '123456' })).toMatchObject({
      status: 404,
    });
    const begun = await write(hers, 'POST', '/v1/auth/totp', { password: carol.password });
    const secret = String(begun.body['secret']);
    expect(await write(hers, 'POST', '/v1/auth/totp/confirm', { code: nextCode(secret) })).toMatchObject({
      status: 200,
    });
    expect(await read(hers)).toMatchObject({ status: 200 });
    const proof = { password: carol.password, totp_code: nextCode(secret) };
    expect(await write(hers, 'POST', '/v1/auth/totp/remove', proof)).toMatchObject({ status: 204 });
    expect(await read(hers)).toMatchObject(refusal(403, 'operator_code_required'));
  });

  it('moves money and rights with a code of the last 15 minutes alone, and reads for longer', async () => {
    const bob = await auth.signUp();
    const { account_id: id } = (await auth.me(bob.token)).body;
    const fresh = await signIn(ada, { totp_code: nextCode(ada.secret) });
    expect(await endSessionsOf(fresh, id)).toMatchObject({ status: 200 });
    auth.realTime.advance(15 * minuteMs);
    expect(await endSessionsOf(fresh, id)).toMatchObject(refusal(403, 'operator_code_required'));
    expect(await read(fresh)).toMatchObject({ status: 200 });
    const prove = (body: object) => write(fresh, 'POST', '/v1/auth/session/second-factor', body);
    expect(await prove({ totp_code: '000000' })).toMatchObject(refusal(401, 'invalid_second_factor'));
    expect(await prove({})).toMatchObject(refusal(401, 'second_factor_required'));
    expect(await endSessionsOf(fresh, id)).toMatchObject({ status: 403 });
    const code = nextCode(ada.secret);
    expect(await prove({ totp_code: code })).toMatchObject({ status: 204 });
    expect(await prove({ totp_code: code })).toMatchObject({ status: 401 }); // each code works once
    expect(await endSessionsOf(fresh, id)).toMatchObject({ status: 200 });
  });

  it('is named in the trail by its account, and to the account concerned as the operator alone', async () => {
    const bob = await auth.signUp();
    const { account_id: id } = (await auth.me(bob.token)).body;
    const fresh = await signIn(ada, { totp_code: nextCode(ada.secret) });
    await write(fresh, 'POST', `/v1/operator/accounts/${id}/suspend`, { reason: 'a test' });
    await write(fresh, 'POST', `/v1/operator/accounts/${id}/resume`);
    const { acts } = (
      await auth.send<{ acts: object[] }>('GET', `/v1/operator/audit?account_id=${id}`, { headers: { cookie: fresh } })
    ).body;
    expect(acts[0]).toMatchObject({
      action: 'account.resumed',
      actor: 'operator',
      actor_account_id: ada.id,
      operator_name: null,
    });
    const token = (await auth.login(bob)).body.access_token;
    const own = (await auth.send<{ acts: object[] }>('GET', '/v1/auth/activity', { token })).body.acts;
    expect(own).toContainEqual(
      expect.objectContaining({ action: 'account.resumed', actor: 'operator', credential_id: null }),
    );
    expect(JSON.stringify(own)).not.toContain(ada.id);
  });

  it('changes nothing from another origin, and nothing without a code where the operator has no token', async () => {
    const bare = await auth.startBeside({ settings: { OPERATOR_TOKEN: '' } });
    expect(await read(cookie, bare)).toMatchObject({ status: 200 });
    expect(await bare.send('GET', '/v1/operator/audit', { token: operatorToken })).toMatchObject({ status: 404 });
    const foreign = { origin: 'https://evil.example' };
    expect(await endSessionsOf(cookie, ada.id, foreign)).toMatchObject(refusal(403, 'forbidden'));
  });

  it('loses the routes with the right, in every process at once', async () => {
    const dora = await person();
    await change('grant', dora.email);
    const hers = await signIn(dora, { totp_code: nextCode(dora.secret) });
    const other = await auth.startBeside();
    for (const by of [auth, other]) expect(await read(hers, by)).toMatchObject({ status: 200 });
    await change('revoke', dora.email);
    for (const by of [auth, other]) expect(await read(hers, by)).toMatchObject({ status: 401 });
    expect(await read(await signIn(dora, { totp_code: nextCode(dora.secret) }))).toMatchObject({ status: 404 });
  });
});
