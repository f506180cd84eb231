import type { Price } from '@tollgate/contracts/tools/price';
import type { Queryable } from '@tollgate/database/database';

export interface ToolPriceRow {
  readonly tool_id: string;
  /** Epoch ms; ±Infinity where the span is open. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly measures: readonly string[];
  readonly price_id: string;
  readonly price: Price; // the catalogue stores only normalised prices
}

export interface ChangedPriceRow {
  readonly tool_id: string;
  readonly changed_seq: bigint;
}

const pricesText = `select tool_id, measures, price_id, price,
    (extract(epoch from effective_from) * 1000)::float8 as start_ms,
    (extract(epoch from effective_to) * 1000)::float8 as end_ms
  from billing.tool_price_v1 where tool_id = any ($1::text[])`;

/** Times come as numbers: PostgreSQL has infinite times, and a JavaScript Date cannot hold them. */
export function readToolPrices(db: Queryable, toolIds: readonly string[]): Promise<ToolPriceRow[]> {
  return db.query<ToolPriceRow>({ name: 'billing.read_tool_prices', text: pricesText }, [toolIds]);
}

const changedText = `select tool_id, changed_seq from billing.tool_price_change_v1
where changed_seq > $1::bigint order by changed_seq limit $2`;

/** At most `limit` new prices, in the order of their changes; a tool may come twice. Uses the index on changed_seq. */
export function readChangedPrices(db: Queryable, afterSeq: bigint, limit: number): Promise<ChangedPriceRow[]> {
  return db.query<ChangedPriceRow>({ name: 'billing.read_changed_prices', text: changedText }, [
    afterSeq.toString(),
    limit,
  ]);
}
