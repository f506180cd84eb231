import type { UsageQuery as ApiUsageQuery } from '@tollgate/contracts/usage';
import type { UsageQuery } from './usage-query.ts';
import { usageWindow } from './usage-window.ts';

export interface UsageAsker {
  readonly accountId: string;
  readonly nowMs: number;
}

/** Throws 400 where the bounds that are left out do not fit those that are given. */
export function fromApiUsageQuery(asked: ApiUsageQuery, { accountId, nowMs }: UsageAsker): UsageQuery {
  return {
    accountId,
    role: asked.role,
    ...usageWindow({ fromMs: asked.from, toMs: asked.to }, nowMs),
    groupBy: new Set(asked.group_by),
    ...(asked.tool_id !== undefined && { toolId: asked.tool_id }),
    ...(asked.granularity !== undefined && { granularity: asked.granularity }),
  };
}
