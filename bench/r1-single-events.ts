import { measureRatio } from './measure.ts';
import { withEcho, withProduct } from './product-under-load.ts';
import { runWrk, type WrkLoad } from './wrk.ts';

const connections = 128;
const seconds = 5;

/** Answers a second to single events, all checks and a durable append before each, against a bare echo of the same body. */
export async function benchSingleEvents(): Promise<void> {
  await withEcho(async (echoUrl) => {
    await withProduct(async ({ baseUrl, keys, toolId }) => {
      const body = JSON.stringify({
        tool_id: toolId,
        duration_ms: 120,
        success: true,
        metadata: { model: 'large', region: 'eu-central-1', tokens: 1284 },
      });
      const load = { tokens: keys, body, connections, seconds };
      await measureRatio({
        id: 'R1',
        ours: `answers/s of POST /v1/events, ${connections} connections, ${keys.length} API keys, fsync on`,
        ceiling: 'answers/s of a bare node:http echo of the same body to the same client',
        goal: 0.6,
        runCeiling: () => answersOf({ ...load, url: echoUrl }),
        runOurs: () => answersOf({ ...load, url: `${baseUrl}/v1/events` }),
      });
    });
  });
}

async function answersOf(load: WrkLoad): Promise<{ items: number; seconds: number }> {
  const result = await runWrk(load);
  if (result.failures > 0)
    throw new Error(`${result.failures} of ${result.answers} answers were no 2xx; the figure would be void`);
  return { items: result.answers, seconds: result.seconds };
}
