import { AppError } from '@tollgate/kernel/app-error';
import pg from 'pg';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
export const sqlState = {
  uniqueViolation: '23505',
  checkViolation: '23514',
  deadlockDetected: '40P01',
  serializationFailure: '40001',
  lockNotAvailable: '55P03',
} as const;

/**
 * Classes and codes that say "the machine, not the request": connection exceptions (08), insufficient resources (53),
 * operator intervention such as shutdown or a cancelled statement (57), system errors (58), lock not available, and a
 * server that may only be read, as one is while a fail-over is on its way (25006).
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

/** A SQLSTATE, however it came: pg has it on its errors, Prisma hangs it deep inside its own. */
export function isWeatherState(state: string): boolean {
  return weather.test(state);
}

/** Was it the server or the way to it, rather than the statement? Then the same may go through later. */
export function isWeather(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state !== undefined) return isWeatherState(state);
  if (error instanceof AggregateError) return error.errors.some(isWeather); // happy eyeballs: one error an address
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }; // an error of Node or pg
  return socketErrors.has(String(code)) || driverMessages.test(String(message));
}

/** `unavailable` for weather; everything else rises as it is, since only the caller knows what it means. */
export function fromPgError(error: unknown): unknown {
  return isWeather(error) ? storageUnavailable(error) : error;
}

export function storageUnavailable(cause: unknown): AppError {
  const message = 'The service cannot reach its storage right now. Try again shortly.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
