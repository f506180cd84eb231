export interface WatermarkRules {
  /** A gateway never acknowledges an event later than this after it received it. */
  readonly appendDeadlineMs: number;
  /** How far the clocks of gateways and aggregators may be apart. */
  readonly clockSkewMaxMs: number;
}

/**
 * The watermark of a partition: the receipt time, in epoch ms, up to which all acknowledged events are counted.
 * `seenThroughMs` is the receipt time of the last counted record, or the moment before the log's end was found reached.
 * An event received before it may still be on its way into the log. That lasts at most for the append deadline, on a
 * clock that differs by the skew.
 */
export function countedThrough(seenThroughMs: number, nowMs: number, rules: WatermarkRules): number {
  return Math.max(earliestMs, Math.min(seenThroughMs, nowMs) - rules.appendDeadlineMs - rules.clockSkewMaxMs);
}

/** The year 1: a receipt time that a foreign producer invented must not lead to a time that cannot be written. */
const earliestMs = Date.parse('0001-01-01T00:00:00.000Z');
