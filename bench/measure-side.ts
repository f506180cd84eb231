import { othersShare, readMachineCpu } from './machine/machine-cpu.ts';
import { readCpuByName, readEndedChildrenMicros } from './machine/process-cpu.ts';
import type { Measurement, Row, Side } from './row.ts';

/** The result of one round of one side. */
export interface Sample extends Measurement {
  /** CPU per event of each process of the side. */
  readonly cpuMicrosPerEvent: Readonly<Record<string, number>>;
  /** CPU per event of the load generator, which is no part of the side. */
  readonly loadMicrosPerEvent: number;
  /** The share of the machine that processes outside of the bench used meanwhile. */
  readonly othersShare: number;
}

export async function measureSide(side: Side): Promise<Sample> {
  await side.prepare?.();
  const before = read(side);
  const measured = await side.measure();
  const after = read(side);
  const { events } = measured;
  const perEvent = [...after.cpu].map(([name, micros]) => [name, (micros - (before.cpu.get(name) ?? 0)) / events]);
  return {
    ...measured,
    cpuMicrosPerEvent: Object.fromEntries(perEvent) as Record<string, number>, // pairs of name and number
    loadMicrosPerEvent: (after.load - before.load) / events,
    othersShare: othersShare(before.machine, after.machine),
  };
}

function read({ processes }: Side) {
  return { cpu: readCpuByName(processes), load: readEndedChildrenMicros(), machine: readMachineCpu() };
}

/** CPU per event of all processes of the side. */
export function totalCpuMicros({ cpuMicrosPerEvent }: Sample): number {
  return Object.values(cpuMicrosPerEvent).reduce((sum, micros) => sum + micros, 0);
}

export function figureOf({ figure }: Pick<Row, 'figure'>, sample: Sample): number {
  if (figure === 'cpu') return totalCpuMicros(sample);
  return figure === 'growth' ? (sample.growth ?? Number.NaN) : sample.value;
}
