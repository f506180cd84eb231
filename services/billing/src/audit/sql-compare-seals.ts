import { toIso } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';
import { onlyRow, type Transaction } from '@tollgate/database/database';
import { usageSums } from '../usage/sql-usage-sums.ts';

export interface SealsCompared {
  readonly hours: bigint;
  readonly sealedCalls: bigint;
  readonly hoursNow: bigint;
  readonly callsNow: bigint;
  /** Tools of which calls were counted since, which the next close seals again. */
  readonly late: number;
  readonly differing: number;
  /** The first of them. */
  readonly rows: readonly string[];
}

/** Calls that are counted late only add to an hour, so fewer of them than were sealed always differ. */
const text = `
with newest as (
  select tool_id, max(sealed_in) as sealed_in from billing.usage_seal where period = $1 and tool_id = any ($2::text[]) group by 1
), sealed as materialized (
  select s.* from billing.usage_seal s join newest n using (tool_id, sealed_in) where s.period = $1
), counted_late as (
  select tool_id, sum(counts) as counts from usage.late_usage_v1 where period = $1 and tool_id = any ($2::text[]) group by 1
), late as materialized (
  select tool_id from counted_late l where counts > coalesce((select max(s.late_counts) from sealed s where s.tool_id = l.tool_id), 0)
), now as materialized (${usageSums('$2::text[]', '$3::timestamptz', '$4::timestamptz')}
), differing as materialized (
  select format('%s at %s: sealed %s calls and a quantity of %s, now %s and %s', tool_id,
    to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"'), coalesce(s.calls, 0), trim_scale(coalesce(s.quantity, 0)),
    coalesce(n.calls, 0), trim_scale(coalesce(n.quantity, 0))) || case
      when (s.calls, s.quantity) = (n.calls, n.quantity) then ', of other callers or measures' else '' end as line
  from sealed s full join now n using (tool_id, hour)
  where (s.calls, s.quantity, s.hash) is distinct from (n.calls, n.quantity, n.hash)
    and (tool_id not in (select tool_id from late) or coalesce(n.calls, 0) < s.calls)
)
select (select count(*) from sealed) as hours, (select coalesce(sum(calls), 0)::bigint from sealed) as "sealedCalls",
  (select count(*) from now) as "hoursNow", (select coalesce(sum(calls), 0)::bigint from now) as "callsNow",
  (select count(*)::int from late) as late, (select count(*)::int from differing) as differing,
  array(select line from differing order by line collate "C" limit 20) as rows`;

/** Compares the rollups of these tools in a closed month with their seals. */
export async function compareSeals(
  tx: Transaction,
  { period, toolIds }: { readonly period: string; readonly toolIds: readonly string[] },
): Promise<SealsCompared> {
  const { start, end } = periodBounds(period);
  return onlyRow(await tx.query<SealsCompared & object>(text, [period, toolIds, toIso(start), toIso(end)]));
}

const closedText = 'select exists (select from billing.closed_period where period = $1) as "isClosed"';

/** Says whether a close has sealed the month. */
export async function isSealed(tx: Transaction, period: string): Promise<boolean> {
  return onlyRow(await tx.query<{ isClosed: boolean }>(closedText, [period])).isClosed;
}
