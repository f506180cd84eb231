import type { Transaction } from '@tollgate/database/database';

const text = `select consumer_id from billing.invoice where consumer_id = any ($1::uuid[]) and period = $2`;

/** Those of the consumers who have their invoice of the period. For good only under the lock of `lock-closing.ts`. */
export async function findInvoiced(
  tx: Transaction,
  period: string,
  consumerIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ consumer_id: string }>({ name: 'find-invoiced', text }, [consumerIds, period]);
  return new Set(rows.map((row) => row.consumer_id));
}
