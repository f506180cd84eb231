import {
  notificationsTopic,
  operatorsKey,
  type NotificationRecord,
} from '@tollgate/contracts/webhooks/notification-record';
import type { Database, Transaction } from '@tollgate/database/database';
import type { EventAppender, LogRecord } from '@tollgate/event-log/event-log';
import { toIso } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import { takeRelayedEvents, type RelayedEvent } from './sql-relay.ts';

export interface RelayEventsDeps {
  readonly worker: Database;
  readonly appender: Pick<EventAppender, 'append'>;
  /** Default: that of the contract. */
  readonly topic?: string;
  readonly log: Logger;
}

const rowsMax = 500;
/** The net for events that another process has taken, and the pause after a failure. */
const everyMs = 1_000;

/**
 * Hands everything that is told to Kafka, at least once: an event leaves its table in the transaction in which Kafka took it.
 * Without Kafka the events wait, and webhooks go on. Several relays hand on different events.
 */
export function createRelayEvents({ worker, appender, topic = notificationsTopic, log }: RelayEventsDeps): Repeated {
  async function relayNext(tx: Transaction): Promise<number> {
    const events = await takeRelayedEvents(tx, rowsMax);
    if (events.length > 0) await appender.append(topic, events.map(toRecord));
    return events.length;
  }

  async function run(): Promise<void> {
    for (let relayed = rowsMax; relayed === rowsMax;) relayed = await worker.transaction(relayNext);
  }
  return every({ name: 'relay-events', run, everyMs, first: 'at once', log });
}

function toRecord({ eventId: id, accountId, type, happenedAtMs, data }: RelayedEvent): LogRecord {
  const record: NotificationRecord = { id, account_id: accountId, type, timestamp: toIso(happenedAtMs), data };
  return { key: accountId ?? operatorsKey, value: Buffer.from(JSON.stringify(record)) };
}
