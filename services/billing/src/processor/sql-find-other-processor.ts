import type { Queryable } from '@tollgate/database/database';

const text = `select processor from billing.processor_attempt where processor <> $1 limit 1`;

/** Another processor that ever had an order from these books. */
export async function findOtherProcessor(db: Queryable, processor: string): Promise<string | undefined> {
  const [row] = await db.query<{ processor: string }>(text, [processor]);
  return row?.processor;
}
