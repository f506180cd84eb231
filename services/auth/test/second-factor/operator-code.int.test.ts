import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { Secret, TOTP } from 'otpauth';
import { openOperatorTokens, openOperatorTotp } from '../../src/operator.ts';
import { authSuite, operatorToken, refusal } from '../support/auth-under-test.ts';

const stepMs = 30_000;
const log = createLogger({ name: 'test', level: 'silent' });
const auth = authSuite({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
const path = '/v1/operator/accounts/01900000-0000-7000-8000-000000000000/suspend';
const free = refusal(404, 'not_found');
const locked = refusal(403, 'operator_code_required');
let secret = '';

const totp: <T>(work: Parameters<typeof openOperatorTotp<T>>[2]) => Promise<T> = (work) =>
  openOperatorTotp(auth.config, { clock: auth.clock, realTime: auth.realTime, log }, work);
const codeNow = (steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: auth.realTime.now() + steps * stepMs });
const getCode = (code: string, token = operatorToken) =>
  auth.post<{ operator_code: string; expires_in: number }>('/v1/operator/code', { code }, token);
const suspend = (code?: string, token = operatorToken) =>
  auth.send('POST', path, {
    token,
    body: { reason: 'x' },
    ...(code !== undefined && { headers: { 'tollgate-operator-code': code } }),
  });

/** Services follow a change within a second. */
const untilAnswered = (status: number) =>
  eventually(async () => (await suspend()).status === status, { withinMs: 1_000 });

beforeEach(async () => {
  auth.realTime.set((Math.floor(auth.realTime.now() / stepMs) + 2) * stepMs + stepMs / 2);
  ({ secret } = await totp((each) => each.begin()));
  await untilAnswered(404);
  await totp((each) => each.confirm(codeNow()));
  auth.realTime.advance(stepMs);
  await untilAnswered(403);
});
afterEach(async () => {
  await totp((each) => each.disable());
});

describe('F166 a code of the operator', () => {
  it('is needed for a change, not for a list, and lives ten minutes', async () => {
    expect(await suspend()).toMatchObject(locked);
    expect(await auth.send('GET', '/v1/operator/audit', { token: operatorToken })).toMatchObject({ status: 200 });
    const { status, body } = await getCode(codeNow());
    expect([status, body.expires_in]).toEqual([201, 600]);
    expect(await suspend(body.operator_code)).toMatchObject(free);
    auth.clock.advance(599_000);
    expect(await suspend(body.operator_code)).toMatchObject(free);
    auth.clock.advance(1_000);
    expect(await suspend(body.operator_code)).toMatchObject(locked);
  });

  it('is given once for a code of the app, also to racing callers, and never for a wrong one', async () => {
    expect(await getCode(codeNow(7))).toMatchObject(refusal(401, 'invalid_second_factor'));
    const answers = await Promise.all(Array.from({ length: 6 }, () => getCode(codeNow())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401, 401, 401, 401, 401]);
  });

  it('is of no use to an account, which learns nothing of it', async () => {
    const { token } = await auth.signUp();
    const { body } = await getCode(codeNow());
    expect(await suspend(body.operator_code, token)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await getCode(codeNow(1), token)).toMatchObject({ status: 404 });
  });

  it('stands in no row and no log line; its acts stand in the audit trail', async () => {
    await getCode(codeNow(9));
    const { body } = await getCode(codeNow());
    const rows = await auth.owner.query<{ action: string; result: string; actor: string }>(
      `select action, result, actor from audit.act where action like 'operator_%' order by act_id desc limit 3`,
    );
    expect(rows.map(({ action, result, actor }) => [action, result, actor])).toEqual([
      ['operator_code.created', 'done', 'operator'],
      ['operator_code.created', 'refused', 'operator'],
      ['operator_totp.enabled', 'done', 'command'],
    ]);
    const stored = await auth.owner.query<{ text: string }>('select c::text as text from auth.operator_code c');
    for (const text of [...stored.map((row) => row.text), auth.logged()])
      for (const each of [body.operator_code, secret, operatorToken]) expect(text).not.toContain(each);
  });

  it('F165 is given for 100 tries per day, from any address', async () => {
    const other = await auth.startBeside({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
    const found: number[] = [];
    for (let index = 0; index < 102; index += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${index}` };
      const answer = await other.send('POST', '/v1/operator/code', {
        token: operatorToken,
        body: { code: codeNow(9) },
        headers,
      });
      found.push(answer.status);
    }
    expect(found).toEqual([...Array.from({ length: 100 }, () => 401), 429, 429]);
  });
});

describe('F166 a code given to one operator token', () => {
  it('is refused with another', async () => {
    const { body } = await getCode(codeNow());
    const token = await openOperatorTokens(auth.config, { log }, (tokens) => tokens.rotate('default'));
    try {
      await eventually(async () => (await suspend(undefined, token)).status === 403, { withinMs: 1_000 });
      expect(await suspend(body.operator_code, token)).toMatchObject(locked);
    } finally {
      await auth.owner.query('delete from auth.operator_token');
      await eventually(async () => (await suspend(body.operator_code)).status === 404, { withinMs: 1_000 });
    }
  });
});
