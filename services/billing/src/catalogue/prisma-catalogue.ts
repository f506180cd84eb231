import { PrismaPg } from '@prisma/adapter-pg';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Catalogue, CatalogueTransaction } from './catalogue.ts';
import { PrismaClient, type Prisma } from './prisma-client/client.ts';
import { fromPrismaError } from './from-prisma-error.ts';
import { createPrismaPriceStore } from './prisma-price-store.ts';
import { createPrismaQueryable } from './prisma-queryable.ts';
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
