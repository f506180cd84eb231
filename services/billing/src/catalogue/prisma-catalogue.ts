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

/** The same limits as the runtime's pool: a caller that cannot get a connection in 2 s is told 503 (F40). */
const connectionWaitMs = 2_000;
const statementTimeoutMs = 5_000;
const transactionTimeoutMs = 10_000;

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
      // The adapter writes and reads times without their offset: in another zone each would be wrong by it (F48).
      options: '-c TimeZone=UTC',
    },
    // The message alone: pg hangs the whole client on the error.
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
        // Local to the transaction: a connection never carries an account over to its next user (F75).
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
    readiness: () =>
      prisma.$queryRaw`select 1`.then(
        () => ({ catalogue: 'ok' }),
        () => ({ catalogue: 'cannot reach PostgreSQL' }),
      ),
  };
}

function toCatalogueTransaction(tx: Prisma.TransactionClient): CatalogueTransaction {
  return { tools: createPrismaToolStore(tx), prices: createPrismaPriceStore(tx), ...createPrismaQueryable(tx) };
}
