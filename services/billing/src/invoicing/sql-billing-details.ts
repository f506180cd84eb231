import { toIso } from '@tollgate/kernel/clock';
import type { Transaction } from '@tollgate/database/database';
import type { BuyerDetails } from './party.ts';

const findText = `select details from billing.billing_details where account_id = $1`;

/** Finds what a consumer wants on its next invoices. Undefined if it has given no details. */
export async function findBillingDetails(tx: Transaction, accountId: string): Promise<BuyerDetails | undefined> {
  const statement = { name: 'billing.find_billing_details', text: findText };
  return (await tx.query<{ details: BuyerDetails }>(statement, [accountId]))[0]?.details;
}

const putText = `
insert into billing.billing_details (account_id, details, changed_at) values ($1, $2, $3)
on conflict (account_id) do update set details = excluded.details, changed_at = excluded.changed_at`;

export interface ChangedDetails {
  readonly accountId: string;
  readonly details: BuyerDetails;
  readonly nowMs: number;
}

export async function putBillingDetails(tx: Transaction, { accountId, details, nowMs }: ChangedDetails): Promise<void> {
  const statement = { name: 'billing.put_billing_details', text: putText };
  await tx.query(statement, [accountId, JSON.stringify(details), toIso(nowMs)]);
}
