import { AppError, type FieldError } from '@tollgate/kernel/app-error';

/** 400 invalid_request that names each thing that is wrong, and what to do about it. */
export function invalidRequest(detail: string, errors?: readonly FieldError[]): AppError {
  return new AppError('invalid', 'invalid_request', detail, errors ? { errors } : {});
}
