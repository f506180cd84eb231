import { eventAgeMaxMs } from '@tollgate/contracts/events/events';
import { periodOf } from '@tollgate/kernel/period';
import type { CountableEvent } from './plan-flush.ts';

/** A month of a consumer's calls of a tool. */
export interface LateUsage {
  readonly consumerId: string;
  readonly toolId: string;
  /** 'YYYY-MM'. */
  readonly period: string;
}

/**
 * The months of these events that may have been closed before they are counted, each once. A month closes once the
 * watermark has passed its end by the age of the oldest event that a gateway accepts.
 */
export function lateUsageOf(events: readonly CountableEvent[], countedThroughMs: number): LateUsage[] {
  const closableBefore = Number.isFinite(countedThroughMs) ? periodOf(countedThroughMs - eventAgeMaxMs) : '';
  const late = new Map<string, LateUsage>();
  for (const { event } of events) {
    const period = event.occurred_at.slice(0, 7);
    if (period >= closableBefore) continue;
    late.set(`${event.consumer_id} ${event.tool_id} ${period}`, {
      consumerId: event.consumer_id,
      toolId: event.tool_id,
      period,
    });
  }
  return [...late.values()];
}
