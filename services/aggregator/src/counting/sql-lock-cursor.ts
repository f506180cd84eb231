import type { Transaction } from '@tollgate/database/database';

const text = `select counted_through from usage.cursor where topic = $1 and partition = $2 for update`;

/** Locks the partition's watermark until the transaction ends. Epoch ms; -Infinity before its first note. */
export async function lockWatermark(tx: Transaction, topic: string, partition: number): Promise<number> {
  const values = [topic, partition];
  const [row] = await tx.query<{ counted_through: Date | number }>({ name: 'usage.lock_watermark', text }, values);
  return row === undefined ? Number.NEGATIVE_INFINITY : Number(row.counted_through);
}
