import { AppError } from '@tollgate/kernel/app-error';

/** For the operator, who may see all there are. */
export function noSuchInvoice(): AppError {
  return new AppError('not_found', 'There is no such invoice.');
}
