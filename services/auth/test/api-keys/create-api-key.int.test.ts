import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashApiKey, isApiKey } from '@tollgate/runtime/auth/api-key-format';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

let auth: AuthUnderTest;
let token: string;

beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const create = (body: unknown, headers: Record<string, string> = {}) =>
  auth.send<CreatedKey>('POST', '/v1/api-keys', { token, body, headers });
const total = async () => (await auth.send<{ total: number }>('GET', '/v1/api-keys', { token })).body.total;

describe('201', () => {
  it('shows the key once, and it works at once', async () => {
    const { status, body } = await create({ name: 'production' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'production',
      key: expect.stringMatching(/^tg_live_[0-9A-Za-z]{38}$/),
      prefix: body.key.slice(0, 12),
      last_four: body.key.slice(-4),
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect(isApiKey(body.key)).toBe(true);
    expect(await auth.send('GET', '/v1/auth/me', { token: body.key })).toMatchObject({ status: 200 });
    expect((await auth.send('GET', '/v1/api-keys', { token })).text).not.toContain(body.key);
  });

  it('stores only the SHA-256 of the key', async () => {
    const { body } = await create({ name: 'hashed' });
    const [row] = await auth.owner.query<{ key_hash: Buffer }>('select key_hash from auth.api_key where key_id = $1', [
      body.id,
    ]);
    expect(row?.key_hash.equals(hashApiKey(body.key))).toBe(true);
  });

  it('F73 ignores and names fields that nobody may choose', async () => {
    const answer = await create({ name: 'k', account_id: 'x', key: 'tg_live_mine', key_hash: 'x' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-ignored-fields')).toBe('account_id,key,key_hash');
    expect(answer.body.key).not.toBe('tg_live_mine');
  });

  it('keeps a name as it was sent, emoji and markup included', async () => {
    const name = '<b>\u{1f511}</b> \u202e cafe\u0301';
    expect(await create({ name })).toMatchObject({ status: 201, body: { name } });
  });

  it('replays the answer for the same Idempotency-Key, without the key, and makes no second one', async () => {
    const headers = { 'idempotency-key': 'order 1' };
    const first = await create({ name: 'once' }, headers);
    const again = await create({ name: 'once' }, headers);
    const { key: _key, ...shown } = first.body;
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: shown });
    expect(again.text).not.toContain(first.body.key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await total()).toBe(1);
    const kept = await auth.owner.query('select body from auth.idempotency_reply where body::text like $1', [
      `%${first.body.key}%`,
    ]);
    expect(kept).toHaveLength(0);
  });

  it('keeps the Idempotency-Keys of two accounts apart', async () => {
    const headers = { 'idempotency-key': 'the same' };
    const mine = await create({ name: 'k' }, headers);
    token = (await auth.signUp()).token;
    const theirs = await create({ name: 'k' }, headers);
    expect(theirs.status).toBe(201);
    expect(theirs.body.id).not.toBe(mine.body.id);
  });

  it('makes one key of many concurrent requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'raced' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ name: 'k' }, headers)));
    const codes = new Set(answers.map((answer) => answer.status));
    expect([...codes].every((status) => status === 201 || status === 409)).toBe(true);
    expect(answers.filter((answer) => answer.status === 201 && answer.body.key !== undefined)).toHaveLength(1);
    expect(await total()).toBe(1);
  });
});

describe('422', () => {
  it('stops at 20 live keys, also for 30 racing requests; a deleted one makes room', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create({ name: `k${index}` })));
    const made = answers.filter((answer) => answer.status === 201);
    expect(made).toHaveLength(20);
    const refused = answers.filter((answer) => answer.status !== 201);
    for (const answer of refused) expect(answer).toMatchObject({ status: 422, body: { code: 'too_many_keys' } });
    expect(await total()).toBe(20);
    await auth.send('DELETE', `/v1/api-keys/${made[0]?.body.id ?? ''}`, { token });
    expect(await create({ name: 'again' })).toMatchObject({ status: 201 });
  });

  it('refuses an Idempotency-Key that was used with another body', async () => {
    const headers = { 'idempotency-key': 'reused' };
    await create({ name: 'one' }, headers);
    expect(await create({ name: 'two' }, headers)).toMatchObject({
      status: 422,
      body: { code: 'idempotency_key_reused' },
    });
  });
});

describe('400', () => {
  it.each([
    ['no name', {}],
    ['a null name', { name: null }],
    ['an empty name', { name: '' }],
    ['a name of 101 characters', { name: 'x'.repeat(101) }],
    ['a name that is an array', { name: ['k'] }],
  ])('refuses %s', async (_title, body) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/name' }] },
    });
  });

  it('takes 100 characters of two UTF-16 units each', async () => {
    expect(await create({ name: '\u{1f511}'.repeat(100) })).toMatchObject({ status: 201 });
  });

  it('refuses an Idempotency-Key of 256 characters', async () => {
    expect(await create({ name: 'k' }, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 });
  });
});

describe('403', () => {
  it('lets no key make keys', async () => {
    const { body } = await create({ name: 'k' });
    const answer = await auth.send('POST', '/v1/api-keys', { token: body.key, body: { name: 'child' } });
    expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });
});
