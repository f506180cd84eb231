import { onlyRow, type Queryable } from '@tollgate/database/database';

export interface EventIdSecret {
  /** Base64url; the same for ever. */
  readonly secret: string;
  /** Whether events were counted under ids without the secret. */
  readonly hasOldIds: boolean;
  /** Whether new events get ids with the secret; once it is true it stays so. */
  readonly isInUse: boolean;
}

const text = `select secret, has_old_ids, in_use from usage.event_id_secret_v1`;

export async function readEventIdSecret(db: Queryable): Promise<EventIdSecret> {
  const statement = { name: 'usage.read_event_id_secret', text };
  const row = onlyRow(await db.query<{ secret: string; has_old_ids: boolean; in_use: boolean }>(statement, []));
  return { secret: row.secret, hasOldIds: row.has_old_ids, isInUse: row.in_use };
}
