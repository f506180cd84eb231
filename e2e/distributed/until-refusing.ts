import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@tollgate/testkit/eventually';
import type { ServiceProcess } from '@tollgate/testkit/service-process';

const seriesOf = (status: number): RegExp =>
  new RegExp(
    `^http_request_duration_seconds_count\\{(?=.*operation="recordEvent")(?=.*status="${status}").*\\} (\\d+)$`,
    'm',
  );

/** Until a gateway, asked all the while, has taken no event for so long, and has answered 503 instead. */
export async function untilRefusing(
  gateway: ServiceProcess,
  { forMs, withinMs }: { forMs: number; withinMs: number },
): Promise<void> {
  await eventually(
    async () => {
      const before = await answersOf(gateway);
      await sleep(forMs);
      const after = await answersOf(gateway);
      return after.recorded === before.recorded && after.refused > before.refused;
    },
    { withinMs },
  );
}

async function answersOf({ metricsUrl }: ServiceProcess): Promise<{ recorded: number; refused: number }> {
  const page = await (await fetch(metricsUrl)).text();
  const countOf = (status: number): number => Number(seriesOf(status).exec(page)?.[1] ?? 0);
  return { recorded: countOf(201), refused: countOf(503) };
}
