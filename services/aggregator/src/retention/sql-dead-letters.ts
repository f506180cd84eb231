import type { Queryable } from '@tollgate/database/database';

/** An alarm needs no more, and a table of a million rows is not counted again and again. */
export const countedMax = 10_000;

const text = `
select code, count(*)::int as waiting
from (select code from usage.dead_letter where replayed_at is null limit $1) as d group by code`;

/** Counts the records that were neither counted nor replayed, by code. It looks at `countedMax` of them. */
export async function countDeadLetters(db: Queryable): Promise<{ code: string; waiting: number }[]> {
  return db.query<{ code: string; waiting: number }>({ name: 'usage.count_dead_letters', text }, [countedMax]);
}
