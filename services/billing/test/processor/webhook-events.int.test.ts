import { expect, it } from '@jest/globals';
import { createMovableClock } from '@tollgate/kernel/clock';
import {
  countNoticeFailure,
  listUnappliedNotices,
  markNoticeApplied,
  storeNotice,
} from '../../src/processor/sql-webhook-events.ts';
import { useDatabase } from '../support/use-database.ts';

const clock = createMovableClock(Date.parse('2026-11-21T12:34:56.789Z'));
const database = useDatabase();

const noticeOf = (eventId: string) => ({
  eventId,
  type: 'account.updated',
  object: { kind: 'account' as const, id: 'acct' },
});

it('lists the oldest first, those that failed last, those applied no more, and no other processor’s', async () => {
  const { worker } = database;
  const store = (eventId: string, processor = 'sandbox') =>
    storeNotice(worker, { ...noticeOf(eventId), createdAtMs: clock.now() }, { processor, atMs: clock.now() });
  const ofSandbox = (eventId: string) => ({ processor: 'sandbox', eventId });
  for (const eventId of ['first', 'second', 'third']) {
    await store(eventId);
    clock.advance(1_000);
  }
  await store('first');
  await store('first', 'another');
  await markNoticeApplied(worker, { processor: 'another', eventId: 'first' }, clock.now());
  const listed = async (max = 10) => (await listUnappliedNotices(worker, 'sandbox', max)).map(({ eventId }) => eventId);
  expect(await listed()).toEqual(['first', 'second', 'third']);
  await countNoticeFailure(worker, ofSandbox('first'));
  expect(await listed()).toEqual(['second', 'third', 'first']);
  expect(await listed(1)).toEqual(['second']);
  await markNoticeApplied(worker, ofSandbox('second'), clock.now());
  expect(await listUnappliedNotices(worker, 'sandbox', 10)).toEqual([noticeOf('third'), noticeOf('first')]);
});
