import type { Database } from '@tollgate/database/database';
import type { InvoicingModel } from './money-model.ts';

const linesText = `
select concat_ws(' ', i.period, concat_ws(' / ', coalesce(adjustment_of, i.period), consumer_id, price_id, charge_index),
  l.charge_micros) as line
from billing.invoice i join billing.invoice_line l using (invoice_id) order by i.period, consumer_id, place`;

/** Where the lines of invoices are not the model's, or not in their order. */
export async function lineDifferences(owner: Database, { invoices }: InvoicingModel): Promise<string[]> {
  const are = (await owner.query<{ line: string }>(linesText)).map(({ line }) => line);
  const wanted = invoices
    .toSorted((a, b) => (`${a.period} ${a.consumerId}` < `${b.period} ${b.consumerId}` ? -1 : 1))
    .flatMap(({ period, lines }) => lines.map(({ key, micros }) => `${period} ${key} ${micros}`));
  const places = Array.from({ length: Math.max(are.length, wanted.length) }, (_, place) => place);
  const wrong = places.filter((place) => are[place] !== wanted[place]).slice(0, 3);
  return wrong.map((place) => `line ${place} is ${are[place]}, not ${wanted[place]}`);
}
