import type { Queryable } from '@tollgate/database/database';

export interface MailedInvoice {
  readonly consumerId: string;
  readonly id: string;
}

const list = {
  name: 'billing.list_unprinted_mails',
  text: `select v.account_id, v.invoice_id from notify.mailed_invoice_v1 v
where not exists (select from billing.mailed_print p where p.invoice_id = v.invoice_id) limit $1`,
};

/** Invoices that the notifier mails and that are not printed for it yet. */
export async function listUnprintedMails(db: Queryable, limit: number): Promise<MailedInvoice[]> {
  const rows = await db.query<{ account_id: string; invoice_id: string }>(list, [limit]);
  return rows.map(({ account_id: consumerId, invoice_id: id }) => ({ consumerId, id }));
}

const insert = {
  name: 'billing.insert_mailed_print',
  text: 'insert into billing.mailed_print (invoice_id, pdf) values ($1, $2) on conflict do nothing',
};

/** Keeps a print for the notifier; null: there is none. */
export async function insertMailedPrint(db: Queryable, invoiceId: string, pdf: Buffer | null): Promise<void> {
  await db.query(insert, [invoiceId, pdf]);
}

const forget = {
  name: 'billing.forget_mailed_prints',
  text: `delete from billing.mailed_print p
where not exists (select from notify.mailed_invoice_v1 v where v.invoice_id = p.invoice_id)`,
};

/** Deletes the prints whose mails are sent. */
export async function forgetMailedPrints(db: Queryable): Promise<void> {
  await db.query(forget);
}
