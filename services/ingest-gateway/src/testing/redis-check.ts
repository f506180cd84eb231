import { eventually } from '@tollgate/testkit/eventually';
import type { GatewayUnderTest } from './gateway-under-test.ts';

/** What `/readyz` answers, and what it says of Redis. */
export async function readRedisCheck(
  gateway: GatewayUnderTest,
): Promise<{ status: number; redis: string | undefined }> {
  const { status, body } = await gateway.send<{ checks: Record<string, string> }>('GET', '/readyz');
  return { status, redis: body.checks['redis'] };
}

/** Whether limits and replies are those of all gateways. */
export async function isShared(gateway: GatewayUnderTest): Promise<boolean> {
  return (await readRedisCheck(gateway)).redis === 'ok';
}

export async function becomesShared(...gateways: readonly GatewayUnderTest[]): Promise<void> {
  for (const gateway of gateways) await eventually(() => isShared(gateway), { withinMs: 10_000 });
}
