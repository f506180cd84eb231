import type { Database, Statement, Transaction } from '@tollgate/database/database';

export interface ClaimInTurn<Claimed> {
  /** Claims are made one after the other, so that those of two processes count together. It takes a few milliseconds. */
  readonly lock: Statement;
  /** How many may be claimed, and how many of these of the second kind. */
  readonly free: number;
  readonly freeOfSecond: number;
  readonly claimOf: (tx: Transaction, kind: 'first' | 'second', limit: number) => Promise<readonly Claimed[]>;
}

/** Claims what is due: the first kind before the second, which shares what is left for it. */
export async function claimInTurn<Claimed>(
  worker: Database,
  { lock, free, freeOfSecond, claimOf }: ClaimInTurn<Claimed>,
): Promise<readonly Claimed[]> {
  return worker.transaction(async (tx) => {
    await tx.query(lock);
    const first = await claimOf(tx, 'first', free);
    const limit = Math.min(freeOfSecond, free - first.length);
    return [...first, ...(limit > 0 ? await claimOf(tx, 'second', limit) : [])];
  });
}
