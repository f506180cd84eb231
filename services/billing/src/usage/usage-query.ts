import type { UsageDimension } from '@tollgate/contracts/money/usage';
import { dayMs, hourMs } from '@tollgate/kernel/durations';

export type Granularity = 'hour' | 'day' | 'month';
/** As a consumer, an account sees its own calls; as a builder, everybody's calls of its tools. */
export type UsageRole = 'consumer' | 'builder';

export interface UsageQuery {
  readonly accountId: string;
  readonly role: UsageRole;
  readonly toolId?: string;
  /** Full hours, [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly granularity?: Granularity;
  readonly groupBy: ReadonlySet<UsageDimension>;
  /** The names of the passes' tags to group by. */
  readonly tags?: readonly string[];
}

const granularityMs: Record<Granularity, number> = { hour: hourMs, day: dayMs, month: 28 * dayMs };

/** Whether most answers have at most that many rows: one account's own calls in few spans. */
export function isUsuallyShort(
  { role, fromMs, toMs, granularity = 'month' }: Pick<UsageQuery, 'role' | 'fromMs' | 'toMs' | 'granularity'>,
  rows: number,
): boolean {
  return role === 'consumer' && (toMs - fromMs) / granularityMs[granularity] <= rows;
}

/** Whether the query tells passes apart. */
export function isByPass({ groupBy, tags = [] }: Pick<UsageQuery, 'groupBy' | 'tags'>): boolean {
  return groupBy.has('pass_id') || tags.length > 0;
}
