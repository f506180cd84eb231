import { micros, type Micros } from '@tollgate/kernel/money';
import type { SettledIn } from './settled-in.ts';
import { onlyRow, type Transaction } from '@tollgate/database/database';

const takenText = `
select coalesce(sum(amount_micros), 0)::text as micros from billing.processor_fee_share
where builder_id = $1 and payout_id = $2`;

const pendingText = `
select coalesce(-sum(earning_micros), 0)::text as micros from billing.own_unpaid_earning
where builder_id = $1 and is_fee_share and period > $2 and period <= $3`;

/** Sums a builder's shares in the processor's fees that lowered this payout, or will lower it. */
export async function sumFeeShares(tx: Transaction, builderId: string, by: SettledIn): Promise<Micros> {
  const [text, values] = 'payoutId' in by ? [takenText, [by.payoutId]] : [pendingText, [by.after, by.through]];
  return micros(BigInt(onlyRow(await tx.query<{ micros: string }>(text, [builderId, ...values])).micros));
}
