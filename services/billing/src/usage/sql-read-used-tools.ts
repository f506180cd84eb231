import type { Transaction } from '@tollgate/database/database';
import { versionsOfTool } from './sql-fetch-in-batches.ts';
import type { UsageRole } from './usage-row.ts';

export interface UsedTool {
  readonly toolId: string;
  /** The first and the last hour with usage, of those asked for. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** The price versions in their order. Empty: the tool has no price. */
  readonly versions: readonly PriceVersion[];
}

export interface PriceVersion {
  readonly priceId: string;
  /** -Infinity: from the beginning. */
  readonly startMs: number;
}

export interface UsedToolsQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string | undefined;
  /** Full hours, [sinceMs, toMs). */
  readonly sinceMs: number;
  readonly toMs: number;
}

/**
 * The first tool of a consumer in the order of the primary keys. `consumer_id = $1` would let the planner take the index by tool,
 * which has the tools in the same order, and look there through the rows of all consumers.
 */
const first = (after: string): string => `
  select r.tool_id from usage.rollup_v1 r where ${after} and r.consumer_id <= $1 order by r.consumer_id, r.tool_id limit 1`;

/** A consumer's tools, each by one step into the primary keys: to look through all hours took a fifth of a query's time. */
const stepText = `
with recursive step as (
  (${first('r.consumer_id >= $1')})
  union all
  select (${first('(r.consumer_id, r.tool_id) > ($1, step.tool_id)')}) from step where step.tool_id is not null
)`;

const toolsOf: Record<UsageRole, string> = {
  consumer: 'select step.tool_id from step where step.tool_id is not null',
  builder: 'select d.tool_id from billing.tool_directory_v1 d where d.owner_id = $1',
};

/**
 * Row-level policies admit both an account's own calls and those of its tools; this keeps one of the two. A builder's tools
 * are its own, whoever calls them.
 */
const whoseOf: Record<UsageRole, string> = { consumer: 'r.consumer_id = $1 and ', builder: '' };

/** Reads the ends of an index per tool, so its cost grows with the tools and not with their hours. */
const textFor = (role: UsageRole): string => `${role === 'consumer' ? stepText : ''}
select t.tool_id, h.first_at, h.last_at, v.starts, v.price_ids
from (${toolsOf[role]}) t cross join lateral (
  select min(r.hour) as first_at, max(r.hour) as last_at from usage.rollup_v1 r
  where ${whoseOf[role]}r.tool_id = t.tool_id and r.hour >= $2 and r.hour < $3
) h cross join lateral (${versionsOfTool}) v
where h.first_at is not null and ($4::text is null or t.tool_id = $4)`;

const texts: Record<UsageRole, string> = { consumer: textFor('consumer'), builder: textFor('builder') };

interface DbUsedTool {
  readonly tool_id: string;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly starts: readonly (Date | number)[] | null; // -Infinity: from the beginning
  readonly price_ids: readonly string[] | null;
}

/** Reads which tools have usage in these hours, and their prices. */
export async function readUsedTools(tx: Transaction, query: UsedToolsQuery): Promise<UsedTool[]> {
  const { accountId, role, toolId = null, sinceMs, toMs } = query;
  const values = [accountId, new Date(sinceMs), new Date(toMs), toolId];
  const statement = { name: `billing.read_used_tools_${role}`, text: texts[role] };
  return (await tx.query<DbUsedTool>(statement, values)).map((row) => ({
    toolId: row.tool_id,
    firstMs: row.first_at.getTime(),
    lastMs: row.last_at.getTime(),
    versions: (row.price_ids ?? []).map((priceId, at) => ({ priceId, startMs: Number(row.starts?.[at]) })),
  }));
}
