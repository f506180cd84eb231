import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createPgWebhookInbox } from '../../src/processor/pg-webhook-inbox.ts';

const log = createLogger({ name: 'inbox-test', level: 'silent' });
const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
let testing: TestDatabase;
let worker: Database;

beforeAll(async () => {
  testing = await testDatabase();
  worker = createDatabase({ url: testing.urlFor('billing_worker'), name: 'test-worker', log });
});

afterAll(async () => {
  await worker.stop();
  await testing.drop();
});

const noticeOf = (eventId: string) => ({
  eventId,
  type: 'account.updated',
  object: { kind: 'account' as const, id: 'acct' },
});

it('lists the oldest first, those that failed last, those applied no more, and no other processor’s', async () => {
  const inbox = createPgWebhookInbox({ worker, processor: 'sandbox', clock });
  const others = createPgWebhookInbox({ worker, processor: 'another', clock });
  for (const eventId of ['first', 'second', 'third']) {
    await inbox.store(noticeOf(eventId));
    clock.advance(1_000);
  }
  await inbox.store(noticeOf('first'));
  await others.store(noticeOf('first'));
  await others.markApplied('first');
  const listed = async (max = 10) => (await inbox.listUnapplied(max)).map(({ eventId }) => eventId);
  expect(await listed()).toEqual(['first', 'second', 'third']);
  await inbox.countFailure('first');
  expect(await listed()).toEqual(['second', 'third', 'first']);
  expect(await listed(1)).toEqual(['second']);
  await inbox.markApplied('second');
  expect(await inbox.listUnapplied(10)).toEqual([noticeOf('third'), noticeOf('first')]);
});
