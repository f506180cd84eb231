import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readOurCpuMicros } from './process-cpu.ts';

export interface MachineCpu {
  /** The time of all cores, idle or not. */
  readonly allMicros: number;
  /** Used by anybody's processes, or taken away by the host. */
  readonly busyMicros: number;
  readonly oursMicros: number;
}

const microsPerTick = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Interrupts count as busy: the kernel adds the time of one to the process that it interrupts, and so to ours. */
export function readMachineCpu(): MachineCpu {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = ticks;
  return {
    allMicros: ticks.reduce((sum, each) => sum + each, 0) * microsPerTick,
    busyMicros: (user + nice + system + irq + softIrq + steal) * microsPerTick,
    oursMicros: readOurCpuMicros(),
  };
}

/** The share of the whole machine that processes outside of the bench used between two readings. */
export function othersShare(before: MachineCpu, after: MachineCpu): number {
  const busy = after.busyMicros - before.busyMicros;
  const ours = after.oursMicros - before.oursMicros;
  return Math.max(0, busy - ours) / (after.allMicros - before.allMicros);
}
