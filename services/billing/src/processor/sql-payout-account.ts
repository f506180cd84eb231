import type { Transaction } from '@tollgate/database/database';

/** Whether the connected account `a` is paid out to. */
export const isPaidOut = 'a.details_submitted and a.payouts_enabled and a.disconnected_at is null';

const text = `
select processor_account_id from billing.connected_account a
where account_id = $1 and processor = $2 and ${isPaidOut}`;

/** Where a builder's money may go now. Undefined: nowhere. */
export async function findPayoutAccount(
  tx: Transaction,
  of: { readonly builderId: string; readonly processor: string },
): Promise<string | undefined> {
  const values = [of.builderId, of.processor];
  const [row] = await tx.query<{ processor_account_id: string }>({ name: 'find-payout-account', text }, values);
  return row?.processor_account_id;
}
