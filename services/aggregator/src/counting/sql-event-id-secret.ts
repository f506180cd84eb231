import { onlyRow, type Queryable } from '@tollgate/database/database';

const text = `select case when has_old_ids then secret end as secret from usage.event_id_secret`;

/** The secret of event ids, if events were counted under ids without it. Otherwise each event has one id, its own. */
export async function selectSecretBesideOldIds(db: Queryable): Promise<string | undefined> {
  const statement = { name: 'usage.select_secret_beside_old_ids', text };
  return onlyRow(await db.query<{ secret: string | null }>(statement, [])).secret ?? undefined;
}
