import type { UsageDimension } from '@tollgate/contracts/usage';

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

/** Whether the query tells passes apart. */
export function isByPass({ groupBy, tags = [] }: Pick<UsageQuery, 'groupBy' | 'tags'>): boolean {
  return groupBy.has('pass_id') || tags.length > 0;
}
