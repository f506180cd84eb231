/** The columns by which events are summed. With `withPass`, those without a pass have sums of their own: pass_id is null. */
export type FoldKey = 'withoutPass' | 'withPass';

const passColumn: Record<FoldKey, string> = { withoutPass: '', withPass: ', pass_id' };

/**
 * Sums what events add to the rollups. Counting folds the rows that it has just stored, the rebuild folds the kept rows
 * again, and both must come to the same numbers. `source` names a relation with the columns of usage.event.
 */
export function foldCalls(source: string, key: FoldKey): string {
  return `select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success,
      count(*) as calls, coalesce(sum(duration_ms), 0)::bigint as duration_ms${passColumn[key]}
    from ${source} group by 1, 2, 3, 4${passColumn[key]}`;
}

/**
 * Sums the metadata keys that are named by the price in force at the event's time. A price version takes force on a full
 * hour, at least one hour after its creation. So an event meets the same price whenever it is counted.
 *
 * A value that is no number within the limits adds nothing. The gateway refuses such events, by the same grammar, except
 * those that it accepted before it knew the price.
 *
 * `offset 0` keeps the planner from flattening the lateral join. A flattened join sorts the prices of all tools in each
 * flush: with 20,000 tools, counting costs four times as much.
 */
export function foldMeasures(source: string, grammarParameter: string, key: FoldKey): string {
  const pass = passColumn[key];
  return `select consumer_id, tool_id, date_trunc('hour', occurred_at, 'UTC') as hour, success, key,
      trim_scale(sum(amount)) as total${pass}
    from (select e.consumer_id, e.tool_id, e.occurred_at, e.success, m.key${pass},
            case when e.metadata ->> m.key ~ ${grammarParameter} then (e.metadata ->> m.key)::numeric end as amount
          from (select tool_id, min(occurred_at) as first_at, max(occurred_at) as last_at from ${source} group by 1) tools
          cross join lateral (select measures, effective_from, effective_to from billing.tool_price_v1 v
                              where v.tool_id = tools.tool_id and v.measures <> '{}'
                                and v.effective_from <= tools.last_at and v.effective_to > tools.first_at offset 0) p
          join ${source} e on e.tool_id = tools.tool_id and p.effective_from <= e.occurred_at and e.occurred_at < p.effective_to
          cross join unnest(p.measures) as m (key)
          where jsonb_typeof(e.metadata -> m.key) in ('number', 'string')) measured
    where amount >= 0 and amount < 1e12 and amount = trunc(amount, 6)
    group by 1, 2, 3, 4, 5${pass}`;
}
