import type { Queryable } from '@tollgate/database/database';

export interface ToolPriceRow {
  readonly tool_id: string;
  /** Epoch ms; ±Infinity where the span is open. */
  readonly start_ms: number;
  readonly end_ms: number;
  readonly measures: readonly string[];
}

export interface ChangedPriceRow {
  readonly tool_id: string;
  readonly changed_seq: bigint;
}

/** PostgreSQL's infinite times are numbers here, and JavaScript's dates know none. */
export function readToolPrices(db: Queryable, toolIds: readonly string[]): Promise<ToolPriceRow[]> {
  const text = `select tool_id, measures,
      (extract(epoch from effective_from) * 1000)::float8 as start_ms,
      (extract(epoch from effective_to) * 1000)::float8 as end_ms
    from billing.tool_price_v1 where tool_id = any ($1::text[])`;
  return db.query<ToolPriceRow>({ name: 'gateway_tool_prices', text }, [toolIds]);
}

/** Reads the whole price list (the view's numbers are made by a window function), so it is asked for when prices change. */
export function readChangedPrices(db: Queryable, afterSeq: bigint): Promise<ChangedPriceRow[]> {
  const text = `select tool_id, max(changed_seq) as changed_seq from billing.tool_price_v1
    where changed_seq > $1::bigint group by tool_id`;
  return db.query<ChangedPriceRow>({ name: 'gateway_changed_prices', text }, [afterSeq.toString()]);
}
