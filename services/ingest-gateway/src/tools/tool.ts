import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';

/** The facts about a tool that decide whether the gateway accepts an event for it. */
export interface Tool {
  readonly toolId: string;
  readonly ownerId: string;
  readonly isArchived: boolean;
  /** The server that serves it; OAuth tokens for this resource open the tool. Null for none. */
  readonly resource: string | null;
  readonly prices: readonly PriceSpan[];
  /** The most that a call has, where an authorization does not say it. */
  readonly defaultMax: AuthorizedMax | null;
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

/** The price that is in force at this time. */
export function priceAt({ prices }: Tool, atMs: number): PriceSpan | undefined {
  return prices.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
}

/** The prices that are in force between these moments, both included. */
export function pricesBetween(
  { prices }: Tool,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly PriceSpan[] {
  return prices.filter(({ startMs, endMs }) => startMs <= toMs && fromMs < endMs);
}

/** The metadata keys that are summed for an event of this time. */
export function measuresAt(tool: Tool, occurredAtMs: number): readonly string[] {
  return priceAt(tool, occurredAtMs)?.measures ?? none;
}
