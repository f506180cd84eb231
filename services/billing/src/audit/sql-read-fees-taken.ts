import { micros, type Micros } from '@tollgate/kernel/money';
import type { Queryable } from '@tollgate/database/database';

export interface FeesTaken {
  readonly builderId: string;
  readonly grossKey: string;
  readonly grossMicros: Micros;
  readonly feeMicros: Micros;
}

const text = `
with moved as (
  select builder_id, gross_key, charge_micros, fee_micros from billing.released_line
  union all
  select builder_id, gross_key, -charge_micros, -fee_micros from billing.refunded_line
)
select builder_id, gross_key, sum(charge_micros)::text as gross, sum(fee_micros)::text as fee
from moved group by 1, 2 order by 1, 2`;

/** Reads, by builder and key of its gross, the released less the refunded charges and the fees on them. */
export async function readFeesTaken(db: Queryable): Promise<FeesTaken[]> {
  const rows = await db.query<{ builder_id: string; gross_key: string; gross: string; fee: string }>(text);
  return rows.map((row) => ({
    builderId: row.builder_id,
    grossKey: row.gross_key,
    grossMicros: micros(BigInt(row.gross)),
    feeMicros: micros(BigInt(row.fee)),
  }));
}
