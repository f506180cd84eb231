import { onlyRow, type Transaction } from '@tollgate/database/database';

const text = `
select count(*)::int as others from billing.processor_attempt
where kind = 'transfer' and subject_id = $1 and attempt_id <> $2 and status = 'succeeded'`;

/** Transfers of a payout, beside this one, that stand at the processor. */
export async function countOtherTransfers(
  tx: Transaction,
  of: { readonly payoutId: string; readonly attemptId: string },
): Promise<number> {
  const values = [of.payoutId, of.attemptId];
  return onlyRow(await tx.query<{ others: number }>({ name: 'count-other-transfers', text }, values)).others;
}
