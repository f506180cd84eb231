import type { Queryable } from '@tollgate/database/database';
import { keyedEventId, type EventKey } from '@tollgate/kernel/event-id';
import type { Service } from '@tollgate/kernel/service';
import { readEventIdSecret } from './sql-event-id-secret.ts';

/** The ids of events with an idempotency key. */
export interface EventIds {
  of(key: EventKey): string;
}

/** Reads the secret of the ids at the start. It is the same for ever. */
export function createEventIds(database: Queryable): EventIds & Service {
  let secret: string | undefined;
  return {
    name: 'event-ids',
    async start() {
      secret = await readEventIdSecret(database);
    },
    stop: async () => undefined,
    of(key) {
      if (secret === undefined) throw new Error('the secret of event ids is read at the start');
      return keyedEventId(secret, key);
    },
  };
}
