import { setTimeout as sleep } from 'node:timers/promises';

/** As often as the thread's use of the processor is read. */
const everyMs = 2;
const attempts = 3;

/**
 * The longest time for which `work` keeps this thread from all other work, in milliseconds of the processor: waiting for
 * other processes does not count. `work` runs three times, and the least counts: a collection of garbage comes once.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  const holds: number[] = [];
  for (let attempt = 0; attempt < attempts; attempt += 1) holds.push(await holdMs(work));
  return Math.min(...holds);
}

async function holdMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = threadCpuMs();
  const read = (): void => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(read, everyMs);
  try {
    await work();
    await sleep(everyMs);
  } finally {
    clearInterval(timer);
  }
  read();
  return longest;
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
