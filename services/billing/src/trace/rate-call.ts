import { measureOf } from '@tollgate/contracts/events/measure';
import { formatDecimal, parseDecimal, subtractDecimals } from '@tollgate/kernel/decimal';
import { hourOf } from '@tollgate/kernel/period';
import { rateOverTime, type TimedLine, type TimedUsage } from '@tollgate/pricing/rate-over-time';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { TracedEvent, NotBilled } from './trace.ts';

export interface CallToRate {
  readonly event: TracedEvent;
  /** The price version in force in the event's hour. */
  readonly price: RatedPrice;
  /**
   * The consumer's usage under this price, from the beginning of the month to the end of the event's hour. That hour is
   * a span of its own.
   */
  readonly usage: readonly TimedUsage[];
}

/**
 * Rates one call as if it were the last of its hour: R(usage up to the hour's end) − R(the same without the call). The
 * call is taken out of its hour, put behind it, and rated like any span. Empty if the call is not billed, or adds
 * nothing.
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

/** The event's quantities, as counting read them. */
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

/** Says why rating found no charge for a call; null if it found one. */
export function notBilledBecause(
  event: TracedEvent,
  price: RatedPrice,
  charges: readonly TimedLine[],
): NotBilled | null {
  if (charges.length > 0) return null;
  if (event.consumerId === price.builderId) return 'own_call';
  return event.success || price.price.bill_failed_calls ? 'nothing_to_charge' : 'failed_call';
}
