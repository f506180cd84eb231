import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import {
  fromDbPart,
  toDbName,
  toDbPart,
  type DbPart,
  type Refund,
  type RefundPart,
  type RefundStatus,
} from './refund.ts';
import type { RefundableLine, RefundedLine } from './plan-refund.ts';

const columns = `refund_id, invoice_id, amount_cents, cause, status, failure_code, created_at, succeeded_at, part, stray_attempt_id,
  balance_cents, charge_object_id, order_id`;

const insertText = `
insert into billing.refund (${columns}, processor, object_id, reinstates)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;

/** The object of a refund that was made at the processor, the refund that this one undoes, and whose money it is. */
export interface RefundOrigin {
  readonly processor?: string;
  readonly objectId?: string;
  readonly reinstates?: string;
  readonly part?: RefundPart | null;
  readonly strayAttemptId?: string | null;
  readonly chargeObjectId?: string | null;
  readonly orderId?: string | null;
  /** The part that goes back to the consumer's balance. */
  readonly balanceCents?: bigint;
}

const none = {
  processor: null,
  objectId: null,
  reinstates: null,
  part: null,
  strayAttemptId: null,
  balanceCents: 0n,
  chargeObjectId: null,
  orderId: null,
} as const;

export type NewRefund = Omit<Refund, 'part' | 'strayAttemptId' | 'balanceCents' | 'chargeObjectId' | 'orderId'>;

export async function insertRefund(tx: Transaction, refund: NewRefund, origin: RefundOrigin = {}): Promise<void> {
  const { id, invoiceId, amountCents, cause, status, failureCode, createdAtMs, succeededAtMs } = refund;
  const times = [toIso(createdAtMs), succeededAtMs === null ? null : toIso(succeededAtMs)];
  const { processor, objectId, reinstates, part, strayAttemptId, balanceCents, chargeObjectId, orderId } = {
    ...none,
    ...origin,
  };
  const values = [id, invoiceId, String(amountCents), cause, status, failureCode, ...times];
  const given = part === null ? null : JSON.stringify(toDbPart(part));
  const money = [strayAttemptId, String(balanceCents), chargeObjectId, orderId];
  await tx.query(insertText, [...values, given, ...money, processor, objectId, reinstates]);
}

const findText = `select ${columns} from billing.refund where refund_id = $1`;

export async function findRefund(db: Queryable, id: string): Promise<Refund | undefined> {
  const [row] = await db.query<DbRefund>(findText, [id]);
  return row && fromDbRefund(row);
}

const lockText = `select ${columns} from billing.refund where refund_id = $1 for update`;

/** Locks the refund until the transaction ends. */
export async function lockRefund(tx: Transaction, id: string): Promise<Refund> {
  return fromDbRefund(onlyRow(await tx.query<DbRefund>(lockText, [id])));
}

const orderedText = `
select sum(amount_cents)::text as cents from billing.refund where refund_id = $1 or order_id = $1`;

/** The amount of the order that this refund is the first of, in cents. */
export async function sumOrderCents(tx: Transaction, id: string): Promise<bigint> {
  return BigInt(onlyRow(await tx.query<{ cents: string }>(orderedText, [id])).cents);
}

const listText = `select ${columns} from billing.refund where invoice_id = $1 order by created_at desc, refund_id desc`;

/** Lists an invoice's refunds, newest first. */
export async function listRefunds(db: Queryable, invoiceId: string): Promise<Refund[]> {
  return (await db.query<DbRefund>(listText, [invoiceId])).map(fromDbRefund);
}

export type RefundResult = Pick<Refund, 'failureCode' | 'succeededAtMs'> & {
  readonly status: Exclude<RefundStatus, 'pending'>;
};

const setStatusText = `
update billing.refund set status = $2, failure_code = $3, succeeded_at = $4 where refund_id = $1`;

export async function setRefundStatus(tx: Transaction, id: string, result: RefundResult): Promise<void> {
  const { status, failureCode, succeededAtMs } = result;
  await tx.query(setStatusText, [id, status, failureCode, succeededAtMs === null ? null : toIso(succeededAtMs)]);
}

const refundedCentsText = `
select coalesce(sum(amount_cents), 0)::text as cents, coalesce(sum(balance_cents), 0)::text as balance_cents
from billing.refund where invoice_id = $1 and status <> 'failed' and stray_attempt_id is null`;

export interface RefundedCents {
  readonly cents: bigint;
  /** The part that went back to the balance. */
  readonly balanceCents: bigint;
}

/** Sums the invoice's refunds that succeeded or are pending, without those of stray money. */
export async function sumRefundedCents(tx: Transaction, invoiceId: string): Promise<RefundedCents> {
  const row = onlyRow(await tx.query<{ cents: string; balance_cents: string }>(refundedCentsText, [invoiceId]));
  return { cents: BigInt(row.cents), balanceCents: BigInt(row.balance_cents) };
}

const pendingText = `
select coalesce(sum(amount_cents), 0)::text as cents from billing.refund
where invoice_id = $1 and status = 'pending' and stray_attempt_id is null`;

/** The sum of the invoice's refunds whose outcome is not known, in cents. No line has given them back yet. */
export async function sumPendingRefundCents(tx: Transaction, invoiceId: string): Promise<bigint> {
  return BigInt(onlyRow(await tx.query<{ cents: string }>(pendingText, [invoiceId])).cents);
}

const linesText = `
select l.invoice_id, l.place, l.builder_id, l.gross_key, l.release_place, l.charge_micros - coalesce(
  (select sum(r.charge_micros) from billing.refunded_line r where r.invoice_id = l.invoice_id and r.place = l.place), 0) as left_micros
from billing.released_line l
where l.released_by = $1 and l.release_place > $2 and ($4::uuid is null or l.builder_id = $4)
  and ($5::jsonb is null or exists (select from billing.invoice_line i
    join jsonb_to_recordset($5::jsonb) as n (tool_id text, price_id uuid, charge smallint) on n.tool_id = i.tool_id
      and coalesce(n.price_id, i.price_id) = i.price_id and coalesce(n.charge, i.charge_index) = i.charge_index
    where i.invoice_id = l.invoice_id and i.place = l.place))
order by l.release_place limit $3`;

const partLines = 2_000;

/**
 * Reads the lines that this invoice's payment released, in that order, with the amounts that refunds have left. With a
 * part, only those that it names.
 */
export async function readRefundableLines(
  tx: Transaction,
  invoiceId: string,
  part: RefundPart | null = null,
): Promise<RefundableLine[]> {
  const lines: RefundableLine[] = [];
  const shared = new Map<string, string>();
  const share = (text: string): string => shared.get(text) ?? (shared.set(text, text), text); // each id once in memory
  const names = part?.lines ? JSON.stringify(part.lines.map(toDbName)) : null;
  let after = 0;
  for (;;) {
    const values = [invoiceId, after, partLines, part?.builderId ?? null, names];
    const rows = await tx.query<DbRefundableLine>({ name: 'billing.read_refundable_lines', text: linesText }, values);
    for (const row of rows)
      lines.push({
        invoiceId: share(row.invoice_id),
        place: row.place,
        builderId: share(row.builder_id),
        grossKey: share(row.gross_key),
        leftMicros: micros(BigInt(row.left_micros)),
      });
    const last = rows.at(-1);
    if (last === undefined || rows.length < partLines) return lines;
    after = last.release_place;
  }
}

const refundedText = `
select invoice_id, place, builder_id, gross_key, charge_micros, earning_micros, fee_micros
from billing.refunded_line where refund_id = $1 order by invoice_id, place`;

/** Reads the lines of a refund. */
export async function readRefundedLines(tx: Transaction, refundId: string): Promise<RefundedLine[]> {
  const rows = await tx.query<DbRefundedLine>(refundedText, [refundId]);
  return rows.map((row) => ({
    ...fromDbPlace(row),
    chargeMicros: micros(BigInt(row.charge_micros)),
    earningMicros: micros(BigInt(row.earning_micros)),
    feeMicros: micros(BigInt(row.fee_micros)),
  }));
}

const insertLinesText = `
insert into billing.refunded_line (refund_id, invoice_id, place, builder_id, gross_key, charge_micros, earning_micros,
  fee_micros, refunded_at)
select $1, t.invoice_id, t.place, t.builder_id, t.gross_key, t.charge_micros, t.earning_micros, t.fee_micros, $3
from jsonb_to_recordset($2::jsonb) as t (invoice_id uuid, place integer, builder_id uuid, gross_key text,
  charge_micros numeric, earning_micros numeric, fee_micros numeric)`;

/** Inserts the lines some thousand at a time: the text of hundreds of thousands would take most of the heap. */
export async function insertRefundedLines(
  tx: Transaction,
  lines: readonly RefundedLine[],
  of: { readonly refundId: string; readonly refundedAtMs: number },
): Promise<void> {
  for (let start = 0; start < lines.length; start += partLines) {
    const rows = lines.slice(start, start + partLines).map(toDbLine);
    await tx.query(insertLinesText, [of.refundId, JSON.stringify(rows), toIso(of.refundedAtMs)]);
  }
}

function toDbLine(line: RefundedLine) {
  return {
    invoice_id: line.invoiceId,
    place: line.place,
    builder_id: line.builderId,
    gross_key: line.grossKey,
    charge_micros: String(line.chargeMicros),
    earning_micros: String(line.earningMicros),
    fee_micros: String(line.feeMicros),
  };
}

interface DbPlace {
  readonly invoice_id: string;
  readonly place: number;
  readonly builder_id: string;
  readonly gross_key: string;
}

interface DbRefundableLine extends DbPlace {
  readonly release_place: number;
  readonly left_micros: string;
}

interface DbRefundedLine extends DbPlace {
  readonly charge_micros: string;
  readonly earning_micros: string;
  readonly fee_micros: string;
}

function fromDbPlace(row: DbPlace) {
  return { invoiceId: row.invoice_id, place: row.place, builderId: row.builder_id, grossKey: row.gross_key };
}

interface DbRefund {
  readonly refund_id: string;
  readonly invoice_id: string;
  readonly amount_cents: string;
  readonly balance_cents: string;
  readonly cause: Refund['cause'];
  readonly status: RefundStatus;
  readonly failure_code: string | null;
  readonly created_at: Date;
  readonly succeeded_at: Date | null;
  readonly part: DbPart | null;
  readonly stray_attempt_id: string | null;
  readonly charge_object_id: string | null;
  readonly order_id: string | null;
}

function fromDbRefund(row: DbRefund): Refund {
  return {
    id: row.refund_id,
    invoiceId: row.invoice_id,
    amountCents: BigInt(row.amount_cents),
    balanceCents: BigInt(row.balance_cents),
    cause: row.cause,
    status: row.status,
    failureCode: row.failure_code,
    createdAtMs: row.created_at.getTime(),
    succeededAtMs: row.succeeded_at?.getTime() ?? null,
    part: row.part && fromDbPart(row.part),
    strayAttemptId: row.stray_attempt_id,
    chargeObjectId: row.charge_object_id,
    orderId: row.order_id,
  };
}
