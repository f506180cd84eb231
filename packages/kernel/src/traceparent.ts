/** The `traceparent` of W3C's Trace Context: which trace something belongs to, and which of its spans caused it. */
export interface Traceparent {
  /** 32 lower-case hexadecimal digits, not all of them 0. */
  readonly traceId: string;
  /** 16 of them. */
  readonly spanId: string;
  /** Bit 0: the trace is sampled. */
  readonly traceFlags: number;
}

const pattern = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
/** The longest that is read: later versions may be longer than the 55 characters of version 00. */
export const traceparentLengthMax = 128;

/** Undefined for what is none. A later version is read as far as version 00 goes, as W3C wants it. */
export function parseTraceparent(text: string): Traceparent | undefined {
  if (text.length > traceparentLengthMax) return undefined;
  const [, version, traceId, spanId, flags, rest] = pattern.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) };
}

/** As version 00. */
export function toTraceparent({ traceId, spanId, traceFlags }: Traceparent): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
