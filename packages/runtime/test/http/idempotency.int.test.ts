import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/kernel/app-error';
import { createMovableClock } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createLogger } from '../../src/logging/create-logger.ts';
import { createDatabase, type Database, type Queryable } from '@tollgate/database/database';
import { createIdempotency, type EffectReply, type IdempotentRequest } from '../../src/http/idempotency/idempotency.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const clock = createMovableClock(Date.UTC(2026, 10, 21));
const idempotency = createIdempotency({ schema: 'auth', clock });
const alice = uuidV8('alice');
const bob = uuidV8('bob');

let test: TestDatabase;
let db: Database;
let owner: Database;

beforeAll(async () => {
  test = await testDatabase();
  db = createDatabase({ url: test.urlFor('auth_api'), name: 'test', log, maxConnections: 10 });
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  await owner.query('create table auth.effect (what text primary key)');
  await owner.query('grant select, insert on auth.effect to auth_api');
});

afterAll(async () => {
  await db.stop();
  await owner.stop();
  await test.drop();
});

beforeEach(async () => {
  await owner.query('truncate auth.effect');
});

let lastKey = 0;
const freshKey = () => `key-${(lastKey += 1)}`;

function request(changes: Partial<IdempotentRequest> = {}): IdempotentRequest {
  return {
    accountId: alice,
    method: 'POST',
    path: '/v1/api-keys',
    key: freshKey(),
    body: { name: 'a', n: 1 },
    ...changes,
  };
}

const put =
  (what: string, reply: EffectReply = { status: 201, body: { what } }) =>
  async (tx: Queryable): Promise<EffectReply> => {
    await tx.query('insert into auth.effect (what) values ($1)', [what]);
    return reply;
  };

const refuse =
  (error: Error) =>
  async (tx: Queryable): Promise<EffectReply> => {
    await put('refused')(tx);
    throw error;
  };

const run = (request: IdempotentRequest, effect: (tx: Queryable) => Promise<EffectReply>) =>
  idempotency.run(db, request, effect);

async function effects(): Promise<string[]> {
  const rows = await owner.query<{ what: string }>('select what from auth.effect order by what');
  return rows.map((row) => row.what);
}

describe('the same Idempotency-Key again', () => {
  it('has one effect and gets the first reply, marked as replayed', async () => {
    const once = request();
    const first = await run(once, put('a', { status: 201, body: { x: 1 }, headers: { location: '/v1/x' } }));
    const again = await run({ ...once, body: { n: 1, name: 'a' } }, put('b'));
    expect(first).toEqual({
      kind: 'reply',
      replayed: false,
      reply: { status: 201, body: { x: 1 }, headers: { location: '/v1/x' } },
    });
    expect(again).toEqual({ ...first, replayed: true });
    expect(await effects()).toEqual(['a']);
  });

  it('is replayed without what is shown once', async () => {
    const once = request();
    const reply = { status: 201, body: { id: 1, key: 'secret-77' }, replayBody: { id: 1 } };
    await run(once, put('a', reply));
    expect(await run(once, put('b'))).toMatchObject({ replayed: true, reply: { body: { id: 1 } } });
    const rows = await owner.query<{ kept: string }>(
      'select idempotency_reply::text as kept from auth.idempotency_reply',
    );
    expect(JSON.stringify(rows)).not.toContain('secret-77');
  });

  it('with another body is 422 and changes nothing', async () => {
    const once = request();
    await run(once, put('a'));
    for (const body of [{ name: 'a', n: 2 }, { name: 'a' }, undefined, null, [{ name: 'a', n: 1 }]]) {
      await expect(run({ ...once, body }, put('b'))).rejects.toMatchObject({
        kind: 'unprocessable',
        code: 'idempotency_key_reused',
      });
    }
    expect(await effects()).toEqual(['a']);
  });

  it.each([{ accountId: bob }, { method: 'DELETE' }, { path: '/v1/tools' }])(
    'is another request for %j',
    async (other) => {
      const once = request();
      await run(once, put('a'));
      expect(await run({ ...once, ...other }, put('b'))).toMatchObject({ replayed: false });
      expect(await effects()).toEqual(['a', 'b']);
    },
  );

  it('at the same time is 409 in progress; one effect, and the reply afterwards', async () => {
    const once = request();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const first = run(once, async (tx) => {
      begun.resolve();
      await gate.promise;
      return put('a')(tx);
    });
    await begun.promise;
    await expect(run(once, put('b'))).rejects.toMatchObject({ kind: 'conflict', code: 'idempotency_in_progress' });
    gate.resolve();
    expect(await first).toMatchObject({ replayed: false });
    expect(await run(once, put('c'))).toMatchObject({ replayed: true, reply: { body: { what: 'a' } } });
  });

  it('thirty times at once is one effect; each gets the reply or 409', async () => {
    const once = request();
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        run(once, put(`try ${index}`)).then(
          (outcome) => (outcome.replayed ? 'replayed' : 'first'),
          (error: unknown) => (error instanceof AppError ? error.code : 'wrong'),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'first')).toHaveLength(1);
    expect(outcomes.every((outcome) => ['first', 'replayed', 'idempotency_in_progress'].includes(outcome))).toBe(true);
    expect(await effects()).toHaveLength(1);
  });
});

describe('a refusal', () => {
  it.each(['invalid_request', 'forbidden', 'not_found', 'slug_taken', 'too_many_keys'] as const)(
    '%s is stored and replayed, and what it did is undone',
    async (code) => {
      const once = request();
      const errors = [{ pointer: '/name', code: 'taken', message: 'is taken' }];
      const first = await run(once, refuse(new AppError(code, 'Taken.', { errors, members: { extra: 1 } })));
      const again = await run(once, put('b'));
      expect(first).toMatchObject({ kind: 'refusal', replayed: false, error: { code } });
      expect(again).toMatchObject({
        kind: 'refusal',
        replayed: true,
        error: { code, message: 'Taken.', errors, members: { extra: 1 } },
      });
      expect(await effects()).toEqual([]);
    },
  );

  it('after a statement of the effect failed is stored all the same', async () => {
    await owner.query("insert into auth.effect (what) values ('taken')");
    const once = request();
    const outcome = await run(once, (tx) =>
      put('taken')(tx).catch(() => {
        throw new AppError('slug_taken', 'Taken.');
      }),
    );
    expect(outcome).toMatchObject({ kind: 'refusal', error: { code: 'slug_taken' } });
    expect(await run(once, put('b'))).toMatchObject({ kind: 'refusal', replayed: true });
  });

  it.each([
    new AppError('unauthorized', 'No.'),
    new AppError('rate_limit_exceeded', 'Slow.'),
    new AppError('unavailable', 'Later.'),
    new TypeError('a bug'),
  ])('%s is not stored: the retry runs', async (error) => {
    const once = request();
    await expect(run(once, refuse(error))).rejects.toThrow(error.message);
    expect(await effects()).toEqual([]);
    expect(await run(once, put('b'))).toMatchObject({ kind: 'reply', replayed: false });
    expect(await effects()).toEqual(['b']);
  });
});

describe('without a key', () => {
  it('the effect runs each time, in one transaction', async () => {
    const each = request({ key: undefined });
    expect(await run(each, put('a'))).toMatchObject({ kind: 'reply', replayed: false });
    expect(await run(each, put('b'))).toMatchObject({ kind: 'reply', replayed: false });
    await expect(run(each, refuse(new AppError('slug_taken', 'Taken.')))).rejects.toMatchObject({ code: 'slug_taken' });
    expect(await effects()).toEqual(['a', 'b']);
  });
});

describe('time', () => {
  it('replays for 24 hours and more, and forgets after that', async () => {
    const worker = createDatabase({ url: test.urlFor('auth_worker'), name: 'worker', log });
    const once = request();
    await run(once, put('a'));
    clock.advance(24 * 3_600_000 + 1);
    await idempotency.forget(worker);
    expect(await run(once, put('b'))).toMatchObject({ replayed: true });
    clock.advance(24 * 3_600_000);
    expect(await idempotency.forget(worker)).toBeGreaterThan(0);
    expect(await run(once, put('c'))).toMatchObject({ replayed: false });
    await worker.stop();
  });
});
