import type { Transaction } from '@tollgate/database/database';

const text = `select 1 from billing.ledger_transaction where business_key = $1`;

export async function hasPosting(tx: Transaction, businessKey: string): Promise<boolean> {
  return (await tx.query({ name: 'has-posting', text }, [businessKey])).length > 0;
}
