import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { EventInput } from '@tollgate/contracts/events/events';
import { pointerOf } from '@tollgate/contracts/forms/field-errors';
import { measureOf } from '@tollgate/contracts/events/measure';
import type { FieldError } from '@tollgate/kernel/app-error';
import { measuresAt, priceAt, type PriceSpan, type Tool } from '../../tools/tool.ts';
import type { Quantities } from '../authorizations/hold.ts';

/** Returns the quantities of an event that its price counts. */
export function quantitiesOf(
  { duration_ms: durationMs = 0, metadata = {} }: EventInput,
  tool: Tool,
  atMs: number,
): Quantities {
  const measures = measuresAt(tool, atMs).flatMap((key): [string, string][] => {
    const measure = Object.hasOwn(metadata, key) ? measureOf(metadata[key]) : undefined;
    return measure === undefined ? [] : [[key, measure]];
  });
  return { durationMs: countsDuration(priceAt(tool, atMs)) ? durationMs : 0, measures: Object.fromEntries(measures) };
}

function countsDuration(inForce: PriceSpan | undefined): boolean {
  return inForce?.price.charges.some(({ metric }) => metric.type === 'duration_ms') ?? false;
}

export function quantitiesOfMax({ duration_ms: durationMs = 0, metadata = {} }: AuthorizedMax): Quantities {
  return {
    durationMs,
    measures: Object.fromEntries(Object.entries(metadata).map(([key, most]) => [key, String(most)])),
  };
}

/** Finds the quantities that a price counts and `max` does not bound. Without a bound nobody knows what to hold. */
export function unboundedQuantities(prices: readonly PriceSpan[], max: AuthorizedMax): FieldError[] {
  const missing = new Set<string>();
  for (const { metric } of prices.flatMap(({ price }) => price.charges)) {
    if (metric.type === 'duration_ms' && max.duration_ms === undefined) missing.add(pointerOf(['max', 'duration_ms']));
    if (metric.type === 'metadata_sum' && !Object.hasOwn(max.metadata ?? {}, metric.key))
      missing.add(pointerOf(['max', 'metadata', metric.key]));
  }
  const message = 'is required, since the price of the tool counts it: the most that the call can have';
  return [...missing].sort().map((pointer) => ({ pointer, code: 'required', message }));
}
