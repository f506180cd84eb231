import type { Database } from '@tollgate/database/database';

/** The sums of the lines, added up anew: the triggers have to keep them. */
const sumsOfLines = `
select l.builder_id, coalesce(l.adjustment_of, i.period), sum(l.charge_micros)
from billing.invoice_line l join billing.invoice i using (invoice_id)
where exists (select from billing.released_line r where r.invoice_id = l.invoice_id and r.place = l.place)
  or (select later.status from billing.invoice later
      where later.consumer_id = i.consumer_id and later.period >= i.period and later.total_cents > 0
      order by later.period limit 1) in ('uncollectible', 'void')
group by 1, 2`;

const differencesText = `
with line (builder_id, period, gross_micros) as (${sumsOfLines})
select concat_ws(' ', 'settled gross of', builder_id, period, 'is', kept.gross_micros, 'and its lines', line.gross_micros) as text
from line full join billing.settled_gross kept using (builder_id, period)
where coalesce(line.gross_micros, 0) <> coalesce(kept.gross_micros, 0) limit 3`;

/** Where the kept sums of collected and written off charges are not those of the lines. */
export async function settledDifferences(owner: Database): Promise<string[]> {
  return (await owner.query<{ text: string }>(differencesText)).map(({ text }) => text);
}
