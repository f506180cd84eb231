import { tagsOf, type UsageQuery as ApiUsageQuery } from '@tollgate/contracts/money/usage';
import type { UsageQuery } from './usage-query.ts';
import { usageWindow } from './usage-window.ts';

export interface UsageContext {
  readonly accountId: string;
  readonly nowMs: number;
}

/** Throws `invalid_request` if the window, with defaults for missing bounds, would end before it begins. */
export function fromApiUsageQuery(query: ApiUsageQuery, { accountId, nowMs }: UsageContext): UsageQuery {
  return {
    accountId,
    role: query.role,
    ...usageWindow({ fromMs: query.from, toMs: query.to }, nowMs),
    groupBy: new Set(query.group_by),
    tags: tagsOf(query.group_by ?? []),
    ...(query.tool_id !== undefined && { toolId: query.tool_id }),
    ...(query.granularity !== undefined && { granularity: query.granularity }),
  };
}
