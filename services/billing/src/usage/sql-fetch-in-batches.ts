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

export interface FetchingAll<Row, Item> extends Omit<Fetching, 'batchRows'> {
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
