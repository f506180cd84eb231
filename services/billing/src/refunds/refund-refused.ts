import { AppError } from '@tollgate/kernel/app-error';

/** `left`: so many dollars can be refunded. */
export function amountTooLarge(left: string, message: string, of = 'this invoice'): AppError {
  const errors = [{ pointer: '/amount_usd', code: 'too_large', message }];
  return new AppError('refund_too_large', `At most ${left} USD of ${of} can be refunded.`, { errors });
}

export function nothingPaid(): AppError {
  const message = 'Nothing was collected for this invoice, so there is nothing to refund; an open one can be voided.';
  return new AppError('invoice_not_paid', message);
}

export function unknownLine(pointer: string): AppError {
  const message = 'names no line that the payment of this invoice released';
  const errors = [{ pointer, code: 'unknown', message }];
  return new AppError('refund_line_unknown', `\`${pointer}\` ${message}.`, { errors });
}
