import type { UsageRole } from './usage-query.ts';

/**
 * Which rollups `r` an account ($1) asks for: row-level policies let through its own calls and those of the tools it owns;
 * this picks one of the two.
 */
export const callsOfRole: Record<UsageRole, string> = {
  consumer: 'r.consumer_id = $1',
  builder: 'r.tool_id in (select d.tool_id from billing.tool_directory_v1 d where d.owner_id = $1)',
};
