import type { Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { insertMails } from '../events/sql-insert-mails.ts';
import type { Outcome } from './plan-outcome.ts';
import type { Try } from './send-webhook.ts';
import type { Claimed } from './sql-claim-deliveries.ts';

// The number of the attempt is the fence: if the delivery was claimed anew meanwhile, whoever did that settles it.
const settle = {
  name: 'notify.settle_delivery',
  text: `with settled as (
  update notify.delivery set status = $4, due_at = $5, tries = $6, claimed_until = null
  where event_id = $1 and endpoint_id = $2 and attempts = $3 and status = 'pending'
), noted as (
  insert into notify.attempt (event_id, endpoint_id, number, started_at, duration_ms, status, error, answer)
  select d.event_id, d.endpoint_id, $3, $7, $8, $9, $10, $11 from notify.delivery d
  where d.event_id = $1 and d.endpoint_id = $2 on conflict do nothing
)
update notify.endpoint set is_trusted = $10 is null,
  failing_since = case when $10 is not null then coalesce(failing_since, $7) end
where endpoint_id = $2 and (is_trusted <> ($10 is null) or (failing_since is null) <> ($10 is null))`,
};

/** Writes down what came of a try: for the delivery, for its owner, and for the endpoint. */
export async function settleDelivery(db: Queryable, claimed: Claimed, { sent, outcome }: Settled): Promise<void> {
  const { eventId, endpointId, attempt } = claimed;
  const dueAt = outcome.dueAtMs === null ? null : toIso(outcome.dueAtMs);
  const next = [outcome.status, dueAt, outcome.tries];
  const tried = [toIso(sent.startedAtMs), sent.durationMs, sent.status, sent.error, sent.answer];
  await db.query(settle, [eventId, endpointId, attempt, ...next, ...tried]);
}

export interface Settled {
  readonly sent: Try;
  readonly outcome: Outcome;
}

const release = {
  name: 'notify.release_delivery',
  text: `update notify.delivery set claimed_until = null
where event_id = $1 and endpoint_id = $2 and attempts = $3 and status = 'pending'`,
};

/** Lets anybody send it at once. */
export async function releaseDelivery(db: Queryable, { eventId, endpointId, attempt }: Claimed): Promise<void> {
  await db.query(release, [eventId, endpointId, attempt]);
}

const disable = {
  name: 'notify.disable_endpoint',
  text: `with disabled as (
  update notify.endpoint set disabled_for = $2, is_trusted = false where endpoint_id = $1 and disabled_for is null
  returning endpoint_id, account_id, url
), stored as (
  insert into notify.event (event_id, account_id, type, data, happened_at, stored_at)
  select gen_random_uuid(), account_id, 'webhook_endpoint.disabled',
    jsonb_build_object('id', endpoint_id, 'url', url, 'reason', $2::text), $3, $4
  from disabled returning event_id, account_id, type, data, happened_at
), mailed as (
  ${insertMails('stored', { now: '$4', types: '$5' })}
)
insert into notify.delivery (event_id, endpoint_id, due_at)
select s.event_id, e.endpoint_id, $4 from stored s join notify.endpoint e on e.account_id = s.account_id or e.account_id is null
where e.endpoint_id <> $1 and e.disabled_for is null and (e.types is null or s.type = any (e.types))`,
};

export interface Disabling {
  readonly endpointId: string;
  readonly reason: 'gone' | 'failing';
  /** Goes by the clock of the services. */
  readonly happenedAtMs: number;
  /** Goes by real time. */
  readonly nowMs: number;
  /** Events of these types are mailed. */
  readonly mailTypes: readonly string[];
}

/** Sends nothing to the endpoint any more, and tells the others of its account, and its owner by mail. What waits for it goes on if it is enabled. */
export async function disableEndpoint(
  db: Queryable,
  { endpointId, reason, happenedAtMs, nowMs, mailTypes }: Disabling,
): Promise<void> {
  await db.query(disable, [endpointId, reason, toIso(happenedAtMs), toIso(nowMs), mailTypes]);
}
