import type { Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';

const hasText = `select from billing.dispute_hold where dispute_id = $1 limit 1`;

export async function hasDisputeHold(tx: Transaction, disputeId: string): Promise<boolean> {
  return (await tx.query(hasText, [disputeId])).length > 0;
}

export interface DisputeShare {
  readonly builderId: string;
  readonly amountMicros: Micros;
}

const insertText = `
insert into billing.dispute_hold (dispute_id, builder_id, earning_micros)
select $1, t.builder_id, t.earning_micros from unnest($2::uuid[], $3::numeric[]) as t (builder_id, earning_micros)`;

export async function insertDisputeHolds(tx: Transaction, disputeId: string, shares: readonly DisputeShare[]) {
  const builderIds = shares.map(({ builderId }) => builderId);
  const amounts = shares.map(({ amountMicros }) => String(amountMicros));
  await tx.query(insertText, [disputeId, builderIds, amounts]);
}
