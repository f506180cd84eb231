import type { Transaction } from '@tollgate/database/database';

export type PassTags = Readonly<Record<string, string>>;

const text = 'select pass_id, tags from gate.pass_tags_v1 where account_id = $1';

/** The tags of an account's passes, of revoked ones too, by the ids of the passes. */
export async function readPassTags(tx: Transaction, accountId: string): Promise<ReadonlyMap<string, PassTags>> {
  const rows = await tx.query<{ pass_id: string; tags: PassTags }>({ name: 'billing.read_pass_tags', text }, [
    accountId,
  ]);
  return new Map(rows.map((row) => [row.pass_id, row.tags]));
}
