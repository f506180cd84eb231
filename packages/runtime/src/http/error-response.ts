import { errorStatuses, isErrorCode } from '@tollgate/contracts/errors';
import { problemTypeOf } from '@tollgate/contracts/problem';
import { AppError, type ErrorKind } from '@tollgate/kernel/app-error';

/** What HTTP says of an error: everything but the request's own members (instance, request_id). */
export interface ErrorResponse {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
}

/**
 * The one table: kind → status. A code that the contracts know has its status there (405, 413, 415 and 408 are codes that
 * only HTTP knows); a code that they do not know goes by its kind.
 */
const ofKind: Readonly<Record<ErrorKind, { readonly status: number; readonly title: string }>> = {
  invalid: { status: 400, title: 'Invalid request' },
  unauthenticated: { status: 401, title: 'Unauthorized' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  conflict: { status: 409, title: 'Conflict' },
  unprocessable: { status: 422, title: 'Unprocessable' },
  rate_limited: { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Unavailable' },
};

const retryAfterSecondsDefault = 1;

const serverError: ErrorResponse = {
  ...errorStatuses.server_error,
  type: problemTypeOf('server_error'),
  code: 'server_error',
  detail: 'Something went wrong on our side. Try again with backoff; if it stays, report the request_id.',
  headers: {},
  members: {},
};

/** Unknown errors become 500 without their text: it may hold anything. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof AppError)) return serverError;
  const { status, title } = isErrorCode(error.code) ? errorStatuses[error.code] : ofKind[error.kind];
  return {
    status,
    title,
    type: isErrorCode(error.code) ? problemTypeOf(error.code) : 'about:blank',
    code: error.code,
    detail: error.message,
    headers: headersOf(error, status),
    members: { ...(error.errors ? { errors: error.errors } : {}), ...error.members },
  };
}

function headersOf(error: AppError, status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="tollgate"' };
  if (status !== 429 && status !== 503) return {};
  return { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds ?? retryAfterSecondsDefault))) };
}
