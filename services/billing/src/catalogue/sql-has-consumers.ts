import type { Queryable } from '@tollgate/database/database';

const text = `select from usage.rollup_v1 where tool_id = $1 and consumer_id <> $2 limit 1`;

/** Says whether an account other than its owner has used the tool. An event takes up to some seconds to be counted. */
export async function hasConsumers(
  db: Queryable,
  { slug, ownerId }: { slug: string; ownerId: string },
): Promise<boolean> {
  return (await db.query(text, [slug, ownerId])).length > 0;
}
