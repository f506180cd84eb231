import type { Queryable } from '@tollgate/database/database';

export interface ResourceClaim {
  readonly resource: string;
  readonly ownerId: string;
}

const ownerText = 'select owner_id from billing.tool where resource = $1::text limit 1';

/** The account whose tools name the resource; undefined if none does. Uses the index on the resource. */
export async function findResourceOwner(db: Queryable, resource: string): Promise<string | undefined> {
  const [row] = await db.query<{ owner_id: string }>(ownerText, [resource]);
  return row?.owner_id;
}

const insertText =
  'insert into billing.resource (resource, owner_id) values ($1::text, $2::uuid) on conflict do nothing';

/** A row that no tool names any more is left from another account. */
const takeOverText = `
update billing.resource r set owner_id = $2::uuid
where r.resource = $1::text and r.owner_id <> $2::uuid
  and not exists (select from billing.tool t where t.resource = r.resource)`;

const isMineText = 'select owner_id from billing.resource where resource = $1::text and owner_id = $2::uuid';

/**
 * Takes the resource for an account that has proved it, so that tools of it can name it. False: another account has it. If
 * two accounts come at once, the second waits here.
 */
export async function claimResource(tx: Queryable, { resource, ownerId }: ResourceClaim): Promise<boolean> {
  const values = [resource, ownerId];
  await tx.query(insertText, values);
  await tx.query(takeOverText, values);
  return (await tx.query(isMineText, values)).length === 1;
}
