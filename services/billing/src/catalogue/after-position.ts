import type { PagePosition } from '@tollgate/runtime/http/lists/page-position';

/** Prisma's condition for the rows after this position, newest first by (created_at, id). */
export function afterPosition<Id extends string>(idField: Id, after: PagePosition | undefined) {
  if (after === undefined) return {};
  const createdAt = new Date(after.createdAtMs);
  return { OR: [{ createdAt: { lt: createdAt } }, { createdAt, [idField]: { lt: after.id } }] };
}
