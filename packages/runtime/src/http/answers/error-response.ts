import { errorCodes, type ErrorCode } from '@tollgate/kernel/error-codes';
import { problemTypeOf } from '@tollgate/contracts/forms/problem';
import { AppError } from '@tollgate/kernel/app-error';

/** An error as HTTP shows it, without the members of its request (instance, request_id). */
export interface ErrorResponse {
  readonly status: number;
  readonly type: string;
  readonly code: ErrorCode;
  readonly title: string;
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
}

const retryAfterSecondsDefault = 1;

const serverError: ErrorResponse = {
  status: errorCodes.server_error.status,
  title: errorCodes.server_error.title,
  type: problemTypeOf('server_error'),
  code: 'server_error',
  detail: 'Something went wrong on our side. Try again with backoff; if it stays, report the request_id.',
  headers: {},
  members: {},
};

/** An unknown error becomes 500 without its text, which may hold anything. */
export function toErrorResponse(error: unknown): ErrorResponse {
  if (!(error instanceof AppError)) return serverError;
  const { status, title } = errorCodes[error.code];
  return {
    status,
    title,
    type: problemTypeOf(error.code),
    code: error.code,
    detail: error.message,
    headers: headersOf(error, status),
    members: { ...(error.errors ? { errors: error.errors } : {}), ...error.members },
  };
}

function headersOf(error: AppError, status: number): Record<string, string> {
  if (status === 401) return { 'www-authenticate': 'Bearer realm="tollgate"' };
  if (status !== 429 && status !== 503) return {};
  const retryAfter = String(Math.max(1, Math.ceil(error.retryAfterSeconds ?? retryAfterSecondsDefault)));
  return { 'retry-after': retryAfter, ...(status === 429 && { 'x-ratelimit-remaining': '0' }) };
}
