import type { Transaction } from '@tollgate/database/database';
import type { AttemptKind, AttemptStatus } from '../processor/attempt.ts';
import type { ReconcileScope } from './reconciliation.ts';

export interface SettledMovement {
  readonly attemptId: string;
  readonly kind: AttemptKind;
  readonly amountCents: bigint;
  readonly status: AttemptStatus;
  readonly objectId: string | null;
  readonly startedAtMs: number;
  /** The change of the ledger's cash account by this movement; 0 if nothing was posted. */
  readonly cashMicros: bigint;
}

/** The orders of a period's documents, with the cash that the ledger moved for them. */
const text = `
with invoice as (select * from billing.invoice where period = $1 and ($2::uuid is null or consumer_id = $2)),
subject (kind, subject_id) as (
  select 'charge', invoice_id from invoice
  union all select 'refund', r.refund_id from billing.refund r join invoice using (invoice_id) where r.cause = 'operator'
  union all select 'transfer', payout_id from billing.payout where period = $1 and ($2::uuid is null or builder_id = $2)
)
select a.attempt_id, a.kind, a.amount_cents, a.status, a.object_id, a.started_at,
  (select coalesce(sum(e.amount_micros), 0)::text from billing.ledger_transaction t
    join billing.ledger_entry e using (transaction_id) join billing.ledger_account l using (ledger_account_id)
    where l.kind = 'cash' and t.business_key = any (case a.kind
      when 'charge' then array['stray-charge:' || a.attempt_id, 'stray-charge-returned:' || a.attempt_id] || case
        when a.status not in ('succeeded', 'reversed') then null
        when exists (select from billing.ledger_transaction x where x.business_key = 'stray-charge:' || a.attempt_id) then null
        else 'paid:' || a.subject_id end
      when 'refund' then array['refund:' || a.subject_id, 'returned-refund:' || a.subject_id || ':' || a.number]
      else array['payout:' || a.subject_id || ':transferred:' || a.number, 'payout:' || a.subject_id || ':reversed:' || a.number]
      end)) as cash_micros
from subject s join billing.processor_attempt a using (kind, subject_id)
where a.processor = $3
order by a.kind, a.started_at, a.attempt_id`;

export async function readSettledMovements(
  tx: Transaction,
  { period, accountId, processor }: ReconcileScope & { readonly processor: string },
): Promise<SettledMovement[]> {
  const rows = await tx.query<DbMovement>(text, [period, accountId ?? null, processor]);
  return rows.map((row) => ({
    attemptId: row.attempt_id,
    kind: row.kind,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    objectId: row.object_id,
    startedAtMs: row.started_at.getTime(),
    cashMicros: BigInt(row.cash_micros),
  }));
}

export interface KnownDisputeOf {
  readonly objectId: string;
  readonly amountCents: bigint;
  readonly status: string;
  readonly openedAtMs: number;
}

const disputesText = `
select d.processor_dispute_id as object_id, d.amount_cents, d.status, d.opened_at
from billing.dispute d join billing.invoice i using (invoice_id)
where d.processor = $3 and i.period = $1 and ($2::uuid is null or i.consumer_id = $2)`;

export async function readDisputesOf(
  tx: Transaction,
  { period, accountId, processor }: ReconcileScope & { readonly processor: string },
): Promise<KnownDisputeOf[]> {
  const rows = await tx.query<DbDispute>(disputesText, [period, accountId ?? null, processor]);
  return rows.map((row) => ({
    objectId: row.object_id,
    amountCents: BigInt(row.amount_cents),
    status: row.status,
    openedAtMs: row.opened_at.getTime(),
  }));
}

interface DbDispute {
  readonly object_id: string;
  readonly amount_cents: string;
  readonly status: string;
  readonly opened_at: Date;
}

const knownText = `select attempt_id from billing.processor_attempt where attempt_id = any ($1::uuid[])`;

/** Returns the given attempts that we know, of any period. */
export async function findKnownAttempts(tx: Transaction, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ attempt_id: string }>(knownText, [ids]);
  return new Set(rows.map(({ attempt_id: id }) => id));
}

interface DbMovement {
  readonly attempt_id: string;
  readonly kind: AttemptKind;
  readonly amount_cents: string;
  readonly status: AttemptStatus;
  readonly object_id: string | null;
  readonly started_at: Date;
  readonly cash_micros: string;
}
