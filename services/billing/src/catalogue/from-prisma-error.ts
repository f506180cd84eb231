import { AppError } from '@tollgate/kernel/app-error';
import { isWeather, isWeatherState, sqlState, storageUnavailable } from '@tollgate/database/pg-error';
import { Prisma } from './prisma-client/client.ts';

/**
 * Codes that say "the machine, not the request" (https://www.prisma.io/docs/orm/reference/error-reference): server not
 * reached, timed out, closed; too many connections; no connection from the pool, or no transaction, in time.
 */
const weatherCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);

/** Prisma's transactions are not tried again here, so for its callers these are weather too: deadlock, serialization. */
const retryableStates: ReadonlySet<string> = new Set([sqlState.deadlockDetected, sqlState.serializationFailure]);

/** `unavailable` for weather; everything else rises as it is. */
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

/** Prisma hangs the driver's own code deep inside its errors; its types do not mention it. */
function sqlStateOf(error: unknown): string {
  const code = (error as CarriesDriverError | undefined)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : '';
}
