import type pg from 'pg';

export interface RollupDrift {
  /** Calls in the rollups beyond the counted events; negative where they lack some. */
  readonly surplusCalls: number;
  readonly violations: readonly string[];
}

const calls = `with fold as (
    select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success, pass_id, count(*), coalesce(sum(duration_ms), 0)
    from usage.event group by 1, 2, 3, 4, 5
  ), kept as (select consumer_id, tool_id, hour, success, pass_id, calls, duration_ms from usage.rollup_v1)
  select 'only in the events' as side, f.* from (table fold except table kept) f
  union all select 'only in the rollups', k.* from (table kept except table fold) k`;

// The gateway admits a number, or a string that is one.
const measures = `with fold as (
    select e.consumer_id, e.tool_id, date_trunc('hour', e.occurred_at, 'UTC') as hour, e.success, e.pass_id, key,
      sum((e.metadata ->> key)::numeric) as total
    from usage.event e
    join billing.tool_price_v1 p on p.tool_id = e.tool_id and p.effective_from <= e.occurred_at and e.occurred_at < p.effective_to
    cross join unnest(p.measures) as key
    where e.metadata ? key group by 1, 2, 3, 4, 5, 6
  ), kept as (select consumer_id, tool_id, hour, success, pass_id, key, total from usage.rollup_measure_v1)
  select 'only in the events' as side, f.* from (table fold except table kept) f
  union all select 'only in the rollups', k.* from (table kept except table fold) k`;

const keys = `select 'a key without its event' as side, event_id from usage.event_key k
    where not exists (select from usage.event e where e.event_id = k.event_id)
  union all select 'a keyed event without its key', event_id from usage.event e
    where idempotency_key is not null and not exists (select from usage.event_key k where k.event_id = e.event_id)`;

const deadLetters = `select 'a dead letter' as side, topic, partition, log_offset, code, reason, consumer_id, event_id from usage.dead_letter`;

const surplus = `select coalesce((select sum(calls) from usage.rollup_v1), 0) - (select count(*) from usage.event) as calls`;

/** Folds the events again and compares rollups, measures and keys with them. Any dead letter is a violation. */
export async function findRollupDrift(client: pg.Client): Promise<RollupDrift> {
  const violations: string[] = [];
  for (const query of [calls, measures, keys, deadLetters]) {
    const { rows } = await client.query<{ side: string }>(query);
    for (const { side, ...row } of rows) violations.push(`${side}: ${JSON.stringify(row)}`);
  }
  const { rows } = await client.query<{ calls: string }>(surplus);
  return { surplusCalls: Number(rows[0]?.calls), violations };
}
