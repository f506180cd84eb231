import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';

/** Something that happened. */
export interface StoredEvent {
  readonly eventId: string;
  /** Its place in the list. */
  readonly place: bigint;
  readonly type: string;
  readonly happenedAtMs: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventName {
  readonly eventId: string;
  readonly accountId: string;
}

interface DbEvent {
  readonly event_id: string;
  readonly place: bigint;
  readonly type: string;
  readonly happened_at: Date;
  readonly data: Record<string, unknown>;
}

const columns = 'event_id, place, type, happened_at, data';

export interface EventPageQuery {
  readonly accountId: string;
  readonly type?: string | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** The place of the last event of the page before. */
  readonly beforePlace?: bigint | undefined;
  readonly rowsMax: number;
}

const filter = `account_id = $1 and ($2::text is null or type = $2) and ($3::timestamptz is null or happened_at >= $3)
  and ($4::timestamptz is null or happened_at < $4)`;
// Without names, so that each call is planned for the filters that it has.
const pageText = `select ${columns} from notify.event where ${filter} and ($5::bigint is null or place < $5)
order by place desc limit $6`;
const totalText = `select count(*)::int as total from notify.event where ${filter}`;

/** A page of an account's events, newest first, and how many there are in all. */
export async function listEvents(tx: Transaction, query: EventPageQuery) {
  const { accountId, type = null, fromMs, toMs, beforePlace, rowsMax } = query;
  const wanted = [accountId, type, timeOrNull(fromMs), timeOrNull(toMs)];
  const rows = await tx.query<DbEvent>(pageText, [...wanted, beforePlace?.toString() ?? null, rowsMax]);
  const { total } = onlyRow(await tx.query<{ total: number }>(totalText, wanted));
  return { rows: rows.map(fromDbEvent), total };
}

function timeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : toIso(ms);
}

const find = {
  name: 'notify.find_event',
  text: `select ${columns} from notify.event where event_id = $1 and account_id = $2`,
};

export async function findEvent(db: Queryable, { eventId, accountId }: EventName): Promise<StoredEvent | undefined> {
  const [row] = await db.query<DbEvent>(find, [eventId, accountId]);
  return row && fromDbEvent(row);
}

const insert = {
  name: 'notify.insert_test',
  text: `with stored as (
  insert into notify.event (event_id, account_id, type, data, happened_at, stored_at)
  values ($1, $2::uuid, 'webhook.test', jsonb_build_object('endpoint_id', $3::uuid), $4, $5)
  returning ${columns}
), told as (
  insert into notify.delivery (event_id, endpoint_id, due_at) values ($1, $3, $5)
)
select ${columns} from stored`,
};

export interface NewTest {
  readonly eventId: string;
  readonly accountId: string | null;
  readonly endpointId: string;
  readonly happenedAtMs: number;
  readonly nowMs: number;
}

/** An event that one endpoint alone is told. */
export async function insertTest(tx: Transaction, test: NewTest): Promise<StoredEvent> {
  const { eventId, accountId, endpointId, happenedAtMs, nowMs } = test;
  const values = [eventId, accountId, endpointId, toIso(happenedAtMs), toIso(nowMs)];
  return fromDbEvent(onlyRow(await tx.query<DbEvent>(insert, values)));
}

function fromDbEvent(row: DbEvent): StoredEvent {
  const { event_id: eventId, place, type, happened_at: happenedAt, data } = row;
  return { eventId, place, type, happenedAtMs: happenedAt.getTime(), data };
}
