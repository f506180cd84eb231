import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

/** An order to the processor that had no answer yet. */
export interface UnknownOutcome {
  readonly id: string;
  readonly kind: 'charge' | 'refund' | 'transfer';
  readonly accountId: string | null;
  readonly invoiceId: string | null;
  readonly payoutId: string | null;
  readonly amountCents: bigint;
  readonly processor: string;
  readonly startedAtMs: number;
  readonly lookAtMs: number | undefined;
}

// The index of unknown outcomes has few rows, however many orders there were.
const pageText = `
select a.attempt_id, a.kind, a.amount_cents, a.processor, a.started_at, a.look_at,
  i.invoice_id, p.payout_id, coalesce(i.consumer_id, p.builder_id, t.account_id, b.account_id) as account_id
from billing.processor_attempt a
left join billing.refund r on a.kind = 'refund' and not a.of_top_up and r.refund_id = a.subject_id
left join billing.invoice i
  on i.invoice_id = case when a.kind = 'charge' and not a.of_top_up then a.subject_id else r.invoice_id end
left join billing.payout p on a.kind = 'transfer' and p.payout_id = a.subject_id
left join billing.top_up t on a.kind = 'charge' and a.of_top_up and t.top_up_id = a.subject_id
left join billing.balance_refund_part b on a.kind = 'refund' and a.of_top_up and b.part_id = a.subject_id
where a.status = 'unknown' and ($1::timestamptz is null or (a.started_at, a.attempt_id) > ($1, $2::uuid))
order by a.started_at, a.attempt_id limit $3`;

const totalText = `select count(*)::int as total from billing.processor_attempt where status = 'unknown'`;

interface DbRow {
  readonly attempt_id: string;
  readonly kind: UnknownOutcome['kind'];
  readonly account_id: string | null;
  readonly invoice_id: string | null;
  readonly payout_id: string | null;
  readonly amount_cents: string;
  readonly processor: string;
  readonly started_at: Date;
  readonly look_at: Date | null;
}

/** Lists them of all accounts, oldest first. Only the worker role may read them. */
export async function listUnknownOutcomes(
  db: Queryable,
  { after, limit }: PageQuery,
): Promise<ListPage<UnknownOutcome>> {
  const position = [after ? toIso(after.createdAtMs) : null, after?.id ?? null];
  const rows = await db.query<DbRow>({ name: 'billing.list_unknown_outcomes', text: pageText }, [
    ...position,
    limit + 1,
  ]);
  const counted = await db.query<{ total: number }>({ name: 'billing.count_unknown_outcomes', text: totalText });
  return { rows: rows.map(fromDb), total: onlyRow(counted).total };
}

function fromDb(row: DbRow): UnknownOutcome {
  return {
    id: row.attempt_id,
    kind: row.kind,
    accountId: row.account_id,
    invoiceId: row.invoice_id,
    payoutId: row.payout_id,
    amountCents: BigInt(row.amount_cents),
    processor: row.processor,
    startedAtMs: row.started_at.getTime(),
    lookAtMs: row.look_at?.getTime(),
  };
}
