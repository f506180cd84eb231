import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { migrate } from '@tollgate/database/migrate';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrateThrough } from '@tollgate/testkit/migrate-through';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { compareHeld } from '../support/gate/compare-caps.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const [account, book, ended, eventId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];

let test: TestDatabase;
let owner: Database;
beforeAll(async () => {
  test = await emptyTestDatabase();
  owner = createDatabase({ url: test.ownerUrl, name: 'owner', log });
  await migrateThrough(test.ownerUrl, '0151_settling_together');
});
afterAll(async () => {
  await owner.stop();
  await test.drop();
});

/**
 * As a gateway of the release before left them: a call is a hold whose id is made of its book's and its index. The open book
 * joined the cap of the day after its first call was settled, and of the one that ended, only the captured call.
 */
const putText = `
with cap as (
  insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros,
    unheld_micros, alerts)
  values ('account', $1, $1, '2026-11-01Z', '2026-12-01Z', 1000, 17, 115, 0, '{}'),
    ('account', $1, $1, '2026-11-20Z', '2026-11-21Z', 1000, 10, 100, 10, '{}') returning cap_id, window_end - window_start > '1 day' as is_month
)
insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, micros, cap_ids, state, asked_at,
  expires_at, body_hash, occurred_at, charged_micros, call_count, captured_count, book_id)
select hold_id, $1, $1, 'tool', $1, coalesce(event_id, hold_id), '{}', micros,
  array(select cap_id from cap where is_month or of_day order by is_month desc), state, '2026-11-20Z',
  '2026-11-20T01:00Z', 'hash', occurred_at, charged, call_count, captured_count, book_id
from (values
  ($2::uuid, null::uuid, 50, 'open', null::timestamptz, null::bigint, 5, 3, null::uuid, true),
  ($3, null, 25, 'settled', '2026-11-20T00:01Z', 10, 1, 0, $2, false),
  ($4, $5::uuid, 25, 'captured', null, null, 1, 0, $2, true),
  ($6, null, 25, 'expired', null, null, 1, 0, $2, false),
  ($7, null, 60, 'released', null, null, 4, 1, null, false),
  ($8, null, 25, 'captured', null, null, 1, 0, $7, true),
  (gen_random_uuid(), null, 60, 'expired', null, null, 3, 0, null, false),
  (gen_random_uuid(), null, 15, 'open', null, null, 1, 0, null, false),
  (gen_random_uuid(), null, 7, 'settled', '2026-11-20T00:02Z', 7, 1, 0, null, false)
) as h (hold_id, event_id, micros, state, occurred_at, charged, call_count, captured_count, book_id, of_day)`;

it('moves the calls of books of an earlier release into their own table, and keeps their money', async () => {
  const callOf = (index: number, of = book) => uuidV8('call', of, String(index));
  const ids = [account, book, callOf(4), callOf(1), eventId, callOf(2), ended, callOf(0, ended)];
  await owner.query(putText, ids);
  await migrate({ ownerUrl: test.ownerUrl, rolePasswords: (role) => new URL(test.urlFor(role)).password, log });

  const books = await owner.query(
    `select state, held_micros, each_micros, settled_calls, charged_micros, charged_of_caps::text, cardinality(cap_ids) as caps
     from gate.hold where call_count > 1 order by call_count desc`,
  );
  const none = { charged_micros: null, charged_of_caps: null };
  expect(books).toEqual([
    { ...bookRow('open', 75n, 25n), settled_calls: '00001', charged_micros: 10n, charged_of_caps: '{10,0}', caps: 2 },
    { ...bookRow('released', 25n, 20n), settled_calls: '0000', ...none, caps: 2 },
    { ...bookRow('expired', 0n, 20n), settled_calls: '000', ...none, caps: 1 },
  ]);
  const calls = await owner.query(
    `select book_id, call_index, event_id, micros, convert_from(body_hash, 'UTF8') as hash from gate.captured_call
     where account_id = $1 order by call_index`,
    [account],
  );
  expect(calls).toEqual([
    { book_id: ended, call_index: 0, event_id: callOf(0, ended), micros: 25n, hash: 'hash' },
    { book_id: book, call_index: 1, event_id: eventId, micros: 25n, hash: 'hash' },
  ]);
  expect(await owner.query('select count(*)::int as holds from gate.hold')).toEqual([{ holds: 5 }]);
  expect(await compareHeld(owner)).toEqual([]);
}, 60_000);

function bookRow(state: string, held: bigint, each: bigint) {
  return { state, held_micros: held, each_micros: each };
}
