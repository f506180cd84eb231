import type { UsageEventRecord } from '@tollgate/contracts/event-record';
import type { Queryable } from '@tollgate/database/database';
import { keyedEventId, oldKeyedEventId } from '@tollgate/kernel/event-id';
import { selectSecretBesideOldIds } from './sql-event-id-secret.ts';

/**
 * Both ids of an event with a key, for a database with events from before ids had a secret. Its record may have the one or
 * the other, and so may the key table.
 */
export type TwoIds = (event: UsageEventRecord) => { readonly keyed: string; readonly old: string } | undefined;

function createTwoIds(secret: string): TwoIds {
  return function twoIds({ consumer_id: accountId, idempotency_key: key }) {
    if (key === undefined) return undefined;
    return { keyed: keyedEventId(secret, { accountId, key }), old: oldKeyedEventId({ accountId, key }) };
  };
}

/** Reads once whether there are such events. Undefined: none, and an event's own id is its only one. */
export function createReadTwoIds(db: Queryable): () => Promise<TwoIds | undefined> {
  let read: { readonly twoIds: TwoIds | undefined } | undefined;
  return async function readTwoIds() {
    if (read === undefined) {
      const secret = await selectSecretBesideOldIds(db);
      read = { twoIds: secret === undefined ? undefined : createTwoIds(secret) };
    }
    return read.twoIds;
  };
}
