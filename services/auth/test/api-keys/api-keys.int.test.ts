import { toIso } from '@tollgate/kernel/clock';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashApiKey, isApiKey } from '@tollgate/runtime/auth/api-key-format';
import { type AuthUnderTest, type KeyBody, authSuite, refusal } from '../support/auth-under-test.ts';
import { encodeCursor } from '@tollgate/runtime/http/lists/cursor';
import type { Problem } from '@tollgate/contracts/forms/problem';

const auth = authSuite();
let token: string;

const create = (body: unknown, headers: Record<string, string> = {}) =>
  auth.send<KeyBody>('POST', '/v1/api-keys', { token, body, headers });

interface KeyList {
  readonly api_keys: readonly { readonly id: string; readonly name: string }[];
  readonly total: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
let other: AuthUnderTest;

const remove = (id: string, bearer = token) => auth.send<Problem>('DELETE', `/v1/api-keys/${id}`, { token: bearer });

describe('create api key', () => {
  beforeEach(async () => {
    token = (await auth.signUp()).token;
  });
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
});

describe('list api keys', () => {
  beforeEach(async () => {
    token = (await auth.signUp()).token;
  });

  const list = (query = '', bearer = token) => auth.send<KeyList>('GET', `/v1/api-keys${query}`, { token: bearer });

  describe('200', () => {
    it('is empty at first', async () => {
      expect((await list()).body).toEqual({ api_keys: [], total: 0, has_more: false, next_cursor: null });
    });

    it('pages newest first, each key once, also where keys were made in one millisecond', async () => {
      auth.clock.freeze(true);
      for (const name of ['a', 'b', 'c', 'd', 'e']) await auth.createKey(token, name);
      auth.clock.freeze(false);
      const seen: string[] = [];
      let page = await list('?limit=2');
      for (;;) {
        expect(page.body.total).toBe(5);
        seen.push(...page.body.api_keys.map((key) => key.id));
        if (!page.body.has_more) break;
        page = await list(`?limit=2&cursor=${page.body.next_cursor ?? ''}`);
      }
      expect(new Set(seen).size).toBe(5);
      expect(seen).toEqual(seen.toSorted().toReversed());
    });

    it('shows live keys only', async () => {
      const gone = await auth.createKey(token, 'gone');
      await auth.createKey(token, 'stays');
      await auth.send('DELETE', `/v1/api-keys/${gone.id}`, { token });
      expect((await list()).body.api_keys).toMatchObject([{ name: 'stays' }]);
    });

    it('shows no key of another account, not even with its cursor', async () => {
      for (const name of ['a', 'b', 'c']) await auth.createKey(token, name);
      const { next_cursor: cursor } = (await list('?limit=1')).body;
      const stranger = (await auth.signUp()).token;
      expect((await list(`?cursor=${cursor ?? ''}`, stranger)).body).toMatchObject({ api_keys: [], total: 0 });
    });

    it('shows when a key was last used, as each service reports it of the keys that it admitted', async () => {
      const other = await auth.startBeside();
      const { key } = await auth.createKey(token, 'used');
      await auth.createKey(token, 'not used');
      auth.clock.freeze(true);
      await other.me(key);
      await other.stop(); // it reports once a minute, and once more when it stops
      const usedAt = toIso(auth.clock.now());
      auth.clock.freeze(false);
      expect((await list()).body.api_keys).toMatchObject([
        { name: 'not used', last_used_at: null },
        { name: 'used', last_used_at: usedAt },
      ]);
    });
  });

  describe('400', () => {
    const tooLate = encodeCursor('api_keys', [8.64e15, '01900000-0000-7000-8000-000000000000']);

    it.each(['?limit=0', `?cursor=${encodeCursor('api_keys', ['x', 'y'])}`, `?cursor=${tooLate}`])(
      'refuses %s',
      async (query) => {
        expect(await list(query)).toMatchObject(refusal(400, 'invalid_request'));
      },
    );
  });
});

describe('delete api key', () => {
  beforeAll(async () => {
    other = await auth.startBeside();
  });
  beforeEach(async () => {
    token = (await auth.signUp()).token;
  });

  describe('204', () => {
    it('F69 revokes: refused at once here, soon in another process', async () => {
      const { id, key } = await auth.createKey(token);
      expect(await other.me(key)).toMatchObject({ status: 200 });
      expect(await remove(id)).toMatchObject({ status: 204, text: '' });
      expect(await auth.me(key)).toMatchObject(refusal(401, 'unauthorized'));
      await other.untilRefused(key);
    });

    it('answers one of many concurrent deletions so, the others with 404', async () => {
      const { id } = await auth.createKey(token);
      const answers = await Promise.all(Array.from({ length: 6 }, () => remove(id)));
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404, 404, 404, 404]);
    });
  });

  describe('404', () => {
    it('F72 says so for the key of another account, which stays', async () => {
      const { id, key } = await auth.createKey(token);
      const stranger = (await auth.signUp()).token;
      const nowhere = '01900000-0000-7000-8000-000000000000';
      const unknown = await remove(nowhere, stranger);
      const foreign = await remove(id, stranger);
      expect(foreign).toMatchObject(refusal(404, 'not_found'));
      expect(foreign.body.detail).toBe(unknown.body.detail.replace(nowhere, id));
      expect(foreign.body.detail).toBe(`You have no live API key \`${id}\`.`);
      expect(await auth.me(key)).toMatchObject({ status: 200 });
    });

    it('says so for what is no id, and for one in upper case, which is not how ids are written', async () => {
      const { id } = await auth.createKey(token);
      for (const other of ['..', '%27%3B%20drop%20table', '01900000-0000-7000-8000-00000000000G', id.toUpperCase()])
        expect(await remove(other)).toMatchObject({ status: 404 });
    });
  });
});
