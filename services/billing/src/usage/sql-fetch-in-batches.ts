import type { Transaction } from '@tollgate/database/database';
import type { UsageRole } from './usage-row.ts';

export interface Fetching {
  /** Has no limit of its own. */
  readonly text: string;
  readonly values: readonly unknown[];
  readonly batchRows: number;
  /** Default: none. */
  readonly rowsMax?: number;
  /** A name for the statement, if most of its answers fit into one batch. */
  readonly usuallyShortAs?: string | undefined;
}

/**
 * Yields the rows of a query in batches, so that they are neither held nor parsed all at once. One such query at a time
 * may be read in a transaction.
 */
export async function* fetchInBatches<Row extends object>(tx: Transaction, fetching: Fetching): AsyncGenerator<Row[]> {
  const rows = await fetchIfShort<Row>(tx, fetching);
  if (rows === undefined) yield* fetchByCursor<Row>(tx, fetching);
  else if (rows.length > 0) yield rows;
}

/**
 * Reads by a plan that the connection keeps: planning usage takes four times as long as reading it (docs/decisions/0204).
 * A kept plan does not know the query's bounds, so it takes all sets for small and would join them by nested loops. In
 * this one statement it may not. Undefined: there are more rows than fit into a batch.
 */
async function fetchIfShort<Row extends object>(tx: Transaction, fetching: Fetching): Promise<Row[] | undefined> {
  const { text, values, batchRows, usuallyShortAs: name, rowsMax = Number.POSITIVE_INFINITY } = fetching;
  if (name === undefined) return undefined;
  await tx.query(nestedLoops, ['off']);
  const rows = await tx.query<Row>({ name, text: limited(text, values) }, [
    ...values,
    Math.min(batchRows + 1, rowsMax),
  ]);
  await tx.query(nestedLoops, ['on']);
  return rows.length > batchRows ? undefined : rows;
}

const nestedLoops = { name: 'billing.nested_loops', text: `select set_config('enable_nestloop', $1, true)` };

async function* fetchByCursor<Row extends object>(
  tx: Transaction,
  { text, values, batchRows, rowsMax }: Fetching,
): AsyncGenerator<Row[]> {
  // All rows will be read. So the planner must choose the plan that ends first, not the one that begins first.
  await tx.query(`select set_config('cursor_tuple_fraction', '1', true)`);
  await tx.query(`declare fetched no scroll cursor for ${limited(text, values)}`, [...values, rowsMax ?? null]);
  for (;;) {
    const rows = await tx.query<Row>(`fetch forward ${batchRows} from fetched`);
    if (rows.length > 0) yield rows;
    if (rows.length < batchRows) break;
  }
  await tx.query('close fetched');
}

function limited(text: string, values: readonly unknown[]): string {
  return `${text}\nlimit $${values.length + 1}::bigint`;
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
 * Selects the rollups `r` of account $1 in one role. Row-level policies admit both its own calls and those of its
 * tools; this condition keeps one of the two.
 */
export const callsOfRole: Record<UsageRole, string> = {
  consumer: 'r.consumer_id = $1',
  builder: 'r.tool_id in (select d.tool_id from billing.tool_directory_v1 d where d.owner_id = $1)',
};

/**
 * Selects, per tool of the query `tools`, the starts of its price versions in order, and their ids; nothing for a tool
 * without a price. A look-up in these arrays costs the logarithm of the tool's own versions; a join on the tool costs
 * every version for every hour of usage.
 */
export function versionsOf(tools: string): string {
  return `select t.tool_id, v.starts, v.price_ids
  from (${tools}) t cross join lateral (
    select array_agg(coalesce(p.effective_from, '-infinity') order by p.effective_from nulls first) as starts,
      array_agg(p.price_id order by p.effective_from nulls first) as price_ids
    from billing.tool_price p where p.tool_id = t.tool_id offset 0
  ) v
  where v.price_ids is not null`;
}

/** The id of the price version in force at `hour`, from a row of `versionsOf`. */
export function priceInForce(version: string, hour: string): string {
  return `${version}.price_ids[width_bucket(${hour}, ${version}.starts)]`;
}
