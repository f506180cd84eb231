import type { Usage } from '@tollgate/contracts/money/usage';
import { hourMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';

import type { HttpClient } from '../http-client.ts';
import { formatMillionths, unitsKey, type LoadEvent } from '../load/load-event.ts';

export interface UsageReader {
  readonly token: string;
  readonly role: 'consumer' | 'builder';
}

export interface ExpectedUsage {
  /** The events that this reader must see, or their sums by `tool consumer success`. */
  readonly events: readonly LoadEvent[] | ReadonlyMap<string, Sums>;
  /** Tools whose price sums the units. */
  readonly measuredToolIds: readonly string[];
  readonly nowMs: number;
}

export interface Sums {
  calls: number;
  durationMs: number;
  unitMillionths: bigint;
}

/** Compares `GET /v1/usage` of one reader with the sums of the events that this reader must see. */
export async function checkUsage(
  client: HttpClient,
  { token, role }: UsageReader,
  { events, measuredToolIds, nowMs }: ExpectedUsage,
): Promise<string[]> {
  const from = toIso(Math.floor(nowMs / hourMs) * hourMs - 48 * hourMs);
  const to = toIso(Math.ceil(nowMs / hourMs) * hourMs + hourMs);
  const query = new URLSearchParams({ role, from, to, group_by: 'tool_id,consumer_id,success' });
  const answer = await client<Usage>('GET', `/v1/usage?${query.toString()}`, { token });
  if (answer.status !== 200) return [`GET /v1/usage as ${role} answered ${answer.status}: ${answer.text}`];
  const answered = answer.body.usage.map((row) =>
    [row.tool_id, row.consumer_id, row.success, row.calls, row.duration_ms, JSON.stringify(row.measures)].join(' '),
  );
  const expected = [...('size' in events ? events : sumByRow(events))].map(
    ([row, { calls, durationMs, unitMillionths }]) => {
      const isMeasured = measuredToolIds.includes(row.split(' ')[0] ?? '');
      const measures = isMeasured ? { [unitsKey]: formatMillionths(unitMillionths) } : {};
      return [row, calls, durationMs, JSON.stringify(measures)].join(' ');
    },
  );
  return [
    ...expected.filter((line) => !answered.includes(line)).map((line) => `missing in /v1/usage as ${role}: ${line}`),
    ...answered.filter((line) => !expected.includes(line)).map((line) => `unexpected in /v1/usage as ${role}: ${line}`),
  ];
}

function sumByRow(events: readonly LoadEvent[]): Map<string, Sums> {
  const rows = new Map<string, Sums>();
  for (const { toolId, consumerId, success, durationMs, unitMillionths } of events) {
    const name = [toolId, consumerId, success].join(' ');
    const sums = rows.get(name) ?? { calls: 0, durationMs: 0, unitMillionths: 0n };
    sums.calls += 1;
    sums.durationMs += durationMs;
    sums.unitMillionths += BigInt(unitMillionths);
    rows.set(name, sums);
  }
  return rows;
}
