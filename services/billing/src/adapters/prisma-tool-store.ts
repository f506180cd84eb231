import type { Price } from '@tollgate/contracts/price';
import type { ToolListQuery, ToolStore } from '../app/ports.ts';
import type { PricedTool, Tool } from '../domain/tool.ts';
import { afterPosition } from './after-position.ts';
import type { Prisma } from './prisma-client/client.ts';
import { createPrismaPriceStore } from './prisma-price-store.ts';

export function createPrismaToolStore(tx: Prisma.TransactionClient): ToolStore {
  return {
    async add(tool, first) {
      // `skipDuplicates` is `on conflict do nothing`: a taken slug must not abort the transaction, which still has to
      // keep the reply for the idempotency key. A second one at the same time waits here for the first.
      const { count } = await tx.tool.createMany({ data: [toDbTool(tool)], skipDuplicates: true });
      return count === 1 && createPrismaPriceStore(tx).add(first);
    },
    async find(slug, nowMs) {
      const row = await tx.tool.findUnique({ where: { toolId: slug }, include: inForceAt(nowMs) });
      return row === null ? undefined : fromDbTool(row);
    },
    async list(query) {
      const mine = query.of === 'everybody' ? { archivedAt: null } : { ownerId: query.of.ownerId };
      const total = await tx.tool.count({ where: mine });
      const rows = await findPage(tx, query, mine);
      return { rows: rows.map(fromDbTool), total };
    },
    async change({ slug, ownerId }, { name, description }) {
      const data = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) };
      const { count } = await tx.tool.updateMany({ where: { toolId: slug, ownerId }, data });
      return count === 1;
    },
    async archive({ slug, ownerId }, archivedAtMs) {
      const archivedAt = new Date(archivedAtMs);
      await tx.tool.updateMany({ where: { toolId: slug, ownerId, archivedAt: null }, data: { archivedAt } });
    },
  };
}

async function findPage(tx: Prisma.TransactionClient, query: ToolListQuery, mine: Prisma.ToolWhereInput) {
  return tx.tool.findMany({
    where: { AND: [mine, afterPosition('toolId', query.after)] },
    include: inForceAt(query.nowMs),
    orderBy: [{ createdAt: 'desc' }, { toolId: 'desc' }],
    take: query.limit + 1,
  });
}

/** The version in force: the last one that has begun; the first has begun always. */
function inForceAt(nowMs: number) {
  return {
    prices: {
      where: { OR: [{ effectiveFrom: null }, { effectiveFrom: { lte: new Date(nowMs) } }] },
      orderBy: { effectiveFrom: { sort: 'desc', nulls: 'last' } },
      take: 1,
      select: { price: true },
    },
  } satisfies Prisma.ToolInclude;
}

type DbTool = Prisma.ToolGetPayload<{ include: { prices: { select: { price: true } } } }>;

function fromDbTool({ toolId, ownerId, name, description, archivedAt, createdAt, prices }: DbTool): PricedTool {
  const [inForce] = prices;
  if (inForce === undefined)
    throw new Error(`tool ${toolId} has no price in force, though its first version has no lower bound`);
  return {
    slug: toolId,
    ownerId,
    name,
    description,
    archivedAtMs: archivedAt?.getTime() ?? null,
    createdAtMs: createdAt.getTime(),
    price: inForce.price as unknown as Price, // only normalised prices are ever written
  };
}

function toDbTool({ slug, ownerId, name, description, archivedAtMs, createdAtMs }: Tool): Prisma.ToolCreateManyInput {
  const archivedAt = archivedAtMs === null ? null : new Date(archivedAtMs);
  return { toolId: slug, ownerId, name, description, archivedAt, createdAt: new Date(createdAtMs) };
}
