import { setTimeout as sleep } from 'node:timers/promises';
import { readSeries } from '@tollgate/testkit/read-series';
import type { ServiceProcess } from '@tollgate/testkit/service-process';

/** True if a gateway under load records no event for `forMs` from now, and answers 503 instead. */
export async function refusesFor(gateway: ServiceProcess, forMs: number): Promise<boolean> {
  const before = await answersOf(gateway);
  await sleep(forMs);
  const after = await answersOf(gateway);
  return after.recorded === before.recorded && after.refused > before.refused;
}

async function answersOf(gateway: ServiceProcess): Promise<{ recorded: number; refused: number }> {
  const valueOf = await readSeries(gateway);
  const countOf = (status: string): number =>
    valueOf('tollgate_http_request_duration_seconds_count', { operation: 'recordEvent', status }) ?? 0;
  return { recorded: countOf('201'), refused: countOf('503') };
}
