import type { Queryable } from '@tollgate/database/database';

const capsText = `
insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros,
  unheld_micros, alerts)
select scope, coalesce(pass, account), account, start, until, 9000000, spent, held, unheld, '{}' from (values
  ('account', null, '1000000a-0000-4000-8000-000000000000'::uuid, '2024-01-01Z'::timestamptz, '2024-02-01Z'::timestamptz, 4500000, 20000, 4490000),
  ('pass', 'aa00000a-0000-4000-8000-000000000000'::uuid, '1000000a-0000-4000-8000-000000000000', '1970-01-01Z', '9999-12-31Z', 10000, 20000, 0),
  ('account', null, '1000000b-0000-4000-8000-000000000000', '2024-01-01Z', '2024-02-01Z', 60000, 10000, 60000)
) as t (scope, pass, account, start, until, spent, held, unheld)`;

const holdText = `
insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state, asked_at, expires_at,
  occurred_at, charged_micros)
select gen_random_uuid(), e.consumer_id, e.consumer_id, 'search', gen_random_uuid(), e.event_id, '{}', h.micros,
  array(select cap_id from gate.cap_state where account_id = e.consumer_id), h.state, '2024-01-20T10:00Z', '2024-01-20T10:05Z',
  h.occurred_at, h.charged
from (values ('1000000a-0000-4000-8000-000000000000'::uuid, 1, 'settled', 10000, '2024-01-20T10:00:01Z'::timestamptz, 10000),
  ('1000000a-0000-4000-8000-000000000000', 2, 'open', 20000, null, null),
  ('1000000b-0000-4000-8000-000000000000', 1, 'captured', 10000, null, null)) as h (account, place, state, micros, occurred_at, charged)
join (select consumer_id, event_id, row_number() over (partition by consumer_id order by occurred_at) as place from usage.event) e
  on e.consumer_id = h.account and e.place = h.place`;

/**
 * The caps of both consumers, as the gateway leaves them. The first has a pass, one settled call and one that is authorized.
 * A call of the other is counted, and not settled yet.
 */
export async function putCaps(owner: Queryable): Promise<void> {
  await owner.query(capsText);
  await owner.query(holdText);
}
