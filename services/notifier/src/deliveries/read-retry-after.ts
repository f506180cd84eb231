/** The pause that a `Retry-After` asks for, in seconds or until a date; null if it asks for none. */
export function readRetryAfter(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const untilMs = Date.parse(header);
  return Number.isNaN(untilMs) ? null : Math.max(0, untilMs - nowMs);
}
