import type { Transaction } from '@tollgate/database/database';

const confirm = {
  name: 'auth.confirm_email',
  text: `update auth.account set email_verified_at = coalesce(email_verified_at, $2), email_bounced_at = null
where account_id = $1 and (email_verified_at is null or email_bounced_at is not null)
returning account_id`,
};

/** Somebody followed a link that came to the address: it is the owner's, and takes mail. False if both were known. */
export async function confirmEmail(tx: Transaction, accountId: string, confirmedAt: number): Promise<boolean> {
  return (await tx.query(confirm, [accountId, new Date(confirmedAt)])).length === 1;
}
