import { AppError } from '@tollgate/kernel/app-error';
import pg from 'pg';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const sqlState = {
  uniqueViolation: '23505',
  checkViolation: '23514',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  lockNotAvailable: '55P03',
  outOfMemory: '53200',
  queryCanceled: '57014',
} as const;

/**
 * SQLSTATEs of failures of the machine, not of the request. Classes: connection exceptions (08), insufficient resources
 * (53), operator intervention such as a shutdown or a cancelled statement (57), system errors (58). Codes: lock not
 * available (55P03), a read-only server during a fail-over (25006).
 */
const weather = /^(?:08|53|57|58)...$|^(?:55P03|25006)$/;
const socketErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable|Cannot use a pool after/;

export function sqlStateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** The table whose unique constraint refused a row. */
export function uniqueViolationTableOf(error: unknown): string | undefined {
  return sqlStateOf(error) === sqlState.uniqueViolation ? (error as pg.DatabaseError).table : undefined;
}

/** PostgreSQL ended the transaction since others were in its way: the same may succeed now. */
export function isWorthAnotherTry(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === sqlState.deadlockDetected || state === sqlState.serializationFailure;
}

/** Judges by SQLSTATE: errors of pg have it as `code`, errors of Prisma deep inside. */
export function isWeatherState(state: string): boolean {
  return weather.test(state);
}

/** Whether the server or the way to it failed, not the statement. Then the same statement may succeed later. */
export function isWeather(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return isWeatherState(state);
  if (error instanceof AggregateError) return error.errors.some(isWeather); // happy eyeballs: one error per address
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }; // an error of Node or pg
  return socketErrors.has(String(code)) || driverMessages.test(String(message));
}

/** `unavailable` for failures of the machine. Other errors stay as they are: only the caller knows what they mean. */
export function fromPgError(error: unknown): unknown {
  return isWeather(error) ? storageUnavailable(error) : error;
}

export function storageUnavailable(cause: unknown): AppError {
  const message = 'The service cannot reach its storage right now. Try again shortly.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
