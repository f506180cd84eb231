import type { UsageRole } from './usage-query.ts';

/**
 * Selects the rollups `r` of account $1 in one role. Row-level policies admit both its own calls and those of its
 * tools; this condition keeps one of the two.
 */
export const callsOfRole: Record<UsageRole, string> = {
  consumer: 'r.consumer_id = $1',
  builder: 'r.tool_id in (select d.tool_id from billing.tool_directory_v1 d where d.owner_id = $1)',
};
