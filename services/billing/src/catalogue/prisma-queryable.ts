import type { Queryable, Statement } from '@tollgate/database/database';
import type { Prisma } from './prisma-client/client.ts';

/** Lets the runtime's statements (replies to idempotency keys) run in the catalogue's transaction. */
export function createPrismaQueryable(tx: Prisma.TransactionClient): Queryable {
  return {
    query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      const text = typeof statement === 'string' ? statement : statement.text;
      return tx.$queryRawUnsafe<Row[]>(text, ...values); // safe despite its name: text and parameters stay apart
    },
  };
}
