import type { Price } from '@tollgate/contracts/tools/price';
import type { Transaction } from '@tollgate/database/database';

const text = `select price_id, price from billing.tool_price where price_id = any ($1::uuid[])`;

/** Reads these price versions, by id. A price version never changes. */
export async function readPrices(tx: Transaction, priceIds: readonly string[]): Promise<ReadonlyMap<string, Price>> {
  const statement = { name: 'billing.read_prices', text };
  const rows = await tx.query<{ price_id: string; price: Price }>(statement, [[...new Set(priceIds)]]);
  return new Map(rows.map((row) => [row.price_id, row.price]));
}
