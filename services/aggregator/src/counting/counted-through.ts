export interface WatermarkRules {
  /** A gateway never acknowledges an event later than this after it received it. */
  readonly appendDeadlineMs: number;
  /** How far the clocks of gateways and aggregators may be apart. */
  readonly clockSkewMaxMs: number;
}

/**
 * Up to which receipt time all acknowledged events of a partition are counted, epoch ms. `seenThroughMs` is the receipt
 * time of the last counted record, or the moment before the log's end was found reached. Another event received before
 * that may still be on its way into the log, but only for the deadline, on a clock that is off by the skew.
 */
export function countedThrough(seenThroughMs: number, nowMs: number, rules: WatermarkRules): number {
  return Math.max(earliestMs, Math.min(seenThroughMs, nowMs) - rules.appendDeadlineMs - rules.clockSkewMaxMs);
}

/** The year 1: a receipt time a foreign producer made up must not lead to a time that cannot be written. */
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
