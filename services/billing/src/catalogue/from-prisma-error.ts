import { AppError } from '@tollgate/kernel/app-error';
import { isWeather, isWeatherState, sqlState, storageUnavailable } from '@tollgate/database/pg-error';
import { Prisma } from './prisma-client/client.ts';

/**
 * Codes for failures of the machine and not of the request (https://www.prisma.io/docs/orm/reference/error-reference).
 * The server was not reached, timed out or closed; there were too many connections; or no connection or transaction was
 * available in time.
 */
const weatherCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);

/**
 * Deadlock and serialization failure. Prisma's transactions are not retried here, so callers see these as weather too.
 */
const retryableStates: ReadonlySet<string> = new Set([sqlState.deadlockDetected, sqlState.serializationFailure]);

/** Translates weather to `unavailable`. Other errors stay as they are. */
export function fromPrismaError(error: unknown): unknown {
  return error instanceof AppError || !isPrismaWeather(error) ? error : storageUnavailable(error);
}

function isPrismaWeather(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError && weatherCodes.has(error.code)) return true;
  const state = sqlStateOf(error);
  return isWeatherState(state) || retryableStates.has(state) || isWeather(error);
}

interface CarriesDriverError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** The driver's error code, which Prisma puts deep inside its errors and its types do not mention. */
function sqlStateOf(error: unknown): string {
  const code = (error as CarriesDriverError | undefined)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : '';
}
