import type { Price } from '@tollgate/contracts/tools/price';
import type { Transaction } from '@tollgate/database/database';
import type { RatedPrices } from '@tollgate/pricing/rated-price';

interface DbRatedPrice {
  readonly price_id: string;
  readonly tool_id: string;
  readonly owner_id: string;
  readonly effective_from: Date | null;
  readonly price: Price; // the catalogue stores only normalised prices
}

const text = `
select p.price_id, p.tool_id, t.owner_id, p.effective_from, p.price
from billing.tool_price p join billing.tool t using (tool_id)
where p.price_id = any ($1::uuid[])`;

/** Reads price versions with their builders, by id. */
export async function readRatedPrices(tx: Transaction, priceIds: readonly string[]): Promise<RatedPrices> {
  const rows = await tx.query<DbRatedPrice>({ name: 'billing.read_rated_prices', text }, [priceIds]);
  return new Map(
    rows.map(({ price_id: priceId, tool_id: toolId, owner_id: builderId, effective_from: from, price }) => {
      return [priceId, { priceId, toolId, builderId, effectiveFromMs: from?.getTime() ?? null, price }];
    }),
  );
}
