import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import type { NoticedObject } from '../processor/webhook-ports.ts';

/** An object at the processor that may have changed without a webhook. */
export interface ObjectToReread {
  readonly kind: Exclude<NoticedObject['kind'], 'other'>;
  readonly id: string;
}

export interface Sweep {
  readonly dueAtMs: number;
  readonly after: { readonly kind: string; readonly id: string };
  readonly sweptAtMs: number | undefined;
}

interface SweepRow {
  readonly due_at: Date;
  readonly after_kind: string;
  readonly after_id: string;
  readonly swept_at: Date | null;
}

const readText = `
select due_at, after_kind, after_id, swept_at from billing.processor_sweep where processor = $1`;

/** Reads the progress of the sweep. Undefined if there has been none. */
export async function readSweep(db: Queryable, processor: string): Promise<Sweep | undefined> {
  const [row] = await db.query<SweepRow>(readText, [processor]);
  if (!row) return undefined;
  const after = { kind: row.after_kind, id: row.after_id };
  return { dueAtMs: row.due_at.getTime(), after, sweptAtMs: row.swept_at?.getTime() };
}

const writeText = `
insert into billing.processor_sweep (processor, due_at, after_kind, after_id, swept_at) values ($1, $2, $3, $4, $5)
on conflict (processor) do update
set due_at = excluded.due_at, after_kind = excluded.after_kind, after_id = excluded.after_id, swept_at = excluded.swept_at`;

export async function writeSweep(
  db: Queryable,
  processor: string,
  { dueAtMs, after, sweptAtMs }: Sweep,
): Promise<void> {
  const sweptAt = sweptAtMs === undefined ? null : toIso(sweptAtMs);
  await db.query(writeText, [processor, toIso(dueAtMs), after.kind, after.id, sweptAt]);
}

export interface ObjectsQuery extends Pick<Sweep, 'after'> {
  readonly processor: string;
  readonly limit: number;
  /** Includes customers that owe something, or were created or billed since then. */
  readonly customersSinceMs: number;
  /** Includes attempts that are unsettled, or were settled since then. */
  readonly attemptsSinceMs: number;
}

const listText = `
select kind, id from (
  select 'account' as kind, processor_account_id as id
  from billing.connected_account where processor = $1 and disconnected_at is null
  union all
  select 'customer', processor_customer_id
  from billing.processor_customer c
  where processor = $1 and (created_at >= $2 or exists (
    select from billing.invoice i where i.consumer_id = c.account_id
      and (i.issued_at >= $2 or i.status in ('open', 'past_due', 'uncollectible'))))
  union all
  select kind, object_id
  from billing.processor_attempt
  where processor = $1 and object_id is not null and (status = 'unknown' or settled_at >= $3)
  union all
  select 'dispute', processor_dispute_id from billing.dispute where processor = $1 and (status = 'open' or fee_cents is null or held_cents <> 0)
) as objects
where (kind, id) > ($4, $5) order by kind, id limit $6`;

/** Lists objects to read again, ordered by kind and id. All connected accounts and all open disputes are among them. */
export async function listObjectsToReread(db: Queryable, query: ObjectsQuery): Promise<ObjectToReread[]> {
  const { processor, customersSinceMs, attemptsSinceMs, after, limit } = query;
  const values = [processor, toIso(customersSinceMs), toIso(attemptsSinceMs), after.kind, after.id, limit];
  return db.query<ObjectToReread>(listText, values);
}
