import type { Transaction } from '@tollgate/database/database';

/** A closed month for which usage was counted that no invoice has billed. */
export interface LateUsage {
  readonly consumerId: string;
  readonly period: string;
  /** Goes up whenever more is counted for this month. */
  readonly counts: bigint;
}

const readText = `
select l.consumer_id, l.period, sum(l.counts)::bigint as counts
from usage.late_usage_v1 l left join billing.billed_late_usage b using (consumer_id, period)
where l.consumer_id = any ($1::uuid[]) and l.period >= $2
group by l.consumer_id, l.period, b.counts
having sum(l.counts) > coalesce(b.counts, 0)`;

/**
 * Late usage of these consumers since this period. Read it before the rollups: what is counted between the two reads is
 * then billed now, and looked at once more by the next close, which finds no difference.
 */
export async function readLateUsage(
  tx: Transaction,
  consumerIds: readonly string[],
  firstPeriod: string,
): Promise<LateUsage[]> {
  const rows = await tx.query<{ consumer_id: string; period: string; counts: bigint }>(
    { name: 'billing.read_late_usage', text: readText },
    [consumerIds, firstPeriod],
  );
  return rows.map(({ consumer_id: consumerId, period, counts }) => ({ consumerId, period, counts }));
}

const putText = `
insert into billing.billed_late_usage as b (consumer_id, period, counts)
select * from unnest($1::uuid[], $2::text[], $3::bigint[]) order by 1, 2
on conflict (consumer_id, period) do update set counts = greatest(b.counts, excluded.counts)`;

/** Call it in the transaction that stores the invoices which bill this usage. */
export async function putBilledLateUsage(tx: Transaction, billed: readonly LateUsage[]): Promise<void> {
  await tx.query({ name: 'billing.put_billed_late_usage', text: putText }, [
    billed.map(({ consumerId }) => consumerId),
    billed.map(({ period }) => period),
    billed.map(({ counts }) => String(counts)),
  ]);
}
