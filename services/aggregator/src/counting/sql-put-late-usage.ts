import type { Transaction } from '@tollgate/database/database';
import type { LateUsage } from './late-usage.ts';
import { toTextArray } from './sql-array-literal.ts';

/** Names months of calls to the next close: `source` selects consumers, tools and 'YYYY-MM', each combination once. */
export function putLateUsageOf(source: string): string {
  // In key order, as the rollups: two flushes wait for each other and do not deadlock.
  return `insert into usage.late_usage (consumer_id, tool_id, period) ${source} order by 1, 2, 3
    on conflict (consumer_id, tool_id, period) do update set counts = late_usage.counts + 1`;
}

const text = putLateUsageOf('select * from unnest($1::uuid[], $2::text[], $3::text[])');

/** Lets the next close rate these months again. A month that brings nothing new costs that close some time and no money. */
export async function putLateUsage(tx: Transaction, late: readonly LateUsage[]): Promise<void> {
  await tx.query({ name: 'usage.put_late_usage', text }, [
    late.map(({ consumerId }) => consumerId),
    toTextArray(late.map(({ toolId }) => toolId)),
    late.map(({ period }) => period),
  ]);
}
