import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { runWrk } from '../load/wrk.ts';
import { startDistributedProduct, type DistributedProduct } from '../products/distributed.ts';
import type { Progress } from '../products/product.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type Side } from '../row.ts';
import { batches } from './ingest-side.ts';

/** Shorter than the silence after which Kafka gives the partitions to others. */
const backlogSeconds = 8;
const lookEveryMs = 10;

/** The aggregator stands still while a backlog comes in; what it counts after that is measured from its first flush on. */
export const kafkaBacklogRow = defineRow({
  id: 'R3b',
  ours: `events per second that the aggregator counts from a backlog of ${backlogSeconds} s of batches in Kafka, while no others come in`,
  ceiling: undefined,
  unit: '/s',
  figure: 'value',
  isHigherBetter: true,
  goal: { undecided: 'docs/scale.md compares it with its simulation' },
  isComparable: false,
  openOurs: async (context) => drainSide(await startDistributedProduct(context)),
});

function drainSide(product: DistributedProduct): Side {
  const { processes, close, recordUrl, keys, toolId } = product;
  const aggregator = product.pidOf('aggregator-1');
  let before = 0n;
  return {
    processes,
    async prepare() {
      before = (await untilCounted(product)).counted;
      process.kill(aggregator, 'SIGSTOP');
      try {
        const url = `${recordUrl}/v1/events/batch`;
        await runWrk({ ...batches, url, tokens: keys, toolId, seconds: backlogSeconds });
      } catch (error) {
        process.kill(aggregator, 'SIGCONT');
        throw error;
      }
    },
    async measure() {
      process.kill(aggregator, 'SIGCONT');
      const start = await firstMove(product, before);
      const startedMs = systemClock.monotonicMs();
      const { counted } = await untilCounted(product);
      const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
      return { events: Number(counted - before), value: Number(counted - start.counted) / seconds };
    },
    close,
  };
}

/** The progress at the end of the first flush. */
async function firstMove({ progress }: Pick<DistributedProduct, 'progress'>, before: bigint): Promise<Progress> {
  for (;;) {
    const now = await progress();
    if (now.counted > before) return now;
    await sleep(lookEveryMs);
  }
}
