import { micros, type Micros } from '@tollgate/kernel/money';
import { onlyRow, type Transaction } from '@tollgate/database/database';

const text = `
select coalesce(sum(amount_micros), 0)::text as micros from billing.processor_fee_share
where builder_id = $1 and payout_id is not distinct from $2`;

/** Sums a builder's shares in the processor's fees that lowered this payout; with null, those that lowered none yet. */
export async function sumFeeShares(tx: Transaction, builderId: string, payoutId: string | null): Promise<Micros> {
  const statement = { name: 'billing.sum_fee_shares', text };
  return micros(BigInt(onlyRow(await tx.query<{ micros: string }>(statement, [builderId, payoutId])).micros));
}
