import type { Price } from '@tollgate/contracts/price';

/** The facts about a tool that decide whether the gateway accepts an event for it. */
export interface Tool {
  readonly toolId: string;
  readonly ownerId: string;
  readonly isArchived: boolean;
  readonly prices: readonly PriceSpan[];
}

/** The time in which a price version is in force, and the measures that events of this time must carry as numbers. */
export interface PriceSpan {
  /** Epoch ms, half-open; −Infinity for a tool's first price, Infinity for its last. */
  readonly startMs: number;
  readonly endMs: number;
  /** The metadata keys that it sums. */
  readonly measures: readonly string[];
  readonly priceId: string;
  readonly price: Price;
}

const none: readonly string[] = [];

/** The metadata keys that are summed for an event of this time. */
export function measuresAt(tool: Tool, occurredAtMs: number): readonly string[] {
  const inForce = tool.prices.find(({ startMs, endMs }) => startMs <= occurredAtMs && occurredAtMs < endMs);
  return inForce?.measures ?? none;
}
