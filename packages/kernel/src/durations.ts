/** Lengths of time in milliseconds. UTC has no summer time, so each hour and day is as long as any other. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** For people, in the largest unit of which there are at least two. */
export function sayDuration(ms: number): string {
  const units = [
    ['days', dayMs],
    ['hours', hourMs],
    ['minutes', minuteMs],
  ] as const;
  const [name, unitMs] = units.find(([, lengthMs]) => ms >= 2 * lengthMs) ?? ['seconds', 1_000];
  return `${Math.round(ms / unitMs)} ${name}`;
}
