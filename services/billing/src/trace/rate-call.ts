import { measureOf } from '@tollgate/contracts/measure';
import { formatDecimal, parseDecimal, subtractDecimals } from '@tollgate/kernel/decimal';
import { hourOf } from '@tollgate/kernel/period';
import { rateOverTime, type TimedLine, type TimedUsage } from '@tollgate/pricing/rate-over-time';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { TracedEvent } from './trace.ts';

export interface CallToRate {
  readonly event: TracedEvent;
  /** In force in its hour. */
  readonly price: RatedPrice;
  /** Of its consumer under this price, from the month's beginning to the end of its hour, which is a span of its own. */
  readonly usage: readonly TimedUsage[];
}

/**
 * What one call adds to the lines of its month, if it is taken as the last of its hour: R(all up to the end of the hour)
 * − R(the same without it). It is cut out of its hour and put behind it, and then rated as any span is. None
 * where it is not billed, or adds nothing.
 */
export function rateCall({ event, price, usage }: CallToRate): TimedLine[] {
  const hourMs = hourOf(event.occurredAtMs);
  const afterHourMs = hourMs + 1;
  const cut = usage.flatMap((counted) => {
    if (counted.startMs !== hourMs || counted.success !== event.success) return [counted];
    const call = { ...counted, ...countedOf(event), startMs: afterHourMs };
    return [without(counted, call), call];
  });
  return rateOverTime(cut, new Map([[price.priceId, price]])).filter(({ startMs }) => startMs === afterHourMs);
}

/** As counting took it. */
function countedOf({ durationMs, metadata }: TracedEvent) {
  const measures = Object.entries(metadata).flatMap(([key, value]) => {
    const amount = measureOf(value);
    return amount === undefined ? [] : [[key, amount] as const];
  });
  return { calls: 1n, durationMs: durationMs ?? 0n, measures: new Map(measures) };
}

function without(counted: TimedUsage, call: TimedUsage): TimedUsage {
  const measures = [...counted.measures].map(([key, total]) => {
    const left = subtractDecimals(parseDecimal(total), parseDecimal(call.measures.get(key) ?? '0'));
    return [key, formatDecimal(left)] as const;
  });
  return {
    ...counted,
    calls: counted.calls - call.calls,
    durationMs: counted.durationMs - call.durationMs,
    measures: new Map(measures),
  };
}
