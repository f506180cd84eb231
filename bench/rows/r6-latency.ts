import { randomUUID } from 'node:crypto';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { Kafka, logLevel } from 'kafkajs';
import { eventBody } from '../load/event-body.ts';
import { leadSeconds, refuseFailures, runPacedLoad } from '../load/paced-load.ts';
import { runWrk } from '../load/wrk.ts';
import { startDistributedProduct, type DistributedProduct } from '../products/distributed.ts';
import type { Product } from '../products/product.ts';
import { untilCounted } from '../products/until-counted.ts';
import { defineRow, type RowContext, type Side } from '../row.ts';
import { percentile } from '../statistics.ts';
import { singles } from './ingest-side.ts';

/** The wait for an answer at half of the load that the product can bear, against one raw produce to the same broker. */
export const latencyRow = defineRow({
  id: 'R6',
  ours: 'p99 of POST /v1/events at half of the rate that saturates it, distributed, open-loop load after its first second',
  ceiling: 'p99 of one raw produce of one record with acks=all to the same broker, one after the other',
  unit: 'ms',
  figure: 'value',
  isHigherBetter: false,
  goal: { of: 'ratio', bound: { atMost: 3 } },
  isComparable: false,
  openOurs: async (context) => pacedSide(await startDistributedProduct(context), context),
  openCeiling: openRawProduce,
});

interface PacedSide extends Side {
  readonly product: DistributedProduct;
}

/** Half of the single events per second that saturate the product now. */
export async function measureHalfLoad(product: Product, { seconds, progress }: RowContext): Promise<number> {
  const { recordUrl, keys: tokens, toolId } = product;
  const load = { ...singles, url: `${recordUrl}/v1/events`, tokens, toolId, seconds };
  await runWrk(load); // warm
  const { answers, seconds: took } = await runWrk(load);
  await untilCounted(product);
  const perSecond = Math.round(answers / took / 2);
  progress(`half load is ${perSecond} events per second`);
  return perSecond;
}

async function pacedSide(product: DistributedProduct, context: RowContext): Promise<PacedSide> {
  const { processes, close, recordUrl, keys: tokens, toolId } = product;
  const perSecond = await measureHalfLoad(product, context);
  return {
    product,
    processes,
    async measure() {
      const { seconds } = context;
      const result = await runPacedLoad({
        url: `${recordUrl}/v1/events`,
        tokens,
        toolId,
        perSecond,
        seconds,
        leadSeconds,
      });
      refuseFailures(result);
      await untilCounted(product);
      return { events: result.statuses['201'] ?? 0, value: percentile(result.waitsMs, 0.99) };
    },
    close,
  };
}

async function openRawProduce({ seconds }: RowContext, { product }: PacedSide): Promise<Side> {
  const topic = 'bench.raw';
  const kafka = new Kafka({ brokers: [product.broker], logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: true });
  await admin.disconnect();
  const producer = kafka.producer();
  await producer.connect();
  return {
    processes: product.processes.filter(({ name }) => name.startsWith('kafka')),
    async measure() {
      const waitsMs: number[] = [];
      const startedMs = systemClock.monotonicMs();
      for (let sentMs = startedMs; sentMs - startedMs < seconds * 1_000;) {
        const value = eventBody(product.toolId, randomUUID(), toIso(systemClock.now()));
        await producer.send({ topic, acks: -1, messages: [{ value }] });
        const answeredMs = systemClock.monotonicMs();
        waitsMs.push(answeredMs - sentMs);
        sentMs = answeredMs;
      }
      return { events: waitsMs.length, value: percentile(waitsMs, 0.99) };
    },
    close: () => producer.disconnect(),
  };
}
