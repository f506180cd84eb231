import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

/** A consumer whose invoice could not be made when a period closed. */
export interface UnclosedConsumer {
  readonly consumerId: string;
  /** The first period that it has no invoice of. */
  readonly period: string;
  readonly reason: string;
  readonly failures: number;
  readonly setAsideAtMs: number;
  readonly retryAtMs: number;
}

const firstText = `select consumer_id, period from billing.unclosed_consumer where consumer_id = any ($1::uuid[])`;

/** The first period that each of these consumers lacks an invoice of. Consumers who lack none are not in the map. */
export async function readFirstUnclosed(
  tx: Transaction,
  consumerIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ consumer_id: string; period: string }>(
    { name: 'billing.read_first_unclosed', text: firstText },
    [consumerIds],
  );
  return new Map(rows.map((row) => [row.consumer_id, row.period]));
}

const putText = `
insert into billing.unclosed_consumer as u (consumer_id, period, reason, set_aside_at, retry_at)
select $1, $2, $3, $4::timestamptz, $4::timestamptz + $5::bigint * interval '1 millisecond'
where not exists (select from billing.invoice i where i.consumer_id = $1 and i.period >= $2)
on conflict (consumer_id) do update set reason = excluded.reason, failures = u.failures + 1,
  retry_at = excluded.set_aside_at + least($5::bigint * power(2, u.failures), $6::bigint) * interval '1 millisecond'`;

const firstRetryMs = 5 * 60_000;
const lastRetryMs = 6 * 3_600_000;

/** Needs the lock of `lockClosing`. Does nothing when another close has billed the period meanwhile. */
export async function putUnclosedConsumer(
  tx: Transaction,
  { consumerId, period, reason }: Pick<UnclosedConsumer, 'consumerId' | 'period' | 'reason'>,
  nowMs: number,
): Promise<void> {
  const values = [consumerId, period, reason, toIso(nowMs), firstRetryMs, lastRetryMs];
  await tx.query({ name: 'billing.put_unclosed_consumer', text: putText }, values);
}

const deleteText = `delete from billing.unclosed_consumer where consumer_id = any ($1::uuid[])`;

/** Call it in the transaction that stores their invoices. */
export async function deleteUnclosedConsumers(tx: Transaction, consumerIds: readonly string[]): Promise<void> {
  await tx.query({ name: 'billing.delete_unclosed_consumers', text: deleteText }, [consumerIds]);
}

const columns = 'consumer_id, period, reason, failures, set_aside_at, retry_at';

interface DbUnclosedConsumer {
  readonly consumer_id: string;
  readonly period: string;
  readonly reason: string;
  readonly failures: number;
  readonly set_aside_at: Date;
  readonly retry_at: Date;
}

const dueText = `select ${columns} from billing.unclosed_consumer
  where retry_at <= $1 and period <= (select max(period) from billing.closed_period)
  order by retry_at limit $2`;

/** At most `limit` consumers that are to be tried again by `nowMs`. While their period is being closed, they wait. */
export async function listDueUnclosed(db: Queryable, nowMs: number, limit: number): Promise<UnclosedConsumer[]> {
  const values = [toIso(nowMs), limit];
  const rows = await db.query<DbUnclosedConsumer>({ name: 'billing.list_due_unclosed', text: dueText }, values);
  return rows.map(fromDbUnclosed);
}

const pageText = `select ${columns} from billing.unclosed_consumer
  where $1::timestamptz is null or (set_aside_at, consumer_id) < ($1, $2::uuid)
  order by set_aside_at desc, consumer_id desc limit $3`;

/** Lists all consumers that are set aside, newest first by (set_aside_at, consumer_id). */
export async function listUnclosedConsumers(
  db: Queryable,
  { after, limit }: PageQuery,
): Promise<ListPage<UnclosedConsumer>> {
  const values = [after ? toIso(after.createdAtMs) : null, after?.id ?? null, limit + 1];
  const rows = await db.query<DbUnclosedConsumer>({ name: 'billing.list_unclosed_consumers', text: pageText }, values);
  return { rows: rows.map(fromDbUnclosed), total: await countUnclosedConsumers(db) };
}

const countText = 'select count(*)::int as total from billing.unclosed_consumer';

export async function countUnclosedConsumers(db: Queryable): Promise<number> {
  return onlyRow(await db.query<{ total: number }>({ name: 'billing.count_unclosed_consumers', text: countText }))
    .total;
}

function fromDbUnclosed(row: DbUnclosedConsumer): UnclosedConsumer {
  return {
    consumerId: row.consumer_id,
    period: row.period,
    reason: row.reason,
    failures: row.failures,
    setAsideAtMs: row.set_aside_at.getTime(),
    retryAtMs: row.retry_at.getTime(),
  };
}
