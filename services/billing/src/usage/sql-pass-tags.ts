import type { Transaction } from '@tollgate/database/database';

export type PassTags = Readonly<Record<string, string>>;

/** The tags of an account's passes, of revoked ones too, by the ids of the passes. */
export async function readPassTags(tx: Transaction, accountId: string): Promise<ReadonlyMap<string, PassTags>> {
  const text = 'select pass_id, tags from gate.pass_tags_v1 where account_id = $1';
  const rows = await tx.query<{ pass_id: string; tags: PassTags }>(text, [accountId]);
  return new Map(rows.map((row) => [row.pass_id, row.tags]));
}
