import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import type { Product, Progress } from './product.ts';

const lookEveryMs = 20;
const stallMaxMs = 60_000;

/** Resolves when the log holds nothing that is not counted; throws when counting stands still for a minute. */
export async function untilCounted({ progress }: Pick<Product, 'progress'>): Promise<Progress> {
  let last = await progress();
  let movedMs = systemClock.monotonicMs();
  while (last.counted < last.appended) {
    await sleep(lookEveryMs);
    const now = await progress();
    if (now.counted > last.counted) movedMs = systemClock.monotonicMs();
    if (systemClock.monotonicMs() - movedMs > stallMaxMs)
      throw new Error(`counting stands at ${now.counted} of ${now.appended}`);
    last = now;
  }
  return last;
}
