import { onlyRow, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

export interface CallsSince {
  readonly calls: bigint;
  readonly failed: bigint;
}

// The rollups have no index by hour alone, so this is one index range per tool.
const callsText = `
select coalesce(sum(u.calls), 0)::text as month_calls, coalesce(sum(u.failed), 0)::text as month_failed,
  coalesce(sum(u.day_calls), 0)::text as day_calls, coalesce(sum(u.day_failed), 0)::text as day_failed
from billing.tool t cross join lateral (
  select sum(r.calls) as calls, sum(r.calls) filter (where not r.success) as failed,
    sum(r.calls) filter (where r.hour >= $2) as day_calls,
    sum(r.calls) filter (where r.hour >= $2 and not r.success) as day_failed
  from usage.rollup_v1 r where r.tool_id = t.tool_id and r.hour >= $1 and r.hour < $3
) u`;

type CallsRow = Readonly<Record<'month_calls' | 'month_failed' | 'day_calls' | 'day_failed', string>>;

/** The counted calls of all accounts since the beginning of a month, and of a day in it. */
export async function sumCalls(
  db: Queryable,
  { monthMs, dayMs, endMs }: { readonly monthMs: number; readonly dayMs: number; readonly endMs: number },
): Promise<{ readonly month: CallsSince; readonly day: CallsSince }> {
  const values = [toIso(monthMs), toIso(dayMs), toIso(endMs)];
  const row = onlyRow(await db.query<CallsRow>({ name: 'billing.sum_calls_of_all', text: callsText }, values));
  return {
    month: { calls: BigInt(row.month_calls), failed: BigInt(row.month_failed) },
    day: { calls: BigInt(row.day_calls), failed: BigInt(row.day_failed) },
  };
}

export interface WaitingDeadLetters {
  readonly waiting: number;
  readonly oldestMs: number | undefined;
}

const deadLettersText = 'select waiting, oldest_at from usage.waiting_dead_letters_v1';

export async function readWaitingDeadLetters(db: Queryable): Promise<WaitingDeadLetters> {
  const statement = { name: 'billing.read_waiting_dead_letters', text: deadLettersText };
  const row = onlyRow(await db.query<{ waiting: number; oldest_at: Date | null }>(statement));
  return { waiting: row.waiting, oldestMs: row.oldest_at?.getTime() };
}
