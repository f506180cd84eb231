import { measuresOf, type Price } from '@tollgate/contracts/tools/price';
import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { Queryable, Statement } from '@tollgate/database/database';
import type { PriceStore } from './catalogue.ts';
import type { PriceVersion } from './tool.ts';
import type { Prisma } from './prisma-client/client.ts';

export function createPrismaPriceStore(tx: Prisma.TransactionClient): PriceStore {
  return {
    async add(version) {
      // If two transactions add the same hour at once, the second waits here and then finds the hour taken.
      const { count } = await tx.toolPrice.createMany({ data: [toDbPrice(version)], skipDuplicates: true });
      return count === 1;
    },
    count: async (slug) => tx.toolPrice.count({ where: { toolId: slug } }),
    async list(slug, { limit, after }) {
      const where = { toolId: slug };
      const total = await tx.toolPrice.count({ where });
      const rows = await tx.toolPrice.findMany({
        where: { AND: [where, afterPosition('priceId', after)] },
        orderBy: [{ createdAt: 'desc' }, { priceId: 'desc' }],
        take: limit + 1,
      });
      return { rows: rows.map(fromDbPrice), total };
    },
  };
}

type DbPrice = Prisma.ToolPriceGetPayload<object>;

function fromDbPrice({ priceId, toolId, effectiveFrom, price, createdAt }: DbPrice): PriceVersion {
  return {
    id: priceId,
    slug: toolId,
    effectiveFromMs: effectiveFrom?.getTime() ?? null,
    price: price as unknown as Price, // the catalogue stores only normalised prices
    createdAtMs: createdAt.getTime(),
  };
}

function toDbPrice({ id, slug, effectiveFromMs, price, createdAtMs }: PriceVersion): Prisma.ToolPriceCreateManyInput {
  return {
    priceId: id,
    toolId: slug,
    effectiveFrom: effectiveFromMs === null ? null : new Date(effectiveFromMs),
    price: price as unknown as Prisma.InputJsonValue, // a plain JSON value; an interface type cannot say so
    measures: measuresOf(price),
    createdAt: new Date(createdAtMs),
  };
}

/** Prisma's condition for the rows after this position, newest first by (created_at, id). */
export function afterPosition<Id extends string>(idField: Id, after: PagePosition | undefined) {
  if (after === undefined) return {};
  const createdAt = new Date(after.createdAtMs);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, [idField]: { lt: after.id } }] };
}

/** Lets the runtime's statements (replies to idempotency keys) run in the catalogue's transaction. */
export function createPrismaQueryable(tx: Prisma.TransactionClient): Queryable {
  return {
    query<Row extends object>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
      const text = typeof statement === 'string' ? statement : statement.text;
      return tx.$queryRawUnsafe<Row[]>(text, ...values); // safe despite its name: text and parameters stay apart
    },
  };
}
