import { foldCalls, foldMeasures, type FoldKey } from './sql-fold.ts';

/**
 * Common table expressions that add events to the rollups. Calls without a pass are in usage.rollup, and calls with one in
 * usage.pass_rollup. `source` names a relation with the columns of usage.event. Upserts go in key order, or they deadlock.
 */
export function addCalls(source: string, key: FoldKey): string {
  if (key === 'withoutPass') return `rolled as (${intoRollup(foldCalls(source, key))})`;
  return `call_sum as (
    ${foldCalls(source, key)}
  ), rolled as (
    ${intoRollup('select consumer_id, tool_id, hour, success, calls, duration_ms from call_sum where pass_id is null')}
  ), pass_rolled as (
    insert into usage.pass_rollup as kept (consumer_id, tool_id, hour, success, pass_id, calls, duration_ms)
    select consumer_id, tool_id, hour, success, pass_id, calls, duration_ms from call_sum where pass_id is not null
    order by 1, 2, 3, 4, 5
    on conflict (consumer_id, tool_id, hour, success, pass_id) do update
      set calls = kept.calls + excluded.calls, duration_ms = kept.duration_ms + excluded.duration_ms
  )`;
}

export function addMeasures(source: string, grammarParameter: string, key: FoldKey): string {
  const fold = foldMeasures(source, grammarParameter, key);
  if (key === 'withoutPass') return `measured as (${intoRollupMeasure(fold)})`;
  return `measure_sum as (
    ${fold}
  ), measured as (
    ${intoRollupMeasure('select consumer_id, tool_id, hour, success, key, total from measure_sum where pass_id is null')}
  ), pass_measured as (
    insert into usage.pass_rollup_measure as kept (consumer_id, tool_id, hour, success, pass_id, key, total)
    select consumer_id, tool_id, hour, success, pass_id, key, total from measure_sum where pass_id is not null
    order by 1, 2, 3, 4, 5, 6
    on conflict (consumer_id, tool_id, hour, success, pass_id, key) do update
      set total = trim_scale(kept.total + excluded.total)
  )`;
}

function intoRollup(sums: string): string {
  return `
    insert into usage.rollup (consumer_id, tool_id, hour, success, calls, duration_ms)
    ${sums} order by 1, 2, 3, 4
    on conflict (consumer_id, tool_id, hour, success) do update
      set calls = rollup.calls + excluded.calls, duration_ms = rollup.duration_ms + excluded.duration_ms
  `;
}

function intoRollupMeasure(sums: string): string {
  return `
    insert into usage.rollup_measure (consumer_id, tool_id, hour, success, key, total)
    ${sums} order by 1, 2, 3, 4, 5
    on conflict (consumer_id, tool_id, hour, success, key) do update set total = trim_scale(rollup_measure.total + excluded.total)
  `;
}
