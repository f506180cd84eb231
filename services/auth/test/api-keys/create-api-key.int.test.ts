import { toIso } from '@tollgate/kernel/clock';
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
      can: ['events', 'read', 'manage'],
      expires_at: null,
      created_at: expect.any(String),
      last_used_at: null,
    });
    expect(isApiKey(body.key)).toBe(true);
    expect(await auth.me(body.key)).toMatchObject({ status: 200 });
    expect((await list()).text).not.toContain(body.key);
  });

  it('F153 limits the key to what it can, each scope once, and says so in the list and in the trail', async () => {
    const { body } = await create({ name: 'meter', can: ['read', 'events', 'read'] });
    expect(body).toMatchObject({ can: ['events', 'read'], expires_at: null });
    expect(await list()).toMatchObject({ body: { api_keys: [{ can: ['events', 'read'] }] } });
    const [act] = await auth.owner.query('select detail from audit.act where object_id = $1', [body.id]);
    expect(act).toEqual({ detail: { can: 'events read' } });
    const activity = (key: string) => auth.send('GET', '/v1/auth/activity', { token: key });
    expect(await activity(body.key)).toMatchObject({ status: 200 });
    const recording = (await create({ name: 'recorder', can: ['events'] })).body.key;
    expect(await activity(recording)).toMatchObject(refusal(403, 'read_scope_missing'));
    expect(await auth.me(recording)).toMatchObject({ status: 200 });
  });

  it('F154 ends the key at its time: it is 401, in no list, and its place is free again', async () => {
    const small = await auth.startBeside({ settings: { API_KEYS_PER_ACCOUNT_MAX: '1' } });
    const expiresAt = toIso(auth.clock.now() + 60_000);
    const make = (body: object) => small.send<KeyBody>('POST', '/v1/api-keys', { token, body });
    const { body } = await make({ name: 'brief', expires_at: expiresAt });
    expect(body).toMatchObject({ expires_at: expiresAt });
    expect(await make({ name: 'next' })).toMatchObject(refusal(422, 'too_many_keys'));
    expect(await auth.me(body.key)).toMatchObject({ status: 200 });
    auth.clock.advance(60_000);
    expect(await auth.me(body.key)).toMatchObject(refusal(401, 'unauthorized'));
    expect(await list()).toMatchObject({ body: { api_keys: [], total: 0 } });
    expect(await make({ name: 'next' })).toMatchObject({ status: 201 });
    await small.stop();
  });

  it('stores only the SHA-256 of the key', async () => {
    const { id, key } = await auth.createKey(token);
    const stored = 'select key_hash from auth.api_key where key_id = $1';
    const [row] = await auth.owner.query<{ key_hash: Buffer }>(stored, [id]);
    expect(row?.key_hash.equals(hashApiKey(key))).toBe(true);
  });

  it('refuses a scope that is none, no scope at all, and a time that has passed', async () => {
    for (const limits of [{ can: ['all'] }, { can: [] }, { expires_at: toIso(auth.clock.now()) }])
      expect(await create({ name: 'k', ...limits })).toMatchObject(refusal(400, 'invalid_request'));
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
