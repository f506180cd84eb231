import type { Transaction } from '@tollgate/database/database';

const lockText = `insert into gate.settlement as s (account_id, seq) values ($1, 0)
  on conflict (account_id) do update set seq = s.seq`;

/**
 * Holds up the account's settlements until the transaction ends, for one that changes a cap. A settlement that goes on then
 * makes no row of what is no more: it reads again which caps are in force. It is not void, or whoever keeps changing caps
 * would never be settled.
 */
export async function lockSettlement(tx: Transaction, accountId: string): Promise<void> {
  await tx.query({ name: 'gate.lock_settlement', text: lockText }, [accountId]);
}
