import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProcess } from '@tollgate/testkit/service-process';

const seriesOf = (status: number): RegExp =>
  new RegExp(
    `^http_request_duration_seconds_count\\{(?=.*operation="recordEvent")(?=.*status="${status}").*\\} (\\d+)$`,
    'm',
  );

/** Whether a gateway, asked all the while, takes no event for so long from now on, and answers 503 instead. */
export async function refusesFor(gateway: ServiceProcess, forMs: number): Promise<boolean> {
  const before = await answersOf(gateway);
  await sleep(forMs);
  const after = await answersOf(gateway);
  return after.recorded === before.recorded && after.refused > before.refused;
}

async function answersOf({ metricsUrl }: ServiceProcess): Promise<{ recorded: number; refused: number }> {
  const page = await (await fetch(metricsUrl)).text();
  const countOf = (status: number): number => Number(seriesOf(status).exec(page)?.[1] ?? 0);
  return { recorded: countOf(201), refused: countOf(503) };
}
