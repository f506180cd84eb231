import { beforeEach, describe, expect, it } from '@jest/globals';
import { authSuite, operatorToken, refusal } from '../support/auth-under-test.ts';

// The test stands behind a trusted proxy: it names the address of its client, so it can be many clients.
const auth = authSuite({
  settings: { TRUSTED_PROXIES: '127.0.0.1', WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: '10' },
});
const guess = (index: number) => `operator_guess-${index}`;

let addresses = 0;
let address = '';
beforeEach(() => void (address = `203.0.113.${++addresses}`));

const ask = (token: string | undefined, { path = '/v1/operator/tokens', from = address } = {}) =>
  auth.send('GET', path, { headers: { 'x-forwarded-for': from }, ...(token !== undefined && { token }) });
const times = <Answer>(length: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => call(index)));
const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
const rowsOf = (from: string) =>
  auth.owner.query(
    "select result, actor, object_kind, detail from audit.act where action = 'operator_token.used' and address = $1",
    [from],
  );

describe('F152 wrong operator tokens', () => {
  it('are 401 ten times a minute from one address, however many come at once, and then 429 with Retry-After', async () => {
    const answers = await times(25, (index) => ask(guess(index)));
    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 15]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    const retryAfter = Number(refused?.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThanOrEqual(1);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('keep a right one from that address waiting, and from no other', async () => {
    await times(10, (index) => ask(guess(index)));
    expect(await ask(operatorToken)).toMatchObject(refusal(429, 'rate_limit_exceeded'));
    expect(await ask(operatorToken, { from: '198.51.100.1' })).toMatchObject({ status: 200 });
    auth.clock.advance(120_000);
    expect(await ask(operatorToken)).toMatchObject({ status: 429 });
  });

  it('count also where the token opens nothing: 403 would tell that a guess is right', async () => {
    const lengths = { path: '/v1/auth/me' };
    const wrong = `${operatorToken.slice(0, -1)}!`;
    const answers = [
      ...(await times(6, (index) => ask(guess(index), lengths))),
      ...(await times(6, () => ask(wrong, lengths))),
    ];
    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 2]);
    expect(await ask(operatorToken, lengths)).toMatchObject({ status: 429 });
  });

  it('keep no account waiting at its own routes', async () => {
    const { token } = await auth.signUp();
    await times(12, (index) => ask(guess(index)));
    expect(await ask(token, { path: '/v1/auth/me' })).toMatchObject({ status: 200 });
  });

  it('are not: right ones, an account that asks for what is not there, and a request without any', async () => {
    const { token } = await auth.signUp();
    expect(count(await times(30, () => ask(operatorToken)), 200)).toBe(30);
    for (let index = 0; index < 12; index += 1) expect(await ask(token)).toMatchObject({ status: 404 });
    expect(count(await times(12, () => ask(undefined)), 401)).toBe(12);
    expect(await ask(operatorToken)).toMatchObject({ status: 200 });
  });

  it('leave a row each in the trail, with the address and without the token, and none beyond the limit', async () => {
    await times(14, (index) => ask(guess(index)));
    const row = { result: 'refused', actor: 'nobody', object_kind: 'operator_token', detail: { code: 'unknown' } };
    expect(await rowsOf(address)).toEqual(Array.from({ length: 10 }, () => row));
    expect(auth.logged()).not.toContain('operator_guess');
  });

  it('leave a hundred rows per minute in all, from however many addresses', async () => {
    const beside = await auth.startBeside({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
    const answers = await times(120, (index) =>
      beside.send('GET', '/v1/operator/tokens', {
        token: guess(index),
        headers: { 'x-forwarded-for': `192.0.2.${index}` },
      }),
    );
    expect(count(answers, 401)).toBe(120);
    const rows = "select from audit.act where action = 'operator_token.used' and address like '192.0.2.%'";
    expect(await auth.owner.query(rows)).toHaveLength(100);
    await beside.stop();
  });
});
