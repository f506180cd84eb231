import type pg from 'pg';

import { createRows } from './create-rows.ts';
import { findRollupDrift } from './find-rollup-drift.ts';
import type { JudgedLog } from './judged-log.ts';
import { loadJournal } from './load-journal.ts';

/** The figures of a run, and each violation in words. Without violations the run is right. */
export interface CountingReport {
  readonly acknowledged: number;
  /** Events without an acknowledgement that may have been recorded. */
  readonly unknown: number;
  readonly counted: number;
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  readonly violations: readonly string[];
}

/** The report shows at most this many violations of each kind. */
const shownMax = 20;

const settings = `set work_mem = '256MB'; set statement_timeout = 0`;

const logTable = `
  create schema if not exists oracle;
  drop table if exists oracle.log;
  create unlogged table oracle.log (event_id uuid)`;

/** A row per event: what its client meant, and what the client knows over all attempts. */
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

/** Each query below returns a row per violation, in words. */
const lost = `select 'lost: ' || ref || ' was acknowledged and is not counted' as violation from oracle.known k
  where acknowledged > 0 and not exists (select from oracle.counted c where c.ref = k.ref)`;
/** Finds doubles by id and by the client's ref: a repeat under another id or at another time counts twice too. */
const doubled = `select 'doubled: ' || concat_ws(', ', case when is_id_again then 'id ' || event_id end,
      case when is_ref_again then 'ref ' || ref end) || ' is counted again' as violation
  from (select *, row_number() over (partition by event_id order by occurred_at) > 1 as is_id_again,
          row_number() over (partition by ref order by occurred_at, event_id) > 1 as is_ref_again from oracle.counted) c
  where is_id_again or is_ref_again`;
const invented = `select 'invented: ' || event_id || ' (' || coalesce(ref, 'no ref') || ') is counted and was not sent' as violation
  from oracle.counted left join oracle.known k using (ref)
  where k.ref is null or (acknowledged = 0 and unknown = 0)`;
/** An event must be counted as it was sent, under an id and at a time of its answers. */
const different = `select 'different: ' || to_jsonb(c)::text || ' from ' || to_jsonb(k)::text as violation
  from oracle.counted c join oracle.known k using (ref)
  where (c.consumer_id, c.tool_id, c.success, c.duration_ms, c.units, c.key)
      is distinct from (k.consumer_id, k.tool_id, k.success, k.duration_ms, k.units, k.key)
    or (acknowledged > 0 and (c.event_id <> least_id or c.event_id <> greatest_id))
    or case when k.occurred_at is null then unknown = 0 and c.occurred_at <> all (times) else c.occurred_at <> k.occurred_at end`;
const notDurable = `select distinct 'not durable: ' || event_id || ' was acknowledged and is not in the log' as violation
  from oracle.outcome o where is_acknowledged and not exists (select from oracle.log l where l.event_id = o.event_id)`;
const notCounted = `select distinct 'not counted: ' || event_id || ' is in the log' as violation
  from oracle.log l where not exists (select from oracle.counted c where c.event_id = l.event_id)`;
const fromNowhere = `select 'from nowhere: ' || event_id || ' is counted and not in the log' as violation
  from oracle.counted c where not exists (select from oracle.log l where l.event_id = c.event_id)`;

const figures = `select count(*) filter (where acknowledged > 0) as acknowledged,
    count(*) filter (where acknowledged = 0 and unknown > 0) as unknown,
    (select count(*) from oracle.counted) as counted
  from oracle.known`;

/**
 * Asks the oracles O1 (durable) and O2 (counted once) about a drained database. By the clients' journal, each acknowledged
 * event is in the log and counted once, only sent events are counted, and the sums are those of the events. The queries
 * run in the database, since a run may be larger than memory. Their tables stay in the schema `oracle`.
 */
export async function checkCounting(
  client: pg.Client,
  { journalPath, log }: { readonly journalPath: string; readonly log: JudgedLog },
): Promise<CountingReport> {
  await client.query(settings);
  await loadJournal(client, journalPath);
  await loadLog(client, log);
  await client.query(gather);
  const violations: string[] = [];

  async function find(query: string): Promise<number> {
    const { rows } = await client.query<{ total: string; violation: string }>(
      `select count(*) over () as total, violation from (${query}) found limit ${shownMax}`,
    );
    violations.push(...rows.map(({ violation }) => violation));
    return Number(rows[0]?.total ?? 0);
  }

  const found = { lost: await find(lost), doubled: await find(doubled), invented: await find(invented) };
  for (const query of [different, notDurable, notCounted, fromNowhere]) await find(query);
  const drift = await findRollupDrift(client);
  const { rows } = await client.query<Record<'acknowledged' | 'unknown' | 'counted', string>>(figures);
  return {
    acknowledged: Number(rows[0]?.acknowledged),
    unknown: Number(rows[0]?.unknown),
    counted: Number(rows[0]?.counted),
    ...found,
    doubled: found.doubled + Math.max(0, drift.surplusCalls),
    violations: [...violations, ...drift.violations],
  };
}

async function loadLog(client: pg.Client, log: JudgedLog): Promise<void> {
  await client.query(logTable);
  const rows = createRows(client, 'insert into oracle.log select * from unnest($1::uuid[])');
  await log.eachIds(client, async (ids) => {
    for (const id of ids) await rows.add([id]);
  });
  await rows.flush();
}
