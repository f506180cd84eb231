const pattern = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** A `traceparent` of W3C Trace Context as it came; undefined for anything else, since a bad one must not lose a call. */
export function readTraceparent(value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}
