import { AppError } from '@tollgate/kernel/app-error';

/** The answer to the operator, who may see every invoice. */
export function noSuchInvoice(invoiceId: string): AppError {
  return new AppError('not_found', `There is no invoice \`${invoiceId}\`.`);
}
