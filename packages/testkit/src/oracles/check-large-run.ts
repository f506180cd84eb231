import type pg from 'pg';

import type { CountingReport } from './check-counting.ts';
import type { Sums } from './check-usage.ts';
import { findRollupDrift } from './find-rollup-drift.ts';

const shownMax = 20;

const settings = `set work_mem = '256MB'; set maintenance_work_mem = '256MB'; set statement_timeout = 0`;

/** One row an event: what it was meant to be, and what its client knows of it, all attempts taken together. */
const gather = `
  drop table if exists oracle.known, oracle.counted;
  create unlogged table oracle.known as
    select s.*, attempts - coalesce(outcomes, 0) as unknown, coalesce(acknowledged, 0) as acknowledged, least_id, greatest_id, times
    from (select ref, consumer_id, tool_id, key, success, duration_ms, units, occurred_at, count(*) as attempts
          from oracle.sent group by 1, 2, 3, 4, 5, 6, 7, 8) s
    left join (select ref, count(*) as outcomes, count(*) filter (where is_acknowledged) as acknowledged,
                 min(event_id::text)::uuid as least_id, max(event_id::text)::uuid as greatest_id,
                 array_agg(occurred_at) filter (where is_acknowledged) as times
               from oracle.outcome group by ref) o using (ref);
  create unlogged table oracle.counted as
    select event_id, consumer_id, tool_id, occurred_at, success, duration_ms, idempotency_key as key,
      metadata ->> 'ref' as ref, metadata ->> 'units' as units
    from usage.event;
  analyze oracle.known, oracle.counted, oracle.log, oracle.outcome`;

/** Each names what is wrong, a row a case. */
const lost = `select ref from oracle.known k
  where acknowledged > 0 and not exists (select from oracle.counted c where c.ref = k.ref)`;
const doubled = `select 'id ' || event_id as name from oracle.counted group by event_id having count(*) > 1
  union all select 'ref ' || ref from oracle.counted group by ref having count(*) > 1`;
const invented = `select event_id, ref from oracle.counted left join oracle.known k using (ref)
  where k.ref is null or (acknowledged = 0 and unknown = 0)`;
const different = `select c.* from oracle.counted c join oracle.known k using (ref)
  where (c.consumer_id, c.tool_id, c.success, c.duration_ms, c.units, c.key)
      is distinct from (k.consumer_id, k.tool_id, k.success, k.duration_ms, k.units, k.key)
    or (acknowledged > 0 and (c.event_id <> least_id or c.event_id <> greatest_id))
    or case when k.occurred_at is null then unknown = 0 and c.occurred_at <> all (times) else c.occurred_at <> k.occurred_at end`;
const notDurable = `select distinct event_id from oracle.outcome o
  where is_acknowledged and not exists (select from oracle.log l where l.event_id = o.event_id)`;
const notCounted = `select distinct event_id from oracle.log l
  where not exists (select from oracle.counted c where c.event_id = l.event_id)`;
const fromNowhere = `select event_id from oracle.counted c
  where not exists (select from oracle.log l where l.event_id = c.event_id)`;

const figures = `select count(*) filter (where acknowledged > 0) as acknowledged,
    count(*) filter (where acknowledged = 0 and unknown > 0) as unknown,
    (select count(*) from oracle.counted) as counted
  from oracle.known`;

/**
 * What `checkCounting` judges, judged inside the database: for runs whose journal and log no memory holds. Call
 * `loadJournal` and `loadTopic` before, when every record of the log is counted. It leaves its tables in the schema
 * `oracle`, for whoever wants to know more.
 */
export async function checkLargeRun(client: pg.Client): Promise<CountingReport> {
  await client.query(settings);
  await client.query(gather);
  const violations: string[] = [];

  async function find(what: string, query: string): Promise<number> {
    const { rows } = await client.query<{ total: string; found: object }>(
      `select count(*) over () as total, to_jsonb(found) as found from (${query}) found limit ${shownMax}`,
    );
    violations.push(...rows.map(({ found }) => `${what}: ${JSON.stringify(found)}`));
    return Number(rows[0]?.total ?? 0);
  }

  const lostEvents = await find('lost', lost);
  const doubledEvents = await find('doubled', doubled);
  const inventedEvents = await find('invented', invented);
  await find('different', different);
  await find('not durable', notDurable);
  await find('not counted', notCounted);
  await find('from nowhere', fromNowhere);
  const drift = await findRollupDrift(client);
  const { rows } = await client.query<Record<'acknowledged' | 'unknown' | 'counted', string>>(figures);
  return {
    acknowledged: Number(rows[0]?.acknowledged),
    unknown: Number(rows[0]?.unknown),
    counted: Number(rows[0]?.counted),
    lost: lostEvents,
    doubled: doubledEvents + Math.max(0, drift.surplusCalls),
    invented: inventedEvents,
    violations: [...violations, ...drift.violations],
  };
}

const sums = `select concat_ws(' ', tool_id, consumer_id, success::text) as row, consumer_id, count(*) as calls,
    sum(duration_ms) as duration_ms, sum((units::numeric * 1000000)::bigint) as unit_millionths
  from oracle.counted group by tool_id, consumer_id, success`;

/** What `/v1/usage` must say of the events that `checkLargeRun` found counted: of one consumer, or of all. */
export async function sumCounted(client: pg.Client, consumerId?: string): Promise<ReadonlyMap<string, Sums>> {
  const { rows } = await client.query<Record<string, string>>(sums);
  return new Map(
    rows
      .filter((row) => consumerId === undefined || row['consumer_id'] === consumerId)
      .map((row) => [
        row['row'] ?? '',
        {
          calls: Number(row['calls']),
          durationMs: Number(row['duration_ms']),
          unitMillionths: BigInt(row['unit_millionths'] ?? 0),
        },
      ]),
  );
}
