import type { Transaction } from '@tollgate/database/database';
import type { ScopeAt } from './sql-read-settled-movements.ts';

/** A dispute as our books have it. */
export interface BookedDispute {
  readonly objectId: string;
  readonly amountCents: bigint;
  readonly status: string;
  /** The money that the processor holds while the dispute is open. */
  readonly takenCents: bigint;
  /** Null: it was booked before fees were. */
  readonly feeCents: bigint | null;
  /** The amount of the refund that it is; 0 if it took nothing. */
  readonly refundedCents: bigint;
  readonly openedAtMs: number;
  /** The charges of its invoice or top-up. */
  readonly charges: readonly string[];
}

const text = `
select d.processor_dispute_id as object_id, d.amount_cents, d.status, d.taken_cents, d.fee_cents, d.opened_at,
  coalesce(r.amount_cents, t.amount_cents, 0) + coalesce(back.amount_cents, t_back.amount_cents, 0) as refunded_cents,
  array(select a.object_id from billing.processor_attempt a
    where a.kind = 'charge' and a.subject_id = coalesce(d.invoice_id, d.top_up_id) and a.object_id is not null) as charges
from billing.dispute d left join billing.invoice i using (invoice_id)
left join billing.top_up u on u.top_up_id = d.top_up_id
left join billing.refund r on r.refund_id = d.refund_id
left join billing.refund back on back.reinstates = d.refund_id
left join billing.top_up_refund t on t.refund_id = d.refund_id
left join billing.top_up_refund t_back on t_back.reinstates = d.refund_id
where d.processor = $3 and coalesce(i.period, to_char(d.opened_at at time zone 'UTC', 'YYYY-MM')) = $1
  and ($2::uuid is null or coalesce(i.consumer_id, u.account_id) = $2)
order by d.processor_dispute_id`;

export async function readDisputesOf(tx: Transaction, { period, accountId, processor }: ScopeAt) {
  const rows = await tx.query<DbDispute>(text, [period, accountId ?? null, processor]);
  return rows.map((row): BookedDispute => ({
    objectId: row.object_id,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    takenCents: BigInt(row.taken_cents),
    feeCents: row.fee_cents === null ? null : BigInt(row.fee_cents),
    refundedCents: BigInt(row.refunded_cents),
    openedAtMs: row.opened_at.getTime(),
    charges: row.charges,
  }));
}

interface DbDispute {
  readonly object_id: string;
  readonly amount_cents: string;
  readonly status: string;
  readonly taken_cents: string;
  readonly fee_cents: string | null;
  readonly refunded_cents: string;
  readonly opened_at: Date;
  readonly charges: readonly string[];
}
