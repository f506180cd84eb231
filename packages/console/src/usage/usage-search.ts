import type { Asked } from '../api/call.ts';
import { dayEnd, dayStart } from '../patterns/day.ts';
import { readSearch } from '../patterns/read-search.ts';

const names = ['role', 'granularity', 'by', 'tag', 'tool_id', 'from', 'to', 'page'] as const;

/** The question of the explorer, as the address has it. */
export type UsageSearch = { readonly [Name in (typeof names)[number]]?: string };

export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  return readSearch(search, names);
}

/** The question to the API. Its errors say what an address asks wrongly. */
export function usageQueryOf({ by, tag, role, granularity, tool_id, from, to }: UsageSearch): Asked<'getUsage'> {
  const group = by === 'tag' ? `tag.${tag ?? ''}` : by;
  const asked = { role, granularity, tool_id, from, to };
  return { ...asked, ...(group !== undefined && group !== 'tag.' && { group_by: [group] }) } as Asked<'getUsage'>;
}

/** The hours of a day. */
export function hoursOfDay(day: string): UsageSearch {
  const [from, to] = [dayStart(day.slice(0, 10)), dayEnd(day.slice(0, 10))];
  return { granularity: 'hour', ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
