/**
 * What an event adds to the rollups, in one place: counting folds the rows that it has just stored, the rebuild folds the
 * kept rows again, and both must come to the same numbers. `source` names a relation with the columns of usage.event.
 */
export function foldCalls(source: string): string {
  return `select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success,
      count(*) as calls, coalesce(sum(duration_ms), 0)::bigint as duration_ms
    from ${source} group by 1, 2, 3, 4`;
}

/**
 * Sums of the metadata keys that the price in force at the event's time names. Versions take force on full hours, at least
 * one hour after they were made, so the same event meets the same price whenever it is counted. A value that is no number
 * within the limits adds nothing: the gateway refuses such events, so only one that was accepted before it had heard of
 * the price can hold it. The grammar
 * of such numbers is shared with the gateway.
 *
 * `offset 0` keeps the planner from flattening the lateral join: flattened, each flush sorts the prices of every tool
 * there is, and with 20,000 tools counting costs four times as much.
 */
export function foldMeasures(source: string, grammarParameter: string): string {
  return `select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success, key,
      trim_scale(sum(amount)) as total
    from (select e.consumer_id, e.tool_id, e.occurred_at, e.success, m.key,
            case when e.metadata ->> m.key ~ ${grammarParameter} then (e.metadata ->> m.key)::numeric end as amount
          from (select distinct tool_id from ${source}) tools
          cross join lateral (select measures, effective_from, effective_to from billing.tool_price_v1 v
                              where v.tool_id = tools.tool_id and v.measures <> '{}' offset 0) p
          join ${source} e on e.tool_id = tools.tool_id and p.effective_from <= e.occurred_at and e.occurred_at < p.effective_to
          cross join unnest(p.measures) as m (key)
          where jsonb_typeof(e.metadata -> m.key) in ('number', 'string')) measured
    where amount >= 0 and amount < 1e12 and amount = trunc(amount, 6)
    group by 1, 2, 3, 4, 5`;
}
