import { AppError } from '@tollgate/kernel/app-error';
import { Prisma } from './prisma-client/client.ts';

/**
 * Codes that say "the machine, not the request" (https://www.prisma.io/docs/orm/reference/error-reference): server not
 * reached, timed out, closed; too many connections; no connection from the pool, or no transaction, in time.
 */
const weatherCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);

/** The same classes of SQLSTATE as the runtime's pg-error.ts, and deadlocks: connection, resources, operator, system. */
const weatherStates = /^(?:08|53|57|58)...$|^55P03$|^40(?:001|P01)$/;
const driverMessages = /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

/** `unavailable` for weather; everything else rises as it is. */
export function fromPrismaError(error: unknown): unknown {
  if (error instanceof AppError || !isWeather(error)) return error;
  return new AppError(
    'unavailable',
    'unavailable',
    'The service cannot reach its storage right now. Try again shortly.',
    {
      cause: error,
      retryAfterSeconds: 1,
    },
  );
}

function isWeather(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError && weatherCodes.has(error.code)) return true;
  return weatherStates.test(sqlStateOf(error)) || (error instanceof Error && driverMessages.test(error.message));
}

interface CarriesDriverError {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: unknown } } };
}

/** Prisma hangs the driver's own code deep inside its errors; its types do not mention it. */
function sqlStateOf(error: unknown): string {
  const code = (error as CarriesDriverError | undefined)?.meta?.driverAdapterError?.cause?.originalCode;
  return typeof code === 'string' ? code : '';
}
