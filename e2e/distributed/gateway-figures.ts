import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { readSeries } from '@tollgate/testkit/read-series';
import type { ServiceProcess } from '@tollgate/testkit/service-process';

/** Figures from a gateway's own metrics. */
export interface GatewayFigures {
  readonly rssMegabytes: number;
  readonly heapMegabytes: number;
  readonly eventLoopLagMs: number;
  readonly heldEvents: number;
  readonly heldMegabytes: number;
}

const everyMs = 1_000;
const metrics: Readonly<Record<keyof GatewayFigures, readonly [name: string, factor: number]>> = {
  rssMegabytes: ['process_resident_memory_bytes', 1e-6],
  heapMegabytes: ['nodejs_heap_size_total_bytes', 1e-6],
  eventLoopLagMs: ['nodejs_eventloop_lag_p99_seconds', 1e3],
  heldEvents: ['tollgate_gateway_held_events', 1],
  heldMegabytes: ['tollgate_gateway_held_bytes', 1e-6],
};

/** Reads the figures once per second for `forMs` and returns the worst of each. */
export async function watchGateway(gateway: ServiceProcess, forMs: number): Promise<GatewayFigures> {
  const untilMs = systemClock.monotonicMs() + forMs;
  let worst = await readFigures(gateway);
  while (systemClock.monotonicMs() < untilMs) {
    await sleep(everyMs);
    worst = worseOf(worst, await readFigures(gateway));
  }
  return worst;
}

async function readFigures(gateway: ServiceProcess): Promise<GatewayFigures> {
  const valueOf = await readSeries(gateway);
  return ofEach((name) => {
    const [series, factor] = metrics[name];
    return Math.round((valueOf(series) ?? Number.NaN) * factor);
  });
}

function worseOf(one: GatewayFigures, other: GatewayFigures): GatewayFigures {
  return ofEach((name) => Math.max(one[name], other[name]));
}

function ofEach(figureOf: (name: keyof GatewayFigures) => number): GatewayFigures {
  const names = Object.keys(metrics) as (keyof GatewayFigures)[]; // the type of `metrics`
  return Object.fromEntries(names.map((name) => [name, figureOf(name)])) as Record<keyof GatewayFigures, number>;
}
