import { dayMs } from '@tollgate/kernel/durations';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createSweepExpired } from '../../src/sweep/sweep-expired.ts';
import { rotateSigningKey } from '../../src/operator.ts';
import { startAuth, type AuthUnderTest } from '../support/auth-under-test.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let auth: AuthUnderTest;
let worker: Database;

beforeAll(async () => {
  auth = await startAuth();
  worker = createDatabase({ url: auth.config.DATABASE_WORKER_URL, name: 'test-sweep', log });
});
afterAll(async () => {
  await worker.stop();
  await auth.stop();
});

describe('sweep', () => {
  it('deletes only what nothing can ask for any more, and what all services have had time to see', async () => {
    const sweep = createSweepExpired({
      worker,
      clock: auth.clock,
      accessTokenTtlMs: 3_600_000,
    });
    const { token } = await auth.signUp();
    const { token: kept } = await auth.signUp();
    const { body: key } = await auth.send<{ id: string }>('POST', '/v1/api-keys', { token, body: { name: 'k' } });
    await auth.send('DELETE', `/v1/api-keys/${key.id}`, { token });
    await auth.send('POST', '/v1/auth/logout', { token });
    await rotateSigningKey(auth.config, { clock: auth.clock, log });

    const nothing = { sessions: 0, api_keys: 0, signing_keys: 0 };
    expect(await sweep()).toEqual(nothing);
    expect(await sweep()).toEqual(nothing);
    auth.clock.advance(29 * dayMs);
    await auth.send('POST', '/v1/auth/refresh', { token: kept });
    auth.clock.advance(4 * dayMs);
    // A sweeper that has just started cannot know who has seen what, however old it looks.
    const justStarted = createSweepExpired({
      worker,
      clock: auth.clock,
      accessTokenTtlMs: 3_600_000,
    });
    expect(await justStarted()).toEqual({ sessions: 0, api_keys: 0, signing_keys: 1 });
    expect(await sweep()).toEqual({ sessions: 1, api_keys: 1, signing_keys: 0 });
    expect(await sweep()).toEqual(nothing);
    expect(await auth.owner.query('select session_id from auth.session')).toHaveLength(1);
  });
});
