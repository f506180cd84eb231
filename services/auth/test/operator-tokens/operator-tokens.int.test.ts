import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiOperatorToken } from '@tollgate/contracts/operator/operator-tokens';
import type { Problem } from '@tollgate/contracts/forms/problem';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { type OperatorTokens, openOperatorTokens } from '../../src/operator.ts';
import { authSuite, operatorToken, refusal } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const path = '/v1/operator/tokens';

type Created = ApiOperatorToken & { readonly token: string } & Problem;

interface Listed {
  readonly operator_tokens: readonly ApiOperatorToken[];
  readonly total: number;
  readonly next_cursor: string | null;
}
const guess = (index: number) => `operator_guess-${index}`;

let addresses = 0;
let address = '';

const times = <Answer>(length: number, call: (index: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length }, (_, index) => call(index)));

const count = (answers: readonly { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;

describe('operator tokens', () => {
  const auth = authSuite();

  const create = (name: string, more: object = {}, token = operatorToken) =>
    auth.post<Created>(path, { name, ...more }, token);
  const list = async (query = '', token = operatorToken) =>
    (await auth.send<Listed>('GET', `${path}${query}`, { token })).body;
  const revoke = (name: string, token = operatorToken) => auth.send('DELETE', `${path}/${name}`, { token });
  const statusOf = async (token: string) => (await auth.send('GET', path, { token })).status;
  const byCommand = <T>(work: (tokens: OperatorTokens) => Promise<T>) =>
    openOperatorTokens(auth.config, { realTime: auth.realTime, log }, work);
  const days = (count: number) => toIso(auth.realTime.now() + count * dayMs);

  /** This process hears of what another did. */
  const untilDefaultWorks = () => eventually(async () => (await statusOf(operatorToken)) === 200, { withinMs: 1_000 });

  beforeAll(() => auth.realTime.freeze(true));
  afterEach(async () => {
    await auth.owner.query('delete from auth.operator_token');
    await untilDefaultWorks();
  });

  describe('POST /v1/operator/tokens 201', () => {
    it('F151 gives a token that works at once, and whose hash alone is stored', async () => {
      const { status, body } = await create('nightly', { expires_at: days(2) });
      expect([status, body]).toMatchObject([
        201,
        { name: 'nightly', state: 'live', expires_at: days(2), revoked_at: null },
      ]);
      expect(body.token).toMatch(/^operator_[\w-]{43}$/);
      expect(await statusOf(body.token)).toBe(200);
      const stored = await auth.owner.query<{ text: string }>('select t::text as text from auth.operator_token t');
      for (const text of [...stored.map((row) => row.text), auth.logged()]) expect(text).not.toContain(body.token);
    });

    it('F151 is named in the trail by every act of the token', async () => {
      const { body } = await create('nightly');
      await create('other', {}, body.token);
      await revoke('other', body.token);
      await auth.send('GET', '/v1/operator/audit?format=csv', { token: body.token });
      const rows = await auth.owner.query(
        'select action, operator_name, object_id from audit.act order by act_id desc limit 4',
      );
      expect(rows.toReversed()).toEqual([
        { action: 'operator_token.created', operator_name: 'default', object_id: 'nightly' },
        { action: 'operator_token.created', operator_name: 'nightly', object_id: 'other' },
        { action: 'operator_token.revoked', operator_name: 'nightly', object_id: 'other' },
        { action: 'data.exported', operator_name: 'nightly', object_id: 'listAudit' },
      ]);
    });

    it('takes the name of a token that is revoked or has expired', async () => {
      const earlier = [(await create('once')).body.token, (await create('brief', { expires_at: days(1) })).body.token];
      await revoke('once');
      auth.realTime.advance(dayMs);
      for (const name of ['once', 'brief']) expect(await create(name)).toMatchObject({ status: 201 });
      for (const token of earlier) expect(await statusOf(token)).toBe(401);
    });
  });

  describe('POST /v1/operator/tokens refused', () => {
    it('409 for the name of a live token, also to racing callers, and for the token of the settings', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => create('raced')));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409]);
      const { status, body } = await create('default');
      expect([status, body.code, body.detail]).toEqual([
        409,
        'operator_token_taken',
        '`default` is OPERATOR_TOKEN of the settings. Take another name, or replace it with `tollgate operator operator-token rotate default`.',
      ]);
    });

    it('400 for a name that is none, and for a time that has passed', async () => {
      for (const body of [{ name: 'No Name' }, { name: 'late', expires_at: days(0) }])
        expect(await auth.post(path, body, operatorToken)).toMatchObject(refusal(400, 'invalid_request'));
    });

    it('403 for a token that would outlive the one that asks for it', async () => {
      const { token } = (await create('brief', { expires_at: days(7) })).body;
      for (const more of [{}, { expires_at: days(8) }])
        expect(await create('heir', more, token)).toMatchObject(refusal(403, 'forbidden'));
      expect(await create('heir', { expires_at: days(7) }, token)).toMatchObject({ status: 201 });
      expect(await create('free')).toMatchObject({ status: 201 });
    });

    it('422 beyond a hundred live ones; a revoked one makes room, the one of longest ago first', async () => {
      const insert = `insert into auth.operator_token (name, token_hash, created_at, revoked_at)
      select 'bulk-' || n, sha256(n::text::bytea), $1::timestamptz, case when n <= 2 then $1::timestamptz + n * interval '1 s' end
      from generate_series(1, 100) n`;
      await auth.owner.query(insert, [new Date(auth.realTime.now() - dayMs)]);
      for (const name of ['one', 'two']) expect(await create(name)).toMatchObject({ status: 201 });
      expect(await create('three')).toMatchObject(refusal(422, 'too_many_operator_tokens'));
      const dead = `select name from auth.operator_token where name in ('bulk-1', 'bulk-2')`;
      expect(await auth.owner.query(dead)).toEqual([]);
    });

    it('404 for an account', async () => {
      const { token } = await auth.signUp();
      expect(await create('mine', {}, token)).toMatchObject(refusal(404, 'not_found'));
      expect(await revoke('default', token)).toMatchObject(refusal(404, 'not_found'));
    });
  });

  describe('GET /v1/operator/tokens', () => {
    it('lists by name, page by page, with the token of the settings until it is rotated', async () => {
      await create('b', { expires_at: days(1) });
      await create('a');
      await revoke('a');
      auth.realTime.advance(dayMs);
      const first = await list('?limit=2');
      expect(first.operator_tokens.map(({ name, state }) => [name, state])).toEqual([
        ['a', 'revoked'],
        ['b', 'expired'],
      ]);
      const second = await list(`?limit=2&cursor=${first.next_cursor}`);
      expect([second.operator_tokens, second.total, second.next_cursor]).toEqual([
        [{ name: 'default', state: 'live', created_at: null, expires_at: null, revoked_at: null }],
        3,
        null,
      ]);
      const token = await byCommand((tokens) => tokens.rotate('default'));
      const { operator_tokens: all, total } = await list('', token);
      expect([total, all.at(-1)]).toMatchObject([3, { name: 'default', created_at: expect.any(String) }]);
    });
  });

  describe('DELETE /v1/operator/tokens/{name}', () => {
    it('F151 204 refuses this token and no other, and says how to make a new one', async () => {
      const [one, two] = [(await create('one')).body.token, (await create('two')).body.token];
      expect(await revoke('one')).toMatchObject({ status: 204 });
      expect(await statusOf(two)).toBe(200);
      const { status, body } = await auth.send<Problem>('GET', path, { token: one });
      expect([status, body.detail]).toEqual([
        401,
        'The operator token `one` was revoked. Make a new one with `tollgate operator operator-token create --name one`.',
      ]);
      expect(await revoke('one')).toMatchObject(refusal(404, 'not_found'));
    });

    it('F151 204 refuses the token of the settings, which counts no more', async () => {
      expect(await revoke('default')).toMatchObject({ status: 204 });
      expect(await statusOf(operatorToken)).toBe(401);
      const token = await byCommand((tokens) => tokens.create({ name: 'default', expiresAt: undefined }));
      expect(await statusOf(token)).toBe(200);
      expect(await statusOf(operatorToken)).toBe(401);
    });
  });

  describe('the command line', () => {
    it('rotates a live name and keeps its end; of others it says how to make one', async () => {
      await byCommand((tokens) => tokens.create({ name: 'report', expiresAt: auth.realTime.now() + dayMs }));
      const token = await byCommand((tokens) => tokens.rotate('report'));
      const [listed] = (await list('', token)).operator_tokens.filter(({ name }) => name === 'report');
      expect(listed?.expires_at).toBe(days(1));
      await byCommand((tokens) => tokens.revoke('report'));
      for (const name of ['report', 'unknown'])
        await expect(byCommand((tokens) => tokens.rotate(name))).rejects.toThrow(
          `operator-token create --name ${name}`,
        );
      expect(await byCommand((tokens) => tokens.revoke('unknown'))).toBe(false);
    });
  });
});

describe('F152 wrong operator tokens', () => {
  // The test stands behind a trusted proxy: it names the address of its client, so it can be many clients.
  const auth = authSuite({
    settings: { TRUSTED_PROXIES: '127.0.0.1', WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: '10' },
  });
  beforeEach(() => void (address = `203.0.113.${++addresses}`));

  const ask = (token: string | undefined, { path = '/v1/operator/tokens', from = address } = {}) =>
    auth.send('GET', path, { headers: { 'x-forwarded-for': from }, ...(token !== undefined && { token }) });
  const rowsOf = (from: string) =>
    auth.owner.query(
      "select result, actor, object_kind, detail from audit.act where action = 'operator_token.used' and address = $1",
      [from],
    );

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
