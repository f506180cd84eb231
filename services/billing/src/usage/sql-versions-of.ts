/**
 * Selects, per tool of the query `tools`, the starts of its price versions in order, and their ids; nothing for a tool
 * without a price. A look-up in these arrays costs the logarithm of the tool's own versions; a join on the tool costs
 * every version for every hour of usage.
 */
export function versionsOf(tools: string): string {
  return `select t.tool_id, v.starts, v.price_ids
  from (${tools}) t cross join lateral (
    select array_agg(coalesce(p.effective_from, '-infinity') order by p.effective_from nulls first) as starts,
      array_agg(p.price_id order by p.effective_from nulls first) as price_ids
    from billing.tool_price p where p.tool_id = t.tool_id offset 0
  ) v
  where v.price_ids is not null`;
}

/** The id of the price version in force at `hour`, from a row of `versionsOf`. */
export function priceInForce(version: string, hour: string): string {
  return `${version}.price_ids[width_bucket(${hour}, ${version}.starts)]`;
}
