import { AppError, type FieldError } from '@tollgate/kernel/app-error';

/** 400 invalid_request; `errors` names each problem and what to do about it. */
export function invalidRequest(detail: string, errors?: readonly FieldError[]): AppError {
  return new AppError('invalid_request', detail, errors ? { errors } : {});
}

/** The same, with a detail built from the first error. */
export function invalidInput(what: 'body' | 'query', errors: readonly FieldError[]): AppError {
  const [first] = errors;
  if (!first) return invalidRequest(`The ${what} is not valid.`);
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  const detail = `The ${what} is not valid: ${first.pointer || `the ${what}`} ${first.message}${more}`;
  return invalidRequest(detail.endsWith('?') ? detail : `${detail}.`, errors);
}
