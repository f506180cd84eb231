import { readFileSync } from 'node:fs';
import type { Database } from '@tollgate/database/database';

const migration = new URL('../../../../../packages/database/migrations/0153_settled_gross.sql', import.meta.url);
const filling = 'insert into billing.settled_gross (builder_id, period, gross_micros)\n';

/** Adds up the lines as the migration does on a platform that has some: the triggers keep these sums from then on. */
function sumsOfLines(): string {
  const sql = readFileSync(migration, 'utf8');
  return sql.slice(sql.lastIndexOf(filling) + filling.length).replace(/;\s*$/, '');
}

const differencesText = `
with line (builder_id, period, gross_micros) as (${sumsOfLines()})
select concat_ws(' ', 'settled gross of', builder_id, period, 'is', kept.gross_micros, 'and its lines', line.gross_micros) as text
from line full join billing.settled_gross kept using (builder_id, period)
where coalesce(line.gross_micros, 0) <> coalesce(kept.gross_micros, 0) limit 3`;

/** Where the kept sums of collected and written off charges are not those of the lines. */
export async function settledDifferences(owner: Database): Promise<string[]> {
  return (await owner.query<{ text: string }>(differencesText)).map(({ text }) => text);
}
