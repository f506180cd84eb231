/** What the gateway must know of a tool to accept an event for it. */
export interface Tool {
  readonly toolId: string;
  readonly ownerId: string;
  readonly isArchived: boolean;
  readonly prices: readonly PriceSpan[];
}

/** A price version, as far as events meet it: while it is in force they must not carry measures that cannot be summed. */
export interface PriceSpan {
  /** Epoch ms, half-open; −Infinity for a tool's first price, Infinity for its last. */
  readonly startMs: number;
  readonly endMs: number;
  /** The metadata keys that it sums. */
  readonly measures: readonly string[];
}

const none: readonly string[] = [];

/** The metadata keys that are summed for an event of this time. */
export function measuresAt(tool: Tool, occurredAtMs: number): readonly string[] {
  const inForce = tool.prices.find(({ startMs, endMs }) => startMs <= occurredAtMs && occurredAtMs < endMs);
  return inForce?.measures ?? none;
}
