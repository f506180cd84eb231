import { toIso } from '@tollgate/kernel/clock';
import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import type { Payout, PayoutStatus } from './payout.ts';

export const payoutColumns = `payout_id, builder_id, period, status, net_cents, held_cents,
  fee_cents, earning_left_micros, fee_left_micros, schedules, failures, failing_since, due_at, created_at, paid_at`;

const periodOfLine = `
  select coalesce(l.adjustment_of, i.period) from billing.invoice_line l join billing.invoice i using (invoice_id)
  where l.invoice_id = m.invoice_id and l.place = m.place`;
const periodOfShare = `
  select i.period from billing.processor_attempt a join billing.invoice i on i.invoice_id = a.subject_id
  where a.attempt_id = m.attempt_id`;
const moneyTables = [
  { table: 'released_line', periodText: periodOfLine },
  { table: 'refunded_line', periodText: periodOfLine },
  { table: 'processor_fee_share', periodText: periodOfShare },
  { table: 'transfer_return', periodText: "select ''" }, // it belongs to an earlier payout, so to an earlier month
];

/**
 * Gives a payout the lines released and refunded, the parts of transfers returned, and the shares in the processor's fees,
 * since the builder's last payout, all of months up to the payout's own. The builder's gross must be locked, so that no line
 * is added meanwhile. Only where a later month is closed is the month of each looked up.
 */
const takeTexts = moneyTables.map(
  ({ table, periodText }) => `
update billing.${table} m set payout_id = t.payout_id
from unnest($1::uuid[], $2::uuid[]) as t (payout_id, builder_id)
where m.builder_id = t.builder_id and m.payout_id is null
  and (not exists (select from billing.closed_period c where c.period > $3) or (${periodText}) <= $3)`,
);

const insertText = `
insert into billing.payout (payout_id, builder_id, period, status, net_cents, held_cents, fee_cents, earning_left_micros,
  fee_left_micros, due_at, created_at)
select payout_id, builder_id, period, status, net_cents, held_cents, fee_cents, earning_left_micros, fee_left_micros, due_at, created_at
from jsonb_to_recordset($1::jsonb) as t (payout_id uuid, builder_id uuid, period text, status text, net_cents numeric,
  held_cents numeric, fee_cents numeric, earning_left_micros numeric, fee_left_micros numeric, due_at timestamptz, created_at timestamptz)`;

/** Stores payouts of a period and gives them their lines. Fails as a whole if a builder already has a payout of it. */
export async function insertPayouts(tx: Transaction, period: string, payouts: readonly Payout[]): Promise<void> {
  if (payouts.length === 0) return;
  const rows = payouts.map(toDbPayout);
  await tx.query({ name: 'billing.insert_payouts', text: insertText }, [JSON.stringify(rows)]);
  const taken = [payouts.map(({ id }) => id), payouts.map(({ builderId }) => builderId), period];
  for (const [index, text] of takeTexts.entries()) await tx.query({ name: `take-lines-${index}`, text }, taken);
}

const lockText = `select ${payoutColumns} from billing.payout where payout_id = $1 for update`;

/** Locks a payout until the transaction ends. Undefined if there is no such payout. */
export async function lockPayout(tx: Transaction, id: string): Promise<Payout | undefined> {
  const [row] = await tx.query<DbPayout>({ name: 'billing.lock_payout', text: lockText }, [id]);
  return row && fromDbPayout(row);
}

const updateText = `
update billing.payout set status = $2, schedules = $3, failures = $4, due_at = $5, paid_at = $6, net_cents = $7,
  held_cents = $8, failing_since = $9
where payout_id = $1`;

/** Updates a locked payout. */
export async function updatePayout(tx: Transaction, payout: Payout): Promise<void> {
  const { id, status, schedules, failures, dueAtMs, paidAtMs, netCents, heldCents, failingSinceMs } = payout;
  const state = [id, status, schedules, failures, toDbTime(dueAtMs), toDbTime(paidAtMs)];
  const values = [...state, String(netCents), String(heldCents), toDbTime(failingSinceMs)];
  await tx.query({ name: 'billing.update_payout', text: updateText }, values);
}

export interface StoredPayoutsQuery {
  readonly builderId: string;
  readonly status?: PayoutStatus | undefined;
  readonly period?: string | undefined;
  /** Only payouts of earlier periods. */
  readonly beforePeriod?: string | undefined;
  readonly limit: number;
}

const pageText = `
select ${payoutColumns} from billing.payout
where builder_id = $1 and ($2::text is null or status = $2) and ($3::text is null or period = $3)
  and ($4::text is null or period < $4)
order by period desc limit $5`;

const totalText = `
select count(*)::int as total from billing.payout
where builder_id = $1 and ($2::text is null or status = $2) and ($3::text is null or period = $3)`;

/** Reads one page of a builder's stored payouts, latest period first. */
export async function readPayouts(tx: Transaction, query: StoredPayoutsQuery) {
  const { builderId, status = null, period = null, beforePeriod = null, limit } = query;
  const rows = await tx.query<DbPayout>(pageText, [builderId, status, period, beforePeriod, limit]);
  const { total } = onlyRow(await tx.query<{ total: number }>(totalText, [builderId, status, period]));
  return { payouts: rows.map(fromDbPayout), total };
}

const findText = `select ${payoutColumns} from billing.payout where builder_id = $1 and payout_id = $2`;

export async function readPayout(tx: Transaction, builderId: string, id: string): Promise<Payout | undefined> {
  const [row] = await tx.query<DbPayout>(findText, [builderId, id]);
  return row && fromDbPayout(row);
}

const anyText = `select ${payoutColumns} from billing.payout where payout_id = $1`;

/** Reads a payout of any builder. */
export async function readAnyPayout(tx: Transaction, id: string): Promise<Payout | undefined> {
  const [row] = await tx.query<DbPayout>(anyText, [id]);
  return row && fromDbPayout(row);
}

export interface DbPayout {
  readonly payout_id: string;
  readonly builder_id: string;
  readonly period: string;
  readonly status: PayoutStatus;
  readonly net_cents: string;
  readonly held_cents: bigint;
  readonly fee_cents: string;
  readonly earning_left_micros: string;
  readonly fee_left_micros: string;
  readonly schedules: number;
  readonly failures: number;
  readonly failing_since: Date | null;
  readonly due_at: Date | null;
  readonly created_at: Date;
  readonly paid_at: Date | null;
}

export function fromDbPayout(row: DbPayout): Payout {
  return {
    id: row.payout_id,
    builderId: row.builder_id,
    period: row.period,
    status: row.status,
    netCents: BigInt(row.net_cents),
    heldCents: row.held_cents,
    feeCents: BigInt(row.fee_cents),
    left: {
      earningMicros: micros(BigInt(row.earning_left_micros)),
      feeMicros: micros(BigInt(row.fee_left_micros)),
    },
    schedules: row.schedules,
    failures: row.failures,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    dueAtMs: row.due_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    paidAtMs: row.paid_at?.getTime() ?? null,
  };
}

function toDbPayout(payout: Payout) {
  const { id, builderId, period, status, netCents, heldCents, feeCents, left, dueAtMs, createdAtMs } = payout;
  return {
    payout_id: id,
    builder_id: builderId,
    period,
    status,
    net_cents: String(netCents),
    held_cents: String(heldCents),
    fee_cents: String(feeCents),
    earning_left_micros: String(left.earningMicros),
    fee_left_micros: String(left.feeMicros),
    due_at: toDbTime(dueAtMs),
    created_at: toIso(createdAtMs),
  };
}

function toDbTime(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}
