import { runConfirmInvoice } from '@tollgate/billing/operator';
import { isUuid } from '@tollgate/kernel/uuid';

import { CommandError } from './command-error.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator invoice confirm <id>`: for an invoice above INVOICE_COLLECT_MAX_USD. */
export async function confirmOneInvoice(id: string, choice: DatabaseChoice): Promise<string> {
  if (!isUuid(id)) throw new CommandError(`${id} is not the id of an invoice`);
  await withDatabase(choice, ({ urlFor }) =>
    runConfirmInvoice(id, { workerUrl: urlFor('billing_worker'), log: choice.log }),
  );
  return `The invoice ${id} is confirmed. Tollgate charges it within a minute, if it has a payment method.`;
}
