import { randomBytes, randomUUID } from 'node:crypto';
import type { Price } from '@tollgate/contracts/tools/price';
import type { GatewayUnderTest } from '../gateway-under-test.ts';

export interface TestAuthorization {
  readonly id: string;
  readonly state: string;
  readonly held_usd: number;
  readonly remaining_usd: number | null;
  readonly captured_count: number;
  readonly code: string;
}

export function perCall(unit_price_usd: string): Price {
  const charge: Price['charges'][number] = {
    name: null,
    metric: { type: 'calls' },
    model: { type: 'per_unit', unit_price_usd },
    free_quantity: '0',
  };
  return { currency: 'usd', charges: [charge], bill_failed_calls: false };
}

export function perMillisecond(unit_price_usd: string): Price {
  const price = perCall(unit_price_usd);
  return { ...price, charges: price.charges.map((charge) => ({ ...charge, metric: { type: 'duration_ms' } })) };
}

/** A tool with this price, as billing would store it. Its owner must have the resource. */
export async function charging(
  { owner }: GatewayUnderTest,
  price: object,
  of: string | { readonly ownerId: string; readonly resource: string | undefined } = randomUUID(),
): Promise<string> {
  const { ownerId, resource = null } = typeof of === 'string' ? { ownerId: of } : of;
  const toolId = `tool-${randomBytes(6).toString('hex')}`;
  await owner.query(
    `with tool as (insert into billing.tool (tool_id, owner_id, name, created_at, resource) values ($1, $2, 'Tool', now(), $6))
     insert into billing.tool_price (price_id, tool_id, price, measures, created_at) values ($3, $1, $4, $5, now())`,
    [toolId, ownerId, randomUUID(), price, JSON.stringify(price).includes('tokens') ? ['tokens'] : [], resource],
  );
  return toolId;
}

export async function putBudget(gateway: GatewayUnderTest, token: string, body: object): Promise<void> {
  const { status } = await gateway.send('PUT', '/v1/billing/budget', { token, body });
  if (status !== 200) throw new Error(`the budget was answered ${status}`);
}
