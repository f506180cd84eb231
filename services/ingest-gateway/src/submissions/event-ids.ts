import type { Queryable } from '@tollgate/database/database';
import { keyedEventId, oldKeyedEventId, type EventKey } from '@tollgate/kernel/event-id';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import { readEventIdSecret, type EventIdSecret } from './sql-event-id-secret.ts';

/** The ids of events with an idempotency key. */
export interface EventIds {
  of(key: EventKey): string;
  /** The id that the same event has if it was counted before ids had a secret. Undefined: there are no such events. */
  oldOf(key: EventKey): string | undefined;
}

export interface EventIdsDeps {
  readonly database: Queryable;
  readonly log: Logger;
}

const pollMs = 5_000;
const unfinished =
  'event ids still let others guess idempotency keys; run `tollgate operator finish-upgrade` once every service is of this version';

/** Reads the secret at the start, and then whether the upgrade is finished, until it is. */
export function createEventIds({ database, log }: EventIdsDeps): EventIds & Service {
  let known: EventIdSecret | undefined;
  const polling = every({
    name: 'event-id-secret',
    everyMs: pollMs,
    log,
    async run() {
      if (!theSecret().isInUse) known = await readEventIdSecret(database);
    },
  });

  function theSecret(): EventIdSecret {
    if (known === undefined) throw new Error('the secret of event ids is read at the start');
    return known;
  }

  return {
    name: 'event-ids',
    async start() {
      known = await readEventIdSecret(database);
      if (!known.isInUse) log.warn(unfinished);
      await polling.start();
    },
    stop: polling.stop,
    of(key) {
      const { secret, isInUse } = theSecret();
      return isInUse ? keyedEventId(secret, key) : oldKeyedEventId(key);
    },
    oldOf(key) {
      const { hasOldIds, isInUse } = theSecret();
      return hasOldIds && isInUse ? oldKeyedEventId(key) : undefined;
    },
  };
}
