import { toIso } from '@tollgate/kernel/clock';
import type { Database, Transaction } from '@tollgate/database/database';
import { claimInTurn } from './claim-in-turn.ts';

/** A webhook that this process alone sends now. */
export interface Claimed {
  readonly eventId: string;
  readonly endpointId: string;
  /** The number of this attempt. Whoever claims the delivery later has another. */
  readonly attempt: number;
  /** How often it failed since it was last ordered. */
  readonly tries: number;
  readonly type: string;
  readonly happenedAtMs: number;
  readonly data: Readonly<Record<string, unknown>>;
  /** The span that caused it, if somebody follows its trace. */
  readonly traceparent: string | null;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly oldSecret: { readonly sealed: Uint8Array; readonly untilMs: number } | null;
  readonly isTrusted: boolean;
  readonly failingSinceMs: number | null;
}

export interface Claim {
  readonly nowMs: number;
  /** Until then nobody else sends what is claimed. */
  readonly untilMs: number;
  readonly perEndpointMax: number;
  /** How many may be claimed, and how many of these to endpoints whose last answer was no success. */
  readonly free: number;
  readonly freeUntrusted: number;
}

const lock = {
  name: 'notify.lock_claims',
  text: `select pg_advisory_xact_lock(hashtextextended('notify.claim', 0))`,
};

// The walk over the index finds the endpoints that have something waiting, however much one of them has. An endpoint gives
// what is due, the oldest first, and no more than it may be sent at once. One that has not failed goes before those that did,
// so that a new one does not wait for all of them.
const claimText = `
with recursive waiting (endpoint_id) as (
  (select d.endpoint_id from notify.delivery d where d.due_at is not null order by d.endpoint_id limit 1)
  union all
  select (select d.endpoint_id from notify.delivery d
    where d.due_at is not null and d.endpoint_id > w.endpoint_id order by d.endpoint_id limit 1)
  from waiting w where w.endpoint_id is not null
), chosen as materialized (
  select d.event_id, d.endpoint_id
  from waiting w join notify.endpoint e on e.endpoint_id = w.endpoint_id and e.disabled_for is null and e.is_trusted = $1
  cross join lateral (
    select x.event_id, x.endpoint_id, x.due_at from notify.delivery x
    where x.endpoint_id = e.endpoint_id and x.due_at <= $2 and (x.claimed_until is null or x.claimed_until <= $2)
    order by x.due_at limit greatest(0, $4 - (
      select count(*) from notify.delivery c where c.endpoint_id = e.endpoint_id and c.claimed_until > $2))
  ) d
  order by e.failing_since is not null, d.due_at limit $5
), claimed as (
  update notify.delivery d set attempts = d.attempts + 1, claimed_until = $3
  from chosen c where d.event_id = c.event_id and d.endpoint_id = c.endpoint_id
  returning d.event_id, d.endpoint_id, d.attempts, d.tries
)
select c.event_id, c.endpoint_id, c.attempts, c.tries, v.type, v.happened_at, v.data, v.traceparent, e.url, e.secret, e.old_secret,
  e.old_secret_until, e.is_trusted, e.failing_since
from claimed c join notify.event v using (event_id) join notify.endpoint e using (endpoint_id)`;

interface DbClaimed {
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly tries: number;
  readonly type: string;
  readonly happened_at: Date;
  readonly data: Record<string, unknown>;
  readonly traceparent: string | null;
  readonly url: string;
  readonly secret: Uint8Array;
  readonly old_secret: Uint8Array | null;
  readonly old_secret_until: Date | null;
  readonly is_trusted: boolean;
  readonly failing_since: Date | null;
}

/** Claims what is due. Endpoints that answer come first; the others share what is left for them. */
export async function claimDeliveries(worker: Database, claim: Claim): Promise<readonly Claimed[]> {
  const { free, freeUntrusted: freeOfSecond } = claim;
  return claimInTurn(worker, {
    lock,
    free,
    freeOfSecond,
    claimOf: (tx, kind, limit) => claimOf(tx, claim, { isTrusted: kind === 'first', limit }),
  });
}

async function claimOf(
  tx: Transaction,
  { nowMs, untilMs, perEndpointMax }: Claim,
  { isTrusted, limit }: { isTrusted: boolean; limit: number },
): Promise<Claimed[]> {
  const values = [isTrusted, toIso(nowMs), toIso(untilMs), perEndpointMax, limit];
  const rows = await tx.query<DbClaimed>({ name: 'notify.claim_deliveries', text: claimText }, values);
  return rows.map(fromDbClaimed);
}

function fromDbClaimed(row: DbClaimed): Claimed {
  const { old_secret: sealed, old_secret_until: until } = row;
  return {
    eventId: row.event_id,
    endpointId: row.endpoint_id,
    attempt: row.attempts,
    tries: row.tries,
    type: row.type,
    happenedAtMs: row.happened_at.getTime(),
    data: row.data,
    traceparent: row.traceparent,
    url: row.url,
    secret: row.secret,
    oldSecret: sealed && until && { sealed, untilMs: until.getTime() },
    isTrusted: row.is_trusted,
    failingSinceMs: row.failing_since?.getTime() ?? null,
  };
}
