import type { Transaction } from '@tollgate/database/database';

export interface Fetching {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly batchRows: number;
}

/**
 * Yields the rows of a query in batches, so that they are neither held nor parsed all at once. One such query at a time
 * may be read in a transaction.
 */
export async function* fetchInBatches<Row extends object>(
  tx: Transaction,
  { text, values, batchRows }: Fetching,
): AsyncGenerator<Row[]> {
  // All rows will be read. So the planner must choose the plan that ends first, not the one that begins first.
  await tx.query(`select set_config('cursor_tuple_fraction', '1', true)`);
  await tx.query(`declare fetched no scroll cursor for ${text}`, values);
  for (;;) {
    const rows = await tx.query<Row>(`fetch forward ${batchRows} from fetched`);
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) break;
  }
  await tx.query('close fetched');
}

export interface FetchingAll<Row, Item> extends Pick<Fetching, 'text' | 'values'> {
  readonly fromRow: (row: Row) => Item;
}

/** Reads all rows of a query that may have many thousand. Between two batches, other requests get their turn. */
export async function fetchAllInBatches<Row extends object, Item>(
  tx: Transaction,
  { fromRow, ...fetching }: FetchingAll<Row, Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const rows of fetchInBatches<Row>(tx, { ...fetching, batchRows: 500 })) items.push(...rows.map(fromRow));
  return items;
}

/**
 * Selects, per tool of the query `tools`, the starts of its price versions in order, and their ids; nothing for a tool
 * without a price. A look-up in these arrays costs the logarithm of the tool's own versions; a join on the tool costs
 * every version for every hour of usage.
 */
export function versionsOf(tools: string): string {
  return `select t.tool_id, v.starts, v.price_ids
  from (${tools}) t cross join lateral (${versionsOfTool}) v
  where v.price_ids is not null`;
}

/** Selects the same for the tool of row `t`. Both are null for a tool without a price. */
export const versionsOfTool = `
    select array_agg(coalesce(p.effective_from, '-infinity') order by p.effective_from nulls first) as starts,
      array_agg(p.price_id order by p.effective_from nulls first) as price_ids
    from billing.tool_price p where p.tool_id = t.tool_id offset 0
  `;

/** The id of the price version in force at `hour`, from a row of `versionsOf`. */
export function priceInForce(version: string, hour: string): string {
  return `${version}.price_ids[width_bucket(${hour}, ${version}.starts)]`;
}
