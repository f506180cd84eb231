import { eventually } from '@tollgate/testkit/eventually';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** The status of `/readyz`, and its check of Redis. */
export async function readRedisCheck(
  gateway: GatewayUnderTest,
): Promise<{ status: number; redis: string | undefined }> {
  const { status, body } = await gateway.send<{ checks: Record<string, string> }>('GET', '/readyz');
  return { status, redis: body.checks['redis'] };
}

/** Whether this gateway shares limits and replies. */
export async function isShared(gateway: GatewayUnderTest): Promise<boolean> {
  return (await readRedisCheck(gateway)).redis === 'ok';
}

export async function becomesShared(...gateways: readonly GatewayUnderTest[]): Promise<void> {
  for (const gateway of gateways) await eventually(() => isShared(gateway), { withinMs: 10_000 });
}

/** How many answers of Redis were late or failed, over all these gateways. */
async function missedBy(gateways: readonly GatewayUnderTest[]): Promise<number> {
  const texts = await Promise.all(gateways.map((gateway) => gateway.metrics()));
  const counts = texts
    .join('\n')
    .matchAll(/^tollgate_gateway_redis_seconds_count\{.*outcome="(?:late|failed)".*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Repeats the work until no answer of Redis was late. On a slow machine, Redis seems away to a gateway at times. */
export async function withRedisInTime<Result>(
  gateways: readonly GatewayUnderTest[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    const missedBefore = await missedBy(gateways);
    await becomesShared(...gateways);
    const result = await work();
    if ((await missedBy(gateways)) === missedBefore) return result;
  }
}
