import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Sampling {
  readonly everyMs: number;
  /** Samples are taken until it is settled. */
  readonly until: Promise<unknown>;
}

/** The resident memory of a process, in MB of 1,000,000 bytes, again and again. */
export async function readResidentMegabytes(pid: number, { everyMs, until }: Sampling): Promise<number[]> {
  const megabytes: number[] = [];
  let isOver = false;
  void until.finally(() => (isOver = true)).catch(() => undefined); // its caller hears of the failure
  while (!isOver) {
    const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    megabytes.push((Number(kilobytes) * 1_024) / 1e6);
    await sleep(everyMs);
  }
  return megabytes;
}
