import type { Transaction } from '@tollgate/runtime/postgres/database';

const text = `select counted_through from usage.watermark_v1`;

/**
 * Read it before the sums, in the same transaction: the sums only grow, so what was counted through then is in them.
 * Before the first record was ever counted there is no watermark: the epoch, through which nothing was counted.
 */
export async function readWatermark(tx: Transaction): Promise<number> {
  const rows = await tx.query<{ counted_through: Date }>({ name: 'read-watermark', text });
  return rows[0]?.counted_through.getTime() ?? 0;
}
