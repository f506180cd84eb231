import type { RowContext } from '../row.ts';
import type { Product } from './product.ts';
import { startStandaloneProduct } from './standalone.ts';

/** The product with a budget on the first half of its accounts, which no load here comes near. */
export interface CappedProduct extends Product {
  /** API keys of accounts with a budget. */
  readonly cappedKeys: readonly string[];
  /** API keys of accounts without any cap. */
  readonly freeKeys: readonly string[];
}

const budget = { amount_usd: 1_000_000, window: 'month' };

export async function startCappedProduct(context: RowContext): Promise<CappedProduct> {
  const product = await startStandaloneProduct(context);
  const { client, keysByAccount } = product;
  const half = keysByAccount.length / 2;
  const capped = keysByAccount.slice(0, half);
  for (const [token = ''] of capped) {
    const { status, text } = await client('PUT', '/v1/billing/budget', { token, body: budget });
    if (status !== 200) throw new Error(`an account got no budget: ${status} ${text}`);
  }
  return { ...product, cappedKeys: capped.flat(), freeKeys: keysByAccount.slice(half).flat() };
}

/** Authorizes a book of a thousand calls with each key, and returns their ids in the same order. */
export async function askBooks({ client, cappedKeys, toolId }: CappedProduct): Promise<string[]> {
  const ids: string[] = [];
  for (const token of cappedKeys) {
    const body = { tool_id: toolId, count: 1_000, ttl_seconds: 3_600 };
    const asked = await client<{ id: string }>('POST', '/v1/authorizations', { token, body });
    if (asked.status !== 201) throw new Error(`a book was refused: ${asked.status} ${asked.text}`);
    ids.push(asked.body.id);
  }
  return ids;
}

/** Releases what is left of the books. */
export async function releaseBooks({ client, cappedKeys }: CappedProduct, ids: readonly string[]): Promise<void> {
  for (const [at, id] of ids.entries()) {
    const { status, text } = await client('DELETE', `/v1/authorizations/${id}`, { token: cappedKeys[at] ?? '' });
    if (status !== 204) throw new Error(`a book was not released: ${status} ${text}`);
  }
}
