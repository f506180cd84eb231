import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';
import type { ToolChanges, ToolListQuery, ToolStore } from './catalogue.ts';
import { boundOrNull, type PricedTool, type Tool } from './tool.ts';
import { findPricesInForce } from './sql-find-prices-in-force.ts';
import { findSellers } from './sql-sellers.ts';
import { afterPosition, createPrismaPriceStore, createPrismaQueryable } from './prisma-price-store.ts';
import { Prisma } from './prisma-client/client.ts';

export function createPrismaToolStore(tx: Prisma.TransactionClient): ToolStore {
  return {
    async add(tool, first) {
      // `skipDuplicates` is `on conflict do nothing`. A taken slug must not abort the transaction, which still stores
      // the reply for the idempotency key. If two transactions add the same slug at once, the second waits here.
      const { count } = await tx.tool.createMany({ data: [toDbTool(tool)], skipDuplicates: true });
      return count === 1 && createPrismaPriceStore(tx).add(first);
    },
    count: async (ownerId) => tx.tool.count({ where: { ownerId } }),
    async find(slug, nowMs) {
      const row = await tx.tool.findUnique({ where: { toolId: slug } });
      if (row === null) return undefined;
      const [tool] = await withPrices(tx, [row], nowMs);
      return tool;
    },
    async list(query) {
      const condition = query.of === 'everybody' ? { archivedAt: null } : { ownerId: query.of.ownerId };
      const total = await tx.tool.count({ where: condition });
      const rows = await findPage(tx, query, condition);
      return { rows: await withPrices(tx, rows, query.nowMs), total };
    },
    async change({ slug, ownerId }, changes) {
      const data = toDbChanges(changes);
      const { count } = await tx.tool.updateMany({ where: { toolId: slug, ownerId }, data });
      return count === 1;
    },
    async archive({ slug, ownerId }, archivedAtMs) {
      const archivedAt = new Date(archivedAtMs);
      await tx.tool.updateMany({
        where: { toolId: slug, ownerId, archivedAt: null },
        data: { archivedAt, resource: null },
      });
      // Gateways forget a tool that is named here at once; the trigger on the table names none, so that costs a reading.
      await tx.$executeRaw`select pg_notify('tools_changed', ${slug})`;
    },
  };
}

async function findPage(tx: Prisma.TransactionClient, query: ToolListQuery, condition: Prisma.ToolWhereInput) {
  return tx.tool.findMany({
    where: { AND: [condition, afterPosition('toolId', query.after)] },
    orderBy: [{ createdAt: 'desc' }, { toolId: 'desc' }],
    take: query.limit + 1,
  });
}

type DbTool = Prisma.ToolGetPayload<object>;

async function withPrices(tx: Prisma.TransactionClient, rows: readonly DbTool[], nowMs: number): Promise<PricedTool[]> {
  const slugs = rows.map(({ toolId }) => toolId);
  const db = createPrismaQueryable(tx);
  const prices = await findPricesInForce(db, slugs, nowMs);
  const sellers = await findSellers(db, new Set(rows.map(({ ownerId }) => ownerId)));
  return rows.map((row) => ({
    ...fromDbTool(row),
    price: priceOf(prices, row.toolId),
    soldBy: sellers.get(row.ownerId) ?? null,
  }));
}

function priceOf(prices: ReadonlyMap<string, unknown>, slug: string): Price {
  const price = prices.get(slug);
  if (price === undefined) throw new Error(`tool ${slug} has no price in force, though its first has no lower bound`);
  return price as Price; // the catalogue stores only normalised prices
}

function fromDbTool({ toolId, ownerId, defaultMax, archivedAt, createdAt, ...row }: DbTool): Tool {
  const { name, description, resource } = row;
  const described = { slug: toolId, ownerId, name, description, defaultMax: defaultMax as AuthorizedMax | null }; // only ours
  return { ...described, resource, archivedAtMs: archivedAt?.getTime() ?? null, createdAtMs: createdAt.getTime() };
}

function toDbTool(tool: Tool): Prisma.ToolCreateManyInput {
  const { slug, ownerId, name, description, defaultMax, resource, archivedAtMs, createdAtMs } = tool;
  const archivedAt = archivedAtMs === null ? null : new Date(archivedAtMs);
  const described = { toolId: slug, ownerId, name, description, defaultMax: toDbMax(defaultMax) };
  return { ...described, resource, archivedAt, createdAt: new Date(createdAtMs) };
}

function toDbChanges({ name, description, defaultMax, resource }: ToolChanges): Prisma.ToolUpdateManyMutationInput {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(defaultMax !== undefined && { defaultMax: toDbMax(defaultMax) }),
    ...(resource !== undefined && { resource }),
  };
}

function toDbMax(max: AuthorizedMax | null) {
  return (boundOrNull(max) as Prisma.InputJsonObject | null) ?? Prisma.DbNull; // plain JSON
}
