import type { Queryable } from '@tollgate/database/database';

export interface TestPass {
  readonly passId: string;
  readonly accountId: string;
  readonly tags: object;
}

/** A pass that its owner has revoked, as the gateway stores it. */
export async function putPass(owner: Queryable, { passId, accountId, tags }: TestPass): Promise<void> {
  await owner.query(
    `insert into gate.pass (pass_id, account_id, name, key_hash, prefix, last_four, tags, created_at, revoked_at)
     values ($1::uuid, $2, 'agent', sha256($1::uuid::text::bytea), 'tg_pass_', 'abcd', $3, now(), now())`,
    [passId, accountId, tags],
  );
}
