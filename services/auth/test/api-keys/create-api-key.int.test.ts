import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashApiKey, isApiKey } from '@tollgate/runtime/auth/api-key-format';
import { authSuite, refusal, type KeyBody } from '../support/auth-under-test.ts';

const auth = authSuite();
let token: string;

beforeEach(async () => {
  token = (await auth.signUp()).token;
});

const create = (body: unknown, headers: Record<string, string> = {}) =>
  auth.send<KeyBody>('POST', '/v1/api-keys', { token, body, headers });
const list = () => auth.send<{ total: number }>('GET', '/v1/api-keys', { token });

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
    expect(await auth.me(body.key)).toMatchObject({ status: 200 });
    expect((await list()).text).not.toContain(body.key);
  });

  it('stores only the SHA-256 of the key', async () => {
    const { id, key } = await auth.createKey(token);
    const stored = 'select key_hash from auth.api_key where key_id = $1';
    const [row] = await auth.owner.query<{ key_hash: Buffer }>(stored, [id]);
    expect(row?.key_hash.equals(hashApiKey(key))).toBe(true);
  });

  it('F73 refuses and names fields that nobody may choose', async () => {
    const answer = await create({ name: 'k', account_id: 'x', key: 'tg_live_mine', key_hash: 'x' });
    const errors = ['/account_id', '/key', '/key_hash'].map((pointer) => ({ pointer, code: 'unknown_field' }));
    expect(answer).toMatchObject({ status: 400, body: { errors } });
  });

  it('keeps a name as it was sent, emoji and markup included', async () => {
    const name = '<b>\u{1f511}</b> \u202e cafe\u0301';
    expect(await create({ name })).toMatchObject({ status: 201, body: { name } });
  });

  it('replays the answer for the same Idempotency-Key, without the key, and makes no second one', async () => {
    const headers = { 'idempotency-key': 'order 1' };
    const first = await create({ name: 'once' }, headers);
    const again = await create({ name: 'once' }, headers);
    const { key, ...shown } = first.body;
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(again).toMatchObject({ status: 201, body: shown });
    expect(again.text).not.toContain(key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await list()).body.total).toBe(1);
    const kept = 'select body from auth.idempotency_reply where body::text like $1';
    expect(await auth.owner.query(kept, [`%${key}%`])).toHaveLength(0);
  });
});

describe('422', () => {
  it('F139 stops at 20 live keys and names the number, also for 30 racing requests; a deleted key makes room', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => create({ name: `k${index}` })));
    const created = answers.filter((answer) => answer.status === 201);
    expect(created).toHaveLength(20);
    const refused = answers.filter((answer) => answer.status !== 201);
    for (const answer of refused) {
      expect(answer).toMatchObject(refusal(422, 'too_many_keys'));
      expect(answer.text).toContain('at most 20 live API keys');
    }
    expect((await list()).body.total).toBe(20);
    await auth.send('DELETE', `/v1/api-keys/${created[0]?.body.id ?? ''}`, { token });
    expect(await create({ name: 'again' })).toMatchObject({ status: 201 });
  });
});

describe('400', () => {
  it('refuses a name that is an array, and an Idempotency-Key of 256 characters', async () => {
    const errors = [{ pointer: '/name' }];
    expect(await create({ name: ['k'] })).toMatchObject({ status: 400, body: { code: 'invalid_request', errors } });
    expect(await create({ name: 'k' }, { 'idempotency-key': 'x'.repeat(256) })).toMatchObject({ status: 400 });
  });
});
