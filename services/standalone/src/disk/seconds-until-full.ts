import { dayMs, hourMs } from '@tollgate/kernel/durations';

/** The room of a disk at a time, by this machine's clock. */
export interface Room {
  readonly atMs: number;
  readonly freeBytes: number;
}

/** The shortest time that says something about a rate. */
const learnsForMs = hourMs;

/**
 * How long the disk lasts at the rate of the last day. Null: it does not fill, or an hour has not passed yet. `earlier` is in the
 * order of time.
 */
export function secondsUntilFull(earlier: readonly Room[], now: Room): number | null {
  const first = earlier.find(({ atMs }) => now.atMs - atMs <= dayMs);
  if (first === undefined || now.atMs - first.atMs < learnsForMs) return null;
  const usedBytes = first.freeBytes - now.freeBytes;
  if (usedBytes <= 0) return null;
  const seconds = (now.atMs - first.atMs) / 1_000;
  return (now.freeBytes / usedBytes) * seconds;
}
