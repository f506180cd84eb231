import { toIso } from '@tollgate/kernel/clock';
import type { Queryable, Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import type { TracedEvent } from './trace.ts';
import { fromDbLine, lineColumns, type DbLine } from '../invoicing/sql-invoice-lines.ts';

const columns = 'consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, pass_id';

export interface EventPlace {
  readonly consumerId: string;
  readonly occurredAtMs: number;
}

const keyText = `select consumer_id, occurred_at from usage.event_key_v1 where event_id = $1::uuid`;

/** Finds where the event of a derived id lies, or lay. Keys are kept for ever. */
export async function findKeyedPlace(db: Queryable, eventId: string): Promise<EventPlace | undefined> {
  const [row] = await db.query<{ consumer_id: string; occurred_at: Date }>(keyText, [eventId]);
  return row && { consumerId: row.consumer_id, occurredAtMs: row.occurred_at.getTime() };
}

/** Finds an event by the primary key. */
const atText = `select ${columns} from usage.event_v1
where consumer_id = $2::uuid and occurred_at = $3::timestamptz and event_id = $1::uuid`;

/** Reads the event at this place. Undefined if its day is no longer kept, or the reader may not see it. */
export async function findEventAt(
  db: Queryable,
  eventId: string,
  { consumerId, occurredAtMs }: EventPlace,
): Promise<TracedEvent | undefined> {
  const [row] = await db.query<DbEvent>(atText, [eventId, consumerId, toIso(occurredAtMs)]);
  return row && fromDbEvent(row);
}

/**
 * Finds an event by the index of events without a key, in the few days in which an event received at this time can lie.
 * The time is a number, since an id may contain times that PostgreSQL cannot read as ISO text.
 */
const receivedAtText = `select ${columns} from usage.event_v1
where event_id = $1::uuid and idempotency_key is null
  and occurred_at between to_timestamp($2::float8 / 1000) - interval '25 hours'
                      and to_timestamp($2::float8 / 1000) + interval '1 hour'`;

/** Finds an event without a key, whose id contains the time of its receipt. */
export async function findEventReceivedAt(
  db: Queryable,
  eventId: string,
  receivedAtMs: number,
): Promise<TracedEvent | undefined> {
  const [row] = await db.query<DbEvent>(receivedAtText, [eventId, receivedAtMs]);
  return row && fromDbEvent(row);
}

const keptSinceText = `select kept_since from usage.kept_since_v1`;

/** Reads the time before which events are no longer kept. Undefined if no events are kept. */
export async function readKeptSince(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ kept_since: Date | null }>(keptSinceText);
  return row?.kept_since?.getTime();
}

interface DbEvent {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly pass_id: string | null;
}

function fromDbEvent(row: DbEvent): TracedEvent {
  return {
    eventId: row.event_id,
    consumerId: row.consumer_id,
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    receivedAtMs: row.received_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms,
    metadata: row.metadata ?? {},
    passId: row.pass_id,
  };
}

export interface CollectingInvoice {
  readonly id: string;
  /** When billing charges the invoice next by itself. Null if it never will again, or if a charge is in progress. */
  readonly collectAtMs: number | null;
}

const text = `
select invoice_id, collect_at from billing.invoice
where consumer_id = $1 and period >= $2 and total_cents > 0
order by period limit 1`;

/**
 * Finds the invoice that collects the charges of this period's invoice: itself, or the next one that bills anything.
 */
export async function findCollectingInvoice(
  tx: Transaction,
  of: { readonly consumerId: string; readonly period: string },
): Promise<CollectingInvoice | undefined> {
  const [row] = await tx.query<{ invoice_id: string; collect_at: Date | null }>(
    { name: 'billing.find_collecting_invoice', text },
    [of.consumerId, of.period],
  );
  return row && { id: row.invoice_id, collectAtMs: row.collect_at?.getTime() ?? null };
}

export interface CallLine {
  readonly invoiceId: string;
  readonly line: Line;
  /** Null until the line's money is collected. */
  readonly released: {
    readonly releasedAtMs: number;
    readonly feeMicros: Micros;
    /** The payout that contains it; null if there is none yet. */
    readonly payoutId: string | null;
  } | null;
  readonly refundedMicros: Micros;
}

const readCallLinesText = `
select ${lineColumns}, r.released_at, r.fee_micros, r.payout_id,
  (select coalesce(sum(f.charge_micros), 0) from billing.refunded_line f
   where f.invoice_id = l.invoice_id and f.place = l.place) as refunded_micros
from billing.invoice i join billing.invoice_line l using (invoice_id)
left join billing.released_line r on r.invoice_id = l.invoice_id and r.place = l.place
where i.consumer_id = $1 and i.period >= $2 and coalesce(l.adjustment_of, i.period) = $2 and l.price_id = $3
order by i.period, l.place`;

/** Reads the invoice lines of a month's calls under one price version, in the order of their invoices. */
export async function readCallLines(
  tx: Transaction,
  of: { readonly consumerId: string; readonly period: string; readonly priceId: string },
): Promise<CallLine[]> {
  const rows = await tx.query<Row>({ name: 'billing.read_call_lines', text: readCallLinesText }, [
    of.consumerId,
    of.period,
    of.priceId,
  ]);
  return rows.map((row) => ({
    invoiceId: row.invoice_id,
    line: fromDbLine(row),
    released: row.released_at && {
      releasedAtMs: row.released_at.getTime(),
      feeMicros: micros(BigInt(row.fee_micros ?? 0)),
      payoutId: row.payout_id,
    },
    refundedMicros: micros(BigInt(row.refunded_micros)),
  }));
}

interface Row extends DbLine {
  readonly released_at: Date | null;
  readonly fee_micros: string | null;
  readonly payout_id: string | null;
  readonly refunded_micros: string;
}
