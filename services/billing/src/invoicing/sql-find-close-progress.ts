import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { CloseProgress } from './due-period.ts';

/** The first hour by a look into each tool's end of the index: the rollups have none by hour alone. */
const text = `
select coalesce((select counted_through from usage.watermark_v1), 'epoch') as counted_through,
  (select max(period) from billing.closed_period) as last_closed,
  case when not exists (select from billing.closed_period) then (
    select min(first.hour) from billing.tool t cross join lateral (
      select r.hour from usage.rollup_v1 r where r.tool_id = t.tool_id order by r.hour limit 1
    ) as first
  ) end as first_usage`;

interface Row {
  readonly counted_through: Date;
  readonly last_closed: string | null;
  readonly first_usage: Date | null;
}

export async function findCloseProgress(db: Queryable): Promise<CloseProgress> {
  const row = onlyRow(await db.query<Row>({ name: 'find-close-progress', text }));
  return {
    countedThroughMs: row.counted_through.getTime(),
    lastClosed: row.last_closed,
    firstUsageMs: row.first_usage?.getTime() ?? null,
  };
}
