import type pg from 'pg';

import type { Sums } from './check-usage.ts';

const sums = `select concat_ws(' ', tool_id, consumer_id, success::text) as row, count(*) as calls,
    sum(duration_ms) as duration_ms, sum((units::numeric * 1000000)::bigint) as unit_millionths
  from oracle.counted where consumer_id = $1 or $1::uuid is null group by tool_id, consumer_id, success`;

/** The sums that `/v1/usage` must show for the events that `checkCounting` found, of one consumer or of all. */
export async function sumCounted(client: pg.Client, consumerId?: string): Promise<ReadonlyMap<string, Sums>> {
  const { rows } = await client.query<Record<'row' | 'calls' | 'duration_ms' | 'unit_millionths', string>>(sums, [
    consumerId,
  ]);
  const toSums = (row: (typeof rows)[number]): Sums => ({
    calls: Number(row.calls),
    durationMs: Number(row.duration_ms),
    unitMillionths: BigInt(row.unit_millionths),
  });
  return new Map(rows.map((row) => [row.row, toSums(row)]));
}
