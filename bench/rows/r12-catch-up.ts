import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import { refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import { startDistributedProduct, type DistributedProduct } from '../products/distributed.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measureHalfLoad } from './r6-latency.ts';

const outageSecondsDefault = 600;
const lookEveryMs = 100;
/** The machine is full while the aggregator catches up, so events wait. None may be left out for it: they wait on. */
const waitingSecondsMax = 10;

/** How fast the aggregator, frozen for ten minutes, catches up while events go on to come in. */
export const catchUpRow = defineRow({
  id: 'R12',
  ours: `events counted per second after the aggregator stood still for ${outageSecondsDefault} s, in multiples of the rate at which events went on to arrive; distributed, half load`,
  ceiling: undefined,
  unit: '× arrival',
  figure: 'value',
  isHigherBetter: true,
  goal: { of: 'figure', bound: { atLeast: 5 } },
  isComparable: false,
  fullSize: { outageSeconds: outageSecondsDefault },
  openOurs: async (context) => catchUpSide(await startDistributedProduct(context), context),
});

async function catchUpSide(product: DistributedProduct, context: RowContext): Promise<Side> {
  const { processes, close, recordUrl, keys: tokens, toolId } = product;
  const perSecond = await measureHalfLoad(product, context);
  const outageSeconds = context.sizes.outageSeconds ?? outageSecondsDefault;
  const aggregator = product.pidOf('aggregator-1');
  return {
    processes,
    isWarm: true, // the half of its load was measured
    async measure() {
      const enough = new AbortController();
      const waitingMax = waitingSecondsMax * perSecond;
      const load = { url: `${recordUrl}/v1/events`, tokens, toolId, perSecond, seconds: 3 * outageSeconds, waitingMax };
      const sending = runPacedLoad(load, enough.signal);
      process.kill(aggregator, 'SIGSTOP');
      await sleep(outageSeconds * 1_000);
      const before = await product.progress();
      const startedMs = systemClock.monotonicMs();
      process.kill(aggregator, 'SIGCONT');
      const after = await untilCaughtUp(product, perSecond);
      const seconds = (systemClock.monotonicMs() - startedMs) / 1_000;
      enough.abort();
      const sent = await sending;
      refuseFailures(sent);
      const [p99, slowest] = [0.99, 1].map((share) => Math.round(percentile(sent.waitsMs, share)));
      context.progress(`one event of a hundred waited ${p99} ms or more for its answer, the slowest ${slowest}`);
      await untilCounted(product);
      return { events: sent.waitsMs.length, value: Number(after - before.counted) / seconds / perSecond };
    },
    close,
  };
}

/** Behind by less than what arrives in a second. */
async function untilCaughtUp({ progress }: DistributedProduct, perSecond: number): Promise<bigint> {
  for (;;) {
    const { appended, counted } = await progress();
    if (appended - counted < BigInt(perSecond)) return counted;
    await sleep(lookEveryMs);
  }
}
