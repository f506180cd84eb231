import { measureOf } from '@tollgate/contracts/measure';
import { formatDecimal, parseDecimal, subtractDecimals } from '@tollgate/kernel/decimal';
import { hourOf } from '@tollgate/kernel/period';
import { rateSlices, type LineSlice, type UsageSlice } from '@tollgate/pricing/rate-slices';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { TracedEvent } from './trace.ts';

export interface CallToRate {
  readonly event: TracedEvent;
  /** In force in its hour. */
  readonly price: RatedPrice;
  /** Of its consumer under this price, from the month's beginning to the end of its hour, which is a slice of its own. */
  readonly slices: readonly UsageSlice[];
}

/**
 * What one call adds to the lines of its month, if it is taken as the last of its hour: R(all up to the end of the hour)
 * − R(the same without it). It is cut out of its hour's slice and put behind it, and then rated as any slice is. None
 * where it is not billed, or adds nothing.
 */
export function rateCall({ event, price, slices }: CallToRate): LineSlice[] {
  const hourMs = hourOf(event.occurredAtMs);
  const afterHourMs = hourMs + 1;
  const cut = slices.flatMap((slice) => {
    if (slice.startMs !== hourMs || slice.success !== event.success) return [slice];
    const call = { ...slice, ...countedOf(event), startMs: afterHourMs };
    return [without(slice, call), call];
  });
  return rateSlices(cut, new Map([[price.priceId, price]])).filter(({ startMs }) => startMs === afterHourMs);
}

/** As counting took it. */
function countedOf({ durationMs, metadata }: TracedEvent) {
  const measures = Object.entries(metadata).flatMap(([key, value]) => {
    const amount = measureOf(value);
    return amount === undefined ? [] : [[key, amount] as const];
  });
  return { calls: 1n, durationMs: durationMs ?? 0n, measures: new Map(measures) };
}

function without(slice: UsageSlice, call: UsageSlice): UsageSlice {
  const measures = [...slice.measures].map(([key, total]) => {
    const left = subtractDecimals(parseDecimal(total), parseDecimal(call.measures.get(key) ?? '0'));
    return [key, formatDecimal(left)] as const;
  });
  return {
    ...slice,
    calls: slice.calls - call.calls,
    durationMs: slice.durationMs - call.durationMs,
    measures: new Map(measures),
  };
}
