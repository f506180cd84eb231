/** Lengths of time in milliseconds. UTC has no summer time, so each hour and day is as long as any other. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
