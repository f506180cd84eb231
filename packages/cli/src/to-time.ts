import { toIso } from '@tollgate/kernel/clock';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import type { Tollgate } from '@tollgate/sdk';

const unitsMs: Readonly<Record<string, number>> = { d: dayMs, h: hourMs, m: minuteMs };

/** A span begins now by the clock of the service, which judges it. */
export async function toTime(when: string, tollgate: Tollgate): Promise<string> {
  const [, count, unit = ''] = /^(\d{1,6})([dhm])$/.exec(when) ?? [];
  if (count === undefined) return when;
  const { now } = await tollgate.service.live();
  return toIso(Date.parse(now) + Number(count) * (unitsMs[unit] ?? 0));
}
