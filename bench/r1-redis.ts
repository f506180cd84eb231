import { startRedis } from '@tollgate/testkit/redis/start-redis';
import { measureRatio } from './measure.ts';
import { withProduct, type ProductUnderLoad } from './product-under-load.ts';
import { runWrk } from './wrk.ts';

const connections = 128;
const seconds = 5;

/** What the limit that gateways share costs: answers a second to single events with Redis, against the same without. */
export async function benchSharedLimit(): Promise<void> {
  const redis = await startRedis();
  try {
    await withProduct(async (alone) => {
      await withProduct(
        async (shared) => {
          await measureRatio({
            id: 'R1-redis',
            ours: `answers/s of POST /v1/events with REDIS_URL, ${connections} connections, Redis on the same machine`,
            ceiling: 'the same without REDIS_URL',
            goal: 0.8,
            runCeiling: () => answersOf(alone),
            runOurs: () => answersOf(shared),
          });
        },
        { REDIS_URL: redis.url },
      );
    });
  } finally {
    await redis.stop();
  }
}

async function answersOf({ baseUrl, keys, toolId }: ProductUnderLoad): Promise<{ items: number; seconds: number }> {
  const body = JSON.stringify({ tool_id: toolId, duration_ms: 120, success: true });
  const result = await runWrk({ url: `${baseUrl}/v1/events`, tokens: keys, body, connections, seconds });
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.answers} answers were no 2xx; the figure would be void`);
  return { items: result.answers, seconds: result.seconds };
}
