import { PrismaPg } from '@prisma/adapter-pg';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { AppError } from '@tollgate/kernel/app-error';
import { isWeather, isWeatherState, sqlState, storageUnavailable } from '@tollgate/database/pg-error';
import type { Catalogue, CatalogueTransaction } from './catalogue.ts';
import { PrismaClient, Prisma } from './prisma-client/client.ts';
import { createPrismaPriceStore, createPrismaQueryable } from './prisma-price-store.ts';
import { createPrismaToolStore } from './prisma-tool-store.ts';

export interface PrismaCatalogueOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly log: Logger;
}

/** The same limits as the runtime's pool: a caller that gets no connection in 2 s is answered 503 (F40). */
const connectionWaitMs = 2_000;
const statementTimeoutMs = 5_000;
const transactionTimeoutMs = 10_000;

/** The catalogue on Prisma. `start` fails with `unavailable` if it cannot reach PostgreSQL. */
export function createPrismaCatalogue({ url, maxConnections, log }: PrismaCatalogueOptions): Catalogue & Service {
  const adapter = new PrismaPg(
    {
      connectionString: url,
      max: maxConnections,
      application_name: 'billing catalogue',
      connectionTimeoutMillis: connectionWaitMs,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      lock_timeout: 2_000,
      query_timeout: statementTimeoutMs + 2_000,
      // The adapter writes and reads times without their offset. In another time zone each would be wrong by that
      // offset (F48).
      options: '-c TimeZone=UTC',
    },
    // Logs only the message: the error of pg holds the whole client.
    {
      onPoolError: ({ message }) =>
        log.warn({ database: 'billing-catalogue', reason: message }, 'lost an idle connection to PostgreSQL'),
    },
  );
  const prisma = new PrismaClient({ adapter });

  async function transaction<T>(
    work: (tx: CatalogueTransaction) => Promise<T>,
    { accountId }: { accountId: string },
  ): Promise<T> {
    const limits = { maxWait: connectionWaitMs, timeout: transactionTimeoutMs };
    try {
      return await prisma.$transaction(async (tx) => {
        // The setting ends with the transaction, so a connection never carries an account over to its next user (F75).
        await tx.$executeRaw`select set_config('tollgate.account_id', ${accountId}, true)`;
        return work(toCatalogueTransaction(tx));
      }, limits);
    } catch (error) {
      throw fromPrismaError(error);
    }
  }

  return {
    name: 'catalogue',
    transaction,
    async start() {
      try {
        await prisma.$queryRaw`select 1`;
      } catch (error) {
        await prisma.$disconnect();
        throw fromPrismaError(error);
      }
    },
    stop: () => prisma.$disconnect(),
    readiness: () => ({
      catalogue: prisma.$queryRaw`select 1`.then(
        () => 'ok',
        () => 'cannot reach PostgreSQL',
      ),
    }),
  };
}

function toCatalogueTransaction(tx: Prisma.TransactionClient): CatalogueTransaction {
  return { tools: createPrismaToolStore(tx), prices: createPrismaPriceStore(tx), ...createPrismaQueryable(tx) };
}

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
function fromPrismaError(error: unknown): unknown {
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
