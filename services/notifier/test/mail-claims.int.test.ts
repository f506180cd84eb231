import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { testDatabase } from '@tollgate/testkit/postgres';
import { useOnce } from '@tollgate/testkit/use-world';
import { claimMails } from '../src/mail/sql-mail.ts';
import { countRowsRead } from './support/count-rows-read.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const waiting = 20_000;

/** Each of many accounts has a mail that is due, and a younger one. */
const world = useOnce(async () => {
  const database = await testDatabase();
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 1, log });
  const worker = createDatabase({ url: database.urlFor('notifier_worker'), name: 'worker', maxConnections: 1, log });
  const put = `insert into notify.mail (mail_id, account_id, type, data, happened_at, stored_at, due_at)
    select gen_random_uuid(), account_id, type, '{}', now(), now(), now() - interval '1 day' + number * interval '1 second'
    from (select gen_random_uuid() as account_id, number from generate_series(1, $1::int) number) account,
      unnest(array['invoice.paid', 'balance.low']) type`;
  await owner.query(put, [waiting]);
  await owner.query('analyze notify.mail');
  return {
    owner,
    worker,
    async stop() {
      await worker.stop();
      await owner.stop();
      await database.drop();
    },
  };
});

it('F387 a claim of mails reads no more for a mail, however many wait', async () => {
  const nowMs = systemClock.now();
  const { watched, rowsRead } = countRowsRead(world.worker, 'mail');
  const times = { nowMs, untilMs: nowMs + 60_000, printsWaitedSinceMs: nowMs };
  const claims = 12; // from the sixth on, PostgreSQL may take a plan for all values
  for (let claim = 0; claim < claims; claim += 1) {
    const claimed = await claimMails(watched, { ...times, free: 16, freeRepeated: 4 });
    expect(claimed).toHaveLength(16);
    expect(new Set(claimed.map(({ accountId }) => accountId)).size).toBe(16); // an account has one on its way
    expect(rowsRead()).toBeLessThan(2_000);
    const sent = claimed.map(({ mailId }) => mailId);
    await world.owner.query('delete from notify.mail where mail_id = any($1)', [sent]);
  }
});

it('claims the oldest mail of each account first, and the next one when that is gone', async () => {
  const accountId = randomUUID();
  const put = `insert into notify.mail (mail_id, account_id, type, data, happened_at, stored_at, due_at)
    values (gen_random_uuid(), $1, $2, '{}', now(), now(), now() - $3::interval)`;
  await world.owner.query(put, [accountId, 'balance.low', '40 days']);
  await world.owner.query(put, [accountId, 'invoice.paid', '41 days']);
  const nowMs = systemClock.now();
  const claim = async () => {
    const times = { nowMs, untilMs: nowMs + 60_000, printsWaitedSinceMs: nowMs };
    const claimed = await claimMails(world.worker, { ...times, free: 1, freeRepeated: 0 });
    return claimed.map((mail) => (mail.accountId === accountId ? mail.type : 'of another account'));
  };
  expect([await claim(), await claim()]).toEqual([['invoice.paid'], ['of another account']]);
  await world.owner.query(`delete from notify.mail where account_id = $1 and type = 'invoice.paid'`, [accountId]);
  expect(await claim()).toEqual(['balance.low']);
});
