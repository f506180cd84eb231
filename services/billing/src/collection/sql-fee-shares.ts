import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { FeeShare } from './plan-fee-shares.ts';

const insertText = `
insert into billing.processor_fee_share (attempt_id, builder_id, amount_micros, shared_at)
select $1, t.builder_id, t.amount_micros, $4 from unnest($2::uuid[], $3::numeric[]) as t (builder_id, amount_micros)`;

/** Stores the shares of builders in the fee on a charge. The builders' gross must be locked, as for a release. */
export async function insertFeeShares(
  tx: Transaction,
  shares: readonly FeeShare[],
  { attemptId, sharedAtMs }: { readonly attemptId: string; readonly sharedAtMs: number },
): Promise<void> {
  const builderIds = shares.map(({ builderId }) => builderId);
  const amounts = shares.map(({ amountMicros }) => String(amountMicros));
  await tx.query({ name: 'billing.insert_fee_shares', text: insertText }, [
    attemptId,
    builderIds,
    amounts,
    toIso(sharedAtMs),
  ]);
}
