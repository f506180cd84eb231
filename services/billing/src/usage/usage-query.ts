import type { UsageDimension } from '@tollgate/contracts/usage';

export type Granularity = 'hour' | 'day' | 'month';
/** A consumer asks for its own calls; a builder for everybody's calls of the tools it owns. */
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
}
