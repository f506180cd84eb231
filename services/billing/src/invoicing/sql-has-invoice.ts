import type { Queryable } from '@tollgate/database/database';

const text = `select from billing.invoice where invoice_id = $1`;

/** Of whichever consumer. */
export async function hasInvoice(db: Queryable, id: string): Promise<boolean> {
  return (await db.query({ name: 'has-invoice', text }, [id])).length > 0;
}
