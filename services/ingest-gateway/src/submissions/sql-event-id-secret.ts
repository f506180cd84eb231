import { onlyRow, type Queryable } from '@tollgate/database/database';

const statement = { name: 'usage.read_event_id_secret', text: 'select secret from usage.event_id_secret_v1' };

/** In base64url. */
export async function readEventIdSecret(db: Queryable): Promise<string> {
  return onlyRow(await db.query<{ secret: string }>(statement, [])).secret;
}
