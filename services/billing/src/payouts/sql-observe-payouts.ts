import { toIso } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import { onlyRow, type Queryable } from '@tollgate/database/database';

/** The payouts of a suspended builder wait on purpose. */
const notSuspended = `
  and not exists (select from auth.account_suspension_v1 s where s.account_id = p.builder_id and s.resumed_at is null)`;

const failingText = `
select count(*)::int as payouts from billing.payout p
where status = 'failed' and coalesce(failing_since, created_at) <= $1 and exists (
  select from billing.ledger_account l
  where l.kind = 'builder_payable' and l.owner_id = p.builder_id and l.balance_micros <= -$2::numeric)${notSuspended}`;

export interface FailingQuery {
  /** Only payouts that have been failing since before this time. */
  readonly sinceMs: number;
  /** Only payouts of builders to whom so much is payable. */
  readonly minimumMicros: Micros;
}

/** Counts payouts that keep failing, of builders who are owed money. */
export async function countFailingPayouts(db: Queryable, { sinceMs, minimumMicros }: FailingQuery): Promise<number> {
  const values = [toIso(sinceMs), String(minimumMicros)];
  const statement = { name: 'billing.count_failing_payouts', text: failingText };
  return onlyRow(await db.query<{ payouts: number }>(statement, values)).payouts;
}

// A scheduled payout always has a due time, so the index of due times finds it.
const unfundedText = `
select count(*)::int as payouts, coalesce(sum(p.net_cents), 0)::text as cents
from billing.payout p cross join lateral (
  select status, failure_code from billing.processor_attempt
  where kind = 'transfer' and subject_id = p.payout_id order by number desc limit 1) last
where p.status = 'scheduled' and p.due_at is not null
  and last.status = 'failed' and last.failure_code = 'insufficient_funds_of_platform'${notSuspended}`;

export interface UnfundedPayouts {
  readonly payouts: number;
  readonly cents: bigint;
}

/** Sums the payouts whose last transfer was refused because our balance at the processor was too small. */
export async function sumUnfundedPayouts(db: Queryable): Promise<UnfundedPayouts> {
  const statement = { name: 'billing.sum_unfunded_payouts', text: unfundedText };
  const { payouts, cents } = onlyRow(await db.query<{ payouts: number; cents: string }>(statement));
  return { payouts, cents: BigInt(cents) };
}
