import type { Database } from '@tollgate/database/database';

export interface TestRollup {
  readonly consumerId: string;
  readonly tool: string;
  readonly hour: string;
  readonly success?: boolean;
  readonly calls?: number;
  readonly durationMs?: bigint;
  readonly measures?: Readonly<Record<string, string>>;
}

/** What the aggregator would have counted. */
export async function putRollup(owner: Database, rollup: TestRollup): Promise<void> {
  const { consumerId, tool, hour, success = true, calls = 1, durationMs = 0n, measures = {} } = rollup;
  const key = [consumerId, tool, hour, success];
  await owner.query('insert into usage.rollup values ($1, $2, $3, $4, $5, $6)', [...key, calls, durationMs.toString()]);
  for (const [name, total] of Object.entries(measures)) {
    await owner.query('insert into usage.rollup_measure values ($1, $2, $3, $4, $5, $6)', [...key, name, total]);
  }
}

/** One partition that is counted through this time. */
export async function putWatermark(owner: Database, countedThrough: string): Promise<void> {
  await owner.query(`insert into usage.log_topic values ('usage.events.v1', 1) on conflict do nothing`);
  await owner.query(
    `insert into usage.cursor values ('usage.events.v1', 0, 7, $1)
     on conflict (topic, partition) do update set counted_through = excluded.counted_through`,
    [countedThrough],
  );
}
