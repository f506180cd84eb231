import type { Transaction } from '@tollgate/database/database';

const skipText = `insert into gate.settlement as s (account_id, seq) values ($1, 1)
  on conflict (account_id) do update set seq = s.seq + 1`;

/**
 * Takes the number of the account's next settlement, for a transaction that changes a cap. A settler that read the cap before
 * writes nothing then, and the next one waits until the change is committed: no row of a cap is made from what is no more.
 */
export async function skipSettlement(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'gate.skip_settlement', text: skipText }, [accountId]);
}
