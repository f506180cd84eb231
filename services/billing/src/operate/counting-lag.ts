import { hourMs, minuteMs } from '@tollgate/kernel/durations';

/** A minute of the machine's clock, and how far counting was behind in it at most. */
export interface LagMinute {
  /** Epoch milliseconds. */
  readonly startsMs: number;
  readonly lagSeconds: number;
}

/** Remembers the largest lag of each minute of the last hour. A minute without a reading is left out. */
export function createCountingLag() {
  let minutes: readonly LagMinute[] = [];
  const since = (nowMs: number) => minutes.filter(({ startsMs }) => startsMs > nowMs - hourMs);
  return {
    note(nowMs: number, lagSeconds: number | null): void {
      if (lagSeconds === null) return;
      const startsMs = nowMs - (nowMs % minuteMs);
      const before = minutes.find((minute) => minute.startsMs === startsMs);
      const others = since(nowMs).filter((minute) => minute !== before);
      minutes = [...others, { startsMs, lagSeconds: Math.max(lagSeconds, before?.lagSeconds ?? 0) }];
    },
    lastHour: since,
  };
}
