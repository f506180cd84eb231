import type { Transaction } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { EndpointName } from '../endpoints/endpoint.ts';
import { insertTest, type EventName, type StoredEvent } from '../events/sql-event.ts';
import { redeliverEvent, redeliverMissedEvents } from './sql-delivery.ts';

export interface TellAgainDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly realTime: Pick<Clock, 'now'>;
  /** Looks at once for what is due. Call it when the transaction has ended. */
  readonly announce: () => void;
}

/** In one statement; more would hold a connection for long. */
const missedMax = 10_000;

/** Sends what an owner asks for. */
export function createTellAgain({ clock, realTime, announce }: TellAgainDeps) {
  function test(tx: Transaction, { endpointId, accountId }: EndpointName): Promise<StoredEvent> {
    const happenedAtMs = clock.now();
    const ids = { eventId: uuidV7(happenedAtMs), endpointId, accountId };
    return insertTest(tx, { ...ids, happenedAtMs, nowMs: realTime.now() });
  }

  function event(tx: Transaction, name: EventName): Promise<void> {
    return redeliverEvent(tx, name, realTime.now());
  }

  function missed(tx: Transaction, { endpointId }: EndpointName, fromMs: number): Promise<number> {
    return redeliverMissedEvents(tx, { endpointId, fromMs, nowMs: realTime.now(), rowsMax: missedMax });
  }

  return { test, event, missed, announce };
}

export type TellAgain = ReturnType<typeof createTellAgain>;
